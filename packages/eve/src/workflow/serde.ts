/**
 * The module `@workflow/serde`: keys of the two static methods by which a class says how its instances are written to the
 * log and read from it. Both are registered symbols, so `Symbol.for` gives the same.
 *
 * ```ts
 * class Money {
 *   constructor(readonly cents: number) {}
 *   static [WORKFLOW_SERIALIZE](money: Money) {
 *     return { cents: money.cents };
 *   }
 *   static [WORKFLOW_DESERIALIZE](data: { cents: number }) {
 *     return new Money(data.cents);
 *   }
 * }
 * ```
 */
export const WORKFLOW_SERIALIZE: unique symbol = Symbol.for("workflow-serialize");
export const WORKFLOW_DESERIALIZE: unique symbol = Symbol.for("workflow-deserialize");
