/**
 * What every store must do. Run it with each implementation:
 *
 * ```ts
 * storeContract("sqlite", async () => { … return { store, reopen, close }; });
 * ```
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LogEntry, LogEvent } from "../log/types.js";
import type { RunRow, RunWrite, Store } from "../store/types.js";

export interface ContractStore {
  store: Store;
  /** Opens the same data again, as another process would after a crash. */
  reopen(): Promise<Store>;
  close(): Promise<void>;
}

const started = (workflowId = "w"): LogEvent => ({
  type: "run-started",
  version: 1,
  workflowId,
  buildId: "b1",
  args: "[[]]",
  seed: "00".repeat(16),
  nodeMajor: 20,
  eveVersion: "0.0.0",
  depth: 0,
});

const row = (runId: string, more: Partial<RunRow> = {}): RunRow => ({
  runId,
  workflowId: "w",
  buildId: "b1",
  status: "running",
  createdAt: 1_000,
  depth: 0,
  ...more,
});

const entries = (from: number, ...events: LogEvent[]): LogEntry[] =>
  events.map((event, index) => ({ seq: from + index, at: 1_000 + from + index, event }));

export function storeContract(name: string, open: () => Promise<ContractStore>): void {
  describe(`store contract: ${name}`, () => {
    let opened: ContractStore;
    let store: Store;

    beforeEach(async () => {
      opened = await open();
      ({ store } = opened);
    });
    afterEach(() => opened.close());

    async function write(runId: string, change: Partial<RunWrite>): Promise<void> {
      await store.commit([{ runId, epoch: await store.claim(runId), entries: [], ...change }]);
    }

    const create = (runId: string, more: Partial<RunRow> = {}) =>
      write(runId, { create: row(runId, more), entries: entries(0, started()) });

    test("a committed run is there after the store is opened again", async () => {
      await create("r1", { tool: "deploy", parentRunId: "r0", depth: 1, target: "session:s" });
      await write("r1", { entries: entries(1, { type: "progress", value: '"é \\u0000 𝄞"' }) });
      store = await opened.reopen();
      expect(await store.run("r1")).toEqual(
        row("r1", { tool: "deploy", parentRunId: "r0", depth: 1, target: "session:s" }),
      );
      expect(await store.log("r1")).toEqual([
        { seq: 0, at: 1_000, event: started() },
        { seq: 1, at: 1_001, event: { type: "progress", value: '"é \\u0000 𝄞"' } },
      ]);
      expect((await store.lastEntry("r1"))?.seq).toBe(1);
    });

    test("a run that moved to another build needs both until it ends", async () => {
      await create("r1", { buildId: "old" });
      await create("r2", { buildId: "other" });
      await write("r1", { movedTo: "new" });
      expect(await store.run("r1")).toEqual(row("r1", { buildId: "old", movedTo: "new" }));
      expect(await store.buildsInUse()).toEqual(["new", "old", "other"]);
      await write("r1", { status: "completed", endedAt: 2_000 });
      expect(await store.buildsInUse()).toEqual(["other"]);
    });

    test("unknown runs, hooks and questions are undefined or empty, never an error", async () => {
      expect(await store.run("nope")).toBeUndefined();
      expect(await store.log("nope")).toEqual([]);
      expect(await store.lastEntry("nope")).toBeUndefined();
      expect(await store.hook("nope")).toBeUndefined();
      expect(await store.question("nope")).toBeUndefined();
      expect(await store.streamState("nope", "")).toEqual({ length: 0, closed: false });
      expect(await store.nextDue(-Infinity)).toBeUndefined();
    });

    test("a transaction over several runs is all or nothing", async () => {
      await create("r1");
      const epoch = await store.claim("r1");
      const again = { runId: "r1", epoch, entries: entries(0, started()) };
      const other = { runId: "r2", epoch, create: row("r2"), entries: entries(0, started()) };
      await expect(async () => store.commit([other, again])).rejects.toThrow(/./);
      expect(await store.run("r2")).toBeUndefined();
      expect(await store.log("r2")).toEqual([]);
      await create("r2");
      expect(await store.log("r2")).toHaveLength(1);
    });

    test("an entry is never written twice", async () => {
      await create("r1");
      await write("r1", { entries: entries(1, { type: "progress", value: "1" }) });
      await expect(write("r1", { entries: entries(1, { type: "progress", value: "2" }) })).rejects.toThrow(
        /./,
      );
      expect((await store.log("r1"))[1]?.event).toEqual({ type: "progress", value: "1" });
    });

    test("a write that overlaps the log, or leaves a gap in it, is refused", async () => {
      await create("r1");
      const progress = (n: number): LogEvent => ({ type: "progress", value: String(n) });
      await write("r1", { entries: entries(1, progress(1), progress(2), progress(3)) });
      await expect(write("r1", { entries: entries(2, progress(9)) })).rejects.toThrow(/./);
      await expect(write("r1", { entries: entries(5, progress(9)) })).rejects.toThrow(/./);
      await write("r1", { entries: entries(4, progress(4)) });
      expect((await store.log("r1")).map((entry) => entry.seq)).toEqual([0, 1, 2, 3, 4]);
      expect((await store.lastEntry("r1"))?.event).toEqual(progress(4));
    });

    test("a write with an old epoch is refused", async () => {
      await create("r1");
      const epoch = await store.claim("r1");
      store = await opened.reopen();
      const next = await store.claim("r1");
      expect(next).not.toBe(epoch);
      const late = { runId: "r1", epoch, entries: entries(1, { type: "progress", value: "1" }) };
      await expect(async () => store.commit([late])).rejects.toMatchObject({ code: "OWNERSHIP_LOST" });
      expect(await store.log("r1")).toHaveLength(1);
    });

    test("runs are listed newest first, filtered and page by page", async () => {
      await create("a", { createdAt: 1 });
      await create("b", { createdAt: 2, parentRunId: "a" });
      await create("c", { createdAt: 2 });
      await write("a", {
        status: "completed",
        endedAt: 9,
        entries: entries(1, { type: "run-ended", status: "completed" }),
      });
      const ids = async (filter?: Parameters<Store["runs"]>[0]) =>
        (await store.runs(filter)).map((run) => run.runId);
      expect(await ids()).toEqual(["c", "b", "a"]);
      expect(await ids({ status: ["running", "waiting"] })).toEqual(["c", "b"]);
      expect(await ids({ status: ["completed"] })).toEqual(["a"]);
      expect(await ids({ parentRunId: "a" })).toEqual(["b"]);
      expect(await ids({ limit: 2 })).toEqual(["c", "b"]);
      expect(await ids({ limit: 2, before: "b" })).toEqual(["a"]);
      expect(await store.run("a")).toMatchObject({ status: "completed", endedAt: 9 });
    });

    test("due timers come earliest first and are removed by key", async () => {
      await create("r1");
      await create("r2");
      await write("r1", {
        setTimers: [
          { key: "sleep#0", dueAt: 30 },
          { key: "sleep#1", dueAt: 10 },
        ],
      });
      await write("r2", { setTimers: [{ key: "sleep#0", dueAt: 20 }] });
      expect(await store.nextDue(-Infinity)).toBe(10);
      expect(await store.nextDue(10)).toBe(20);
      expect(await store.dueTimers(20, 10)).toEqual([
        { runId: "r1", key: "sleep#1", dueAt: 10 },
        { runId: "r2", key: "sleep#0", dueAt: 20 },
      ]);
      expect(await store.dueTimers(100, 1)).toHaveLength(1);
      await write("r1", { clearTimers: ["sleep#1"] });
      expect(await store.nextDue(-Infinity)).toBe(20);
    });

    test("one live hook per token: the second is refused by name, a freed token can be taken", async () => {
      await create("r1");
      await create("r2");
      const hook = {
        token: "t",
        key: "hook#0",
        webhook: true,
        createdAt: 5,
        url: "u",
        metadata: "[1]",
        respondWith: "manual",
      };
      await write("r1", { openHooks: [hook] });
      expect(await store.hook("t")).toEqual({ ...hook, runId: "r1" });
      expect(await store.hooks("r1")).toHaveLength(1);
      expect(await store.hooks()).toHaveLength(1);
      await expect(write("r2", { openHooks: [hook] })).rejects.toMatchObject({
        code: "HOOK_TAKEN",
        owner: "r1",
        token: "t",
      });
      await write("r2", { closeHooks: ["t"] });
      expect(await store.hook("t")).toBeDefined();
      await write("r1", { closeHooks: ["t"] });
      await write("r2", { openHooks: [hook] });
      expect((await store.hook("t"))?.runId).toBe("r2");
    });

    test("idempotency keys are remembered with the hook and go with it", async () => {
      await create("r1");
      const hook = { token: "t", key: "hook#0", webhook: true, createdAt: 5 };
      await write("r1", { openHooks: [hook], deliveries: [{ token: "t", idempotencyKey: "k" }] });
      expect(await store.delivered("t", "k")).toBe(true);
      expect(await store.delivered("t", "other")).toBe(false);
      await write("r1", { closeHooks: ["t"] });
      expect(await store.delivered("t", "k")).toBe(false);
    });

    test("questions are listed oldest first, in the order of their numbers", async () => {
      await create("r1");
      const question = (n: number) => ({
        requestId: `r1-ask-${n}`,
        key: `ask#${n}`,
        request: "{}",
        createdAt: 7,
      });
      await write("r1", { openQuestions: [question(10), question(2)] });
      expect((await store.questions("r1")).map((one) => one.requestId)).toEqual(["r1-ask-2", "r1-ask-10"]);
      expect(await store.questions()).toHaveLength(2);
      await write("r1", { closeQuestions: ["r1-ask-2"] });
      expect(await store.question("r1-ask-2")).toBeUndefined();
      expect(await store.question("r1-ask-10")).toMatchObject({ runId: "r1", key: "ask#10" });
    });

    test("the end of a run takes its timers, hooks, keys and questions along, and nobody else's", async () => {
      await create("r1");
      await create("r2");
      for (const runId of ["r1", "r2"]) {
        await write(runId, {
          setTimers: [{ key: "sleep#0", dueAt: 10 }],
          openHooks: [{ token: `t-${runId}`, key: "hook#0", webhook: false, createdAt: 1 }],
          deliveries: [{ token: `t-${runId}`, idempotencyKey: "k" }],
          openQuestions: [{ requestId: `${runId}-ask-0`, key: "ask#0", request: "{}", createdAt: 1 }],
        });
      }
      await write("r1", { status: "cancelled", endedAt: 5 });
      expect(await store.dueTimers(99, 9)).toEqual([{ runId: "r2", key: "sleep#0", dueAt: 10 }]);
      expect((await store.hooks()).map((hook) => hook.runId)).toEqual(["r2"]);
      expect((await store.questions()).map((one) => one.runId)).toEqual(["r2"]);
      expect(await store.delivered("t-r1", "k")).toBe(false);
      expect(await store.delivered("t-r2", "k")).toBe(true);
    });

    test("messages wait for their target in order until it acknowledges them", async () => {
      await create("r1");
      const message = (n: number, target = "s") =>
        ({ id: `r1:${n}`, target, runId: "r1", kind: "progress", body: `${n}` }) as const;
      await write("r1", { outbox: [message(1), message(2)] });
      await write("r1", { outbox: [message(3), message(4, "other")] });
      const first = await store.messages("s", 2);
      expect(first.map((one) => one.body)).toEqual(["1", "2"]);
      store = await opened.reopen();
      expect((await store.messages("s", 9)).map((one) => one.id)).toEqual(["r1:1", "r1:2", "r1:3"]);
      await store.acknowledge("s", first[1]?.position ?? 0);
      expect((await store.messages("s", 9)).map((one) => one.body)).toEqual(["3"]);
      expect(await store.messages("other", 9)).toHaveLength(1);
    });

    test("stream chunks are read from any index; a repeated index is refused", async () => {
      await create("r1");
      const chunk = (index: number, stream = "") => ({ stream, index, value: `${index}` });
      await write("r1", { chunks: [chunk(0), chunk(1), chunk(0, "log")] });
      await write("r1", { chunks: [chunk(2)], closeStreams: [""] });
      expect((await store.chunks("r1", "", 1, 10)).map((one) => one.index)).toEqual([1, 2]);
      expect(await store.chunks("r1", "", 0, 1)).toEqual([chunk(0)]);
      expect(await store.streamState("r1", "")).toEqual({ length: 3, closed: true });
      expect(await store.streamState("r1", "log")).toEqual({ length: 1, closed: false });
      await expect(write("r1", { chunks: [chunk(2)] })).rejects.toThrow(/./);
    });

    test("builds that unfinished runs need are known", async () => {
      await create("r1", { buildId: "b2" });
      await create("r2", { buildId: "b1" });
      expect(await store.buildsInUse()).toEqual(["b1", "b2"]);
      await write("r2", { status: "failed", endedAt: 5 });
      expect(await store.buildsInUse()).toEqual(["b2"]);
    });

    test("a closed store says so", async () => {
      await store.close();
      await expect(async () => store.commit([])).rejects.toMatchObject({ code: "STORE_CLOSED" });
      await expect(store.claim("r1")).rejects.toMatchObject({ code: "STORE_CLOSED" });
    });
  });
}
