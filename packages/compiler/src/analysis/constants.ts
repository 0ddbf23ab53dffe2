import { lookup, type Reference } from "../scope/scope.js";
import type { ValueShape } from "../types.js";

/**
 * Follows the names among values to what their constants were initialised with: an instance of a class of the module, or
 * a function. Anything else that a name may stand for isn't followed.
 *
 * @param references all names of the module
 */
export function constantFollower(
  references: readonly Reference[],
): (values: readonly ValueShape[]) => ValueShape[] {
  let byStart: Map<number, Reference> | undefined;
  return (values) => values.map(follow);

  function follow(value: ValueShape): ValueShape {
    if (value.kind !== "name" || value.name === undefined) return value;
    byStart ??= new Map(references.map((reference) => [reference.start, reference]));
    const scope = byStart.get(value.start)?.scope;
    const constant = scope && lookup(scope, value.name)?.constant;
    if (constant === undefined) return value;
    const { start, end, name } = value;
    if (constant.kind === "function") return { kind: "function", name, constant: name, start, end };
    const isOfModule = lookup(constant.scope, constant.className)?.top === true;
    return isOfModule ? { kind: "new", name: constant.className, constant: name, start, end } : value;
  }
}
