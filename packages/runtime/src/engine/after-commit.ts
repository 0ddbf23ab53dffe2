import { RunStuckError } from "../errors/engine.js";
import { toRunEvent } from "../log/events.js";
import { isStuck } from "../log/state.js";
import { BUNDLE_FILE } from "../replay/index.js";
import { isParked, type Actor } from "./actor.js";
import type { Core } from "./core.js";
import type { ConsoleLine } from "./options.js";
import type { Turn } from "./turn.js";

/** What follows from a commit: who follows a run is told, one that ended is let go of, one that waits is parked. */
export class AfterCommit {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  committed(turn: Turn): void {
    const core = this.#core;
    const { actor, draft } = turn;
    const before = actor.storedStatus;
    turn.committed();
    this.#publish(turn);
    const { target } = actor.row;
    if (target !== undefined && draft.outbox.length > 0) core.outbox.publish(target, undefined);
    if (draft.chunks.length > 0 || draft.closeStreams.length > 0) core.streams.changed(actor.runId);
    const status = before === actor.storedStatus ? undefined : actor.storedStatus;
    if (status) {
      const { ended } = actor.state;
      core.statuses.publish(actor.runId, { status, ...(ended && { ended }) });
    }
    if (turn.ended) {
      this.retire(actor);
      this.#announceEnd(actor);
      return;
    }
    if (status) core.hub.publish(actor.runId, { type: "status", runId: actor.runId, status });
    this.noticeStuck(actor);
    if (isParked(actor)) core.actors.park(actor);
  }

  /** The run has ended, or isn't this process's any more: what still works for it stops, and its slots are free. */
  retire(actor: Actor): void {
    const core = this.#core;
    core.actors.forget(actor);
    for (const { slot } of actor.running.values()) core.steps.slots.release(slot);
    actor.signals.abortAll();
    this.forgetUncommitted(actor);
    core.streams.changed(actor.runId);
    const prefix = `${actor.runId}/`;
    for (const [name, respond] of core.responders) if (name.startsWith(prefix)) respond(undefined);
    core.loop.refuseAll(actor);
  }

  /** What was counted for a turn that didn't come about. */
  forgetUncommitted(actor: Actor): void {
    this.#core.streams.forget(actor.runId);
    this.#core.tokens.dropAll(actor);
  }

  /** Tells, once while the run is in memory, that it waits for nothing that could come. */
  noticeStuck(actor: Actor): void {
    if (actor.stuck || actor.stale || !isStuck(actor.state)) return;
    actor.stuck = true;
    this.#core.problem({ runId: actor.runId, error: new RunStuckError(actor.runId) });
  }

  print(line: ConsoleLine): void {
    this.#tell(line.runId, () => this.#core.options.onConsole?.(line));
  }

  #publish({ actor, draft, console }: Turn): void {
    for (const { level, text } of console) {
      // A stack that the body prints is one of its bundle.
      const told = text.includes(BUNDLE_FILE) ? actor.build.mapStack(text) : text;
      this.print({ runId: actor.runId, level, text: told });
    }
    const { hub } = this.#core;
    if (!hub.has(actor.runId)) return;
    for (const entry of draft.entries) {
      const event = toRunEvent(actor.runId, entry);
      if (event) hub.publish(actor.runId, event);
    }
  }

  #announceEnd({ runId, row, state }: Actor): void {
    const { ended, endedAt = state.lastAt, startedAt } = state;
    if (!ended) return;
    const { workflowId, tool } = row;
    const end = { runId, workflowId, status: ended.status, durationMs: endedAt - startedAt };
    this.#tell(runId, () => this.#core.options.onRunEnd?.(tool === undefined ? end : { ...end, tool }));
  }

  /** Whoever prints may fail (a closed pipe); that must not stop what follows from the commit. */
  #tell(runId: string, tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.#core.problem({ runId, error });
    }
  }
}
