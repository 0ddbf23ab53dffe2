import { describe, expect, test } from "vitest";
import { host, HOUR, useScenario } from "../testing/scenario.js";

const scenario = useScenario();

describe("hooks", () => {
  test("a payload from a step of another run resumes a parked run, over a restart", async () => {
    await scenario.open(
      {
        w: `async () => { const hook = createHook({ token: "order-1", metadata: { kind: "order" } }); return (await hook).total; }`,
        other: `async () => await step("resume")()`,
      },
      {
        resume: async () => {
          const info = await host().getHookByToken("order-1");
          await host().resumeHook("order-1", { total: 7n });
          return info;
        },
      },
    );
    const runId = await scenario.run();
    await scenario.harness.restart();
    const other = await scenario.harness.engine.startRun({ workflowId: "other", args: [] });
    expect(await scenario.result(other)).toEqual({
      status: "completed",
      output: {
        token: "order-1",
        runId,
        hookId: `${runId}/hook#0`,
        isWebhook: false,
        metadata: { kind: "order" },
      },
    });
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: 7n });
    await expect(scenario.harness.engine.resumeHook("order-1", 1)).rejects.toMatchObject({
      code: "HOOK_NOT_FOUND",
    });
  });

  test("many payloads, in the order in which they were acknowledged", async () => {
    await scenario.open({
      w: `async () => {
        const got = [];
        for await (const item of createHook({ token: "t" })) { got.push(item); if (got.length === 3) break; }
        return got;
      }`,
    });
    const runId = await scenario.run();
    await scenario.harness.engine.resumeHook("t", 1);
    await scenario.harness.restart();
    await scenario.harness.engine.resumeHook("t", 2);
    await scenario.harness.engine.resumeHook("t", 3);
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: [1, 2, 3] });
  });

  test("one live hook per token: getConflict() names the owner, also when it isn't in memory", async () => {
    await scenario.open({
      w: `async () => {
        const hook = createHook({ token: "t" });
        const conflict = await hook.getConflict();
        if (conflict) {
          let error;
          try { await hook; } catch (caught) { error = caught.name; }
          return { owner: conflict.runId, error };
        }
        return await hook;
      }`,
    });
    const first = await scenario.run();
    const second = await scenario.run();
    expect(await scenario.result(second)).toEqual({
      status: "completed",
      output: { owner: first, error: "HookConflictError" },
    });
    await scenario.harness.restart();
    expect(scenario.harness.engine.hotRuns).toBe(0);
    const third = await scenario.run();
    expect(await scenario.result(third)).toMatchObject({ output: { owner: first } });
    await scenario.harness.engine.resumeHook("t", "payload");
    expect(await scenario.result(first)).toEqual({ status: "completed", output: "payload" });
    expect(scenario.harness.problems).toEqual([]);
  });

  test("a disposed hook frees its token at once", async () => {
    await scenario.open({
      w: `async () => {
        const one = createHook({ token: "t" });
        one.dispose();
        const two = createHook({ token: "t" });
        return [await two.getConflict(), await two];
      }`,
    });
    const runId = await scenario.run();
    await scenario.harness.engine.resumeHook("t", "second");
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: [null, "second"] });
  });

  test("racing one pending hook against deadlines several times works", async () => {
    await scenario.open({
      w: `async () => {
        const hook = createHook({ token: "t" });
        const seen = [];
        for (let i = 0; i < 3; i++) seen.push((await Promise.race([hook, sleep("1h")])) ?? "timeout");
        return seen;
      }`,
    });
    const runId = await scenario.run();
    await scenario.harness.clock.advance(2 * HOUR);
    await scenario.harness.restart();
    await scenario.harness.engine.resumeHook("t", "finally");
    expect(await scenario.result(runId)).toEqual({
      status: "completed",
      output: ["timeout", "timeout", "finally"],
    });
  });

  test("calls without a run, a token or a list of arguments say what they take", async () => {
    await scenario.open({ w: `async () => 1` });
    const { engine } = scenario.harness;
    const none = undefined as never;
    const calls: [call: () => unknown, says: string][] = [
      [() => host().getRun(none), "getRun() takes a run's id, a non-empty text; it got undefined."],
      [() => engine.run(""), 'run() takes a run\'s id, a non-empty text; it got "".'],
      [() => host().start(none, []), "start() takes a workflow's id, a non-empty text; it got undefined."],
      [
        () => host().start("w", "ab" as never),
        'start() takes the workflow\'s arguments as a list; it got "ab".',
      ],
      [
        () => engine.resumeHook(none, 1),
        "resumeHook() takes a hook's token, a non-empty text; it got undefined.",
      ],
      [
        () => host().getHookByToken(none),
        "getHookByToken() takes a hook's token, a non-empty text; it got undefined.",
      ],
      [
        () => engine.resumeWebhook("t", {} as never),
        "resumeWebhook() takes a Request as its second argument.",
      ],
    ];
    for (const [call, says] of calls)
      await expect((async () => await call())(), says).rejects.toThrow(new TypeError(says));
  });

  test("a payload that can't be carried is refused, and the hook stays open", async () => {
    await scenario.open({ w: `async () => await createHook({ token: "t" })` });
    const runId = await scenario.run();
    await expect(scenario.harness.engine.resumeHook("t", { f: () => 1 })).rejects.toThrow(
      "payload.f is a function",
    );
    await scenario.harness.engine.resumeHook("t", "fine");
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: "fine" });
  });
});
