import { OperationUnavailableError, ValueTooLargeError } from "../errors/engine.js";
import type { OperationKey } from "../replay/protocol.js";
import { crashedOutcome, type StepOutcome } from "../steps/execute.js";
import type { Actor } from "./actor.js";
import type { Core } from "./core.js";
import type { Input } from "./inputs.js";
import { outstanding } from "./load.js";

/** Takes up what is unfinished in a run that was loaded or replayed, and remembers its hooks. */
export async function takeUp(core: Core, actor: Actor): Promise<void> {
  for (const { token } of actor.state.hooks.values()) core.tokens.hold(actor, token);
  for (const [key, { name, args }] of actor.state.customs) runCustom(core, actor, key, name, args);
  const { crashed, retrying, created } = outstanding(actor.state, actor.running);
  if (crashed.length > 0) await recordCrashes(core, actor, crashed);
  for (const { key, at } of retrying) core.retryAt(actor, key, at);
  for (const key of created) core.steps.add(actor, key);
  if (created.length > 0) core.loop.wake(actor);
  core.afterCommit.noticeStuck(actor);
}

async function recordCrashes(
  core: Core,
  actor: Actor,
  crashed: ReturnType<typeof outstanding>["crashed"],
): Promise<void> {
  const server = await actor.build.server();
  for (const { key, stepId, attempt } of crashed) {
    const step = server.steps.get(stepId);
    const outcome = crashedOutcome({ stepId, attempt }, step, core.clock.now(), actor.codec(server));
    core.loop.enqueue(actor, stepInput(key, attempt, outcome, true));
  }
}

/** A later capability's operation; its result is recorded like a step's. After a crash it is called again. */
export function runCustom(core: Core, actor: Actor, key: OperationKey, name: string, args: string): void {
  const handler = core.options.operations?.[name];
  const settle = (ok: boolean, value: string) => {
    if (!actor.gone) core.loop.enqueue(actor, { type: "custom", key, ok, value });
  };
  const failed = (error: unknown) => settle(false, core.values.encodeError(actor, error));
  if (!handler) return failed(new OperationUnavailableError(name));
  handler({ runId: actor.runId, key, args })
    .then((value) => {
      const { valueSize } = core.limits;
      if (value.length > valueSize)
        throw new ValueTooLargeError(`The result of ${name}`, value.length, valueSize);
      settle(true, value);
    })
    .catch(failed);
}

/** What came of an attempt, as the run is told of it. */
export function stepInput(
  key: OperationKey,
  attempt: number,
  outcome: StepOutcome,
  crashed = false,
): Extract<Input, { type: "step-completed" | "step-failed" }> {
  if (outcome.type === "completed") return { type: "step-completed", key, attempt, value: outcome.value };
  const { error, retryAt } = outcome;
  return { type: "step-failed", key, attempt, error, crashed, ...(retryAt === undefined ? {} : { retryAt }) };
}
