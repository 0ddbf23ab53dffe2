import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { appWith, testApp, toolSource, type TestApp } from "./testing/cli.js";

const RENDER = toolSource(
  "const done = createWebhook(); await tell(done.url); const request = await done; return { got: await request.text() };",
  'async function tell(url: string) {\n  "use step";\n  console.log("webhook at " + url);\n}',
);

async function runs(app: TestApp): Promise<{ runId: string; status: string }[]> {
  return JSON.parse((await app.eve(["runs", "list", "--json"])).stdout) as {
    runId: string;
    status: string;
  }[];
}

/** Starts a server on a free port and gives its address. */
async function serve(app: TestApp) {
  const server = app.start(["start", "--port", "0"]);
  await server.says(/serving http:\/\/127\.0\.0\.1:\d+/);
  const { url } = JSON.parse(readFileSync(path.join(app.dir, ".eve/data/lock.json"), "utf8")) as {
    url: string;
  };
  return { ...server, url };
}

it("eve run listens from the moment a webhook exists, on the address it gave away", async () => {
  const app = testApp(appWith({ render: RENDER }));
  const { child, says, ended } = app.start(["run", "render", "--json"]);
  await says(/waits on webhook http/);
  const [run] = await runs(app);
  const shown = JSON.parse((await app.eve(["runs", "show", run?.runId ?? "", "--json"])).stdout) as {
    waits: { url: string }[];
  };
  const url = shown.waits[0]?.url ?? "";
  const response = await fetch(url, { method: "POST", body: "frames" });
  expect(response.status).toBe(202);
  const { code, stdout } = await ended;
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: "completed", output: { got: "frames" } }]);
  child.kill();
});

it("a webhook keeps its address over kill -9 and --resume", async () => {
  const app = testApp(appWith({ render: RENDER }));
  const first = app.start(["run", "render"]);
  await first.says(/waits on webhook http/);
  first.child.kill("SIGKILL");
  await first.ended;
  const [run] = await runs(app);
  const { waits } = JSON.parse((await app.eve(["runs", "show", run?.runId ?? "", "--json"])).stdout) as {
    waits: { url: string }[];
  };
  const second = app.start(["run", "--resume", run?.runId ?? "", "--json"]);
  const url = waits[0]?.url ?? "";
  await expect
    .poll(
      () =>
        fetch(new URL("/eve/v1/health", url)).then(
          (r) => r.status,
          () => 0,
        ),
      { timeout: 10_000 },
    )
    .toBe(200);
  expect((await fetch(url, { method: "POST", body: "late" })).status).toBe(202);
  expect(JSON.parse((await second.ended).stdout)).toMatchObject({
    status: "completed",
    output: { got: "late" },
  });
});

it("eve start answers webhooks, takes answers of other commands, and ends on a signal", async () => {
  const app = testApp("deploy-agent");
  const waiting = JSON.parse(
    (await app.eve(["run", "deploy", "--input", '{"service":"api"}', "--json"])).stdout,
  ) as { runId: string };
  const server = await serve(app);
  const answered = await app.eve(["runs", "answer", waiting.runId, "approve"]);
  expect(answered).toMatchObject({ code: 0 });
  await expect.poll(async () => (await runs(app))[0]?.status, { timeout: 10_000 }).toBe("completed");
  expect(await app.eve(["runs", "cancel", waiting.runId])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("has ended (completed)"),
  });
  const unknown = await fetch(`${server.url}/.well-known/workflow/v1/webhook/none`, { method: "POST" });
  expect([unknown.status, await unknown.text()]).toEqual([
    404,
    '{"error":"Webhook not pending.","ok":false}',
  ]);
  expect((await fetch(`${server.url}/eve/v1/runs`)).status).toBe(401);
  await server.says(new RegExp(`✓ \\d{4}-\\S+Z run ${waiting.runId} \\(deploy\\) completed after `));
  server.child.kill("SIGTERM");
  expect((await server.ended).code).toBe(0);
});

it("eve start says how runs ended, and of a failure only where its reason is", async () => {
  const steps =
    'async function broken() {\n  "use step";\n  throw new Error("the key is hunter2");\n}\nbroken.maxRetries = 0;';
  const app = testApp(
    appWith({ fails: toolSource('await ctx.ask({ prompt: "Go?" }); await broken();', steps) }),
  );
  const { runId } = JSON.parse((await app.eve(["run", "fails", "--json"])).stdout) as { runId: string };
  const server = await serve(app);
  await app.eve(["runs", "answer", runId, "yes"]);
  await server.says(
    new RegExp(`✗ .* run ${runId} \\(fails\\) failed after .*; eve runs show ${runId} tells why`),
  );
  server.child.kill("SIGTERM");
  const { stdout, stderr } = await server.ended;
  expect(stdout + stderr).not.toContain("hunter2");
});

it("eve start goes on when nobody reads its output any more", async () => {
  const app = testApp(
    appWith({
      asks: toolSource(
        'console.log("hi"); await ctx.ask({ prompt: "Go?" }); console.log("on"); await ctx.ask({ prompt: "Sure?" });',
      ),
    }),
  );
  const { runId } = JSON.parse((await app.eve(["run", "asks", "--json"])).stdout) as { runId: string };
  const server = await serve(app);
  server.child.stdout?.destroy();
  server.child.stderr?.destroy();
  for (const answer of ["yes", "sure"])
    expect(await app.eve(["runs", "answer", runId, answer])).toMatchObject({ code: 0 });
  expect((await runs(app))[0]?.status).toBe("completed");
  expect((await fetch(`${server.url}/eve/v1/health`)).status).toBe(200);
  server.child.kill("SIGTERM");
  expect((await server.ended).code).toBe(0);
});

it("cancels a waiting run", async () => {
  const app = testApp(appWith({ asks: toolSource('return await ctx.ask({ prompt: "Go?" });') }));
  const { runId } = JSON.parse((await app.eve(["run", "asks", "--json"])).stdout) as { runId: string };
  expect(await app.eve(["runs", "cancel", runId, "--reason", "not today"])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("is cancelled"),
  });
  expect((await app.eve(["runs", "show", runId])).stdout).toContain("not today");
});

it("refuses to listen beyond loopback, and bad ports", async () => {
  const app = testApp("deploy-agent");
  await app.eve(["build"]);
  expect(await app.eve(["start", "--host", "0.0.0.0"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("EVE_PUBLIC_URL"),
  });
  expect(await app.eve(["start", "--port", "web"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("0 to 65535"),
  });
});

it("replays recorded runs against the present build, also from an exported log", async () => {
  const app = testApp(
    appWith({ two: toolSource('await a(); return await ctx.ask({ prompt: "Go?" });', STEPS) }),
  );
  const { runId } = JSON.parse((await app.eve(["run", "two", "--json", "--answer", "yes"])).stdout) as {
    runId: string;
  };
  const exported = (await app.eve(["runs", "export", runId])).stdout;
  writeFileSync(path.join(app.dir, "run.json"), exported);
  for (const args of [[runId], ["--from", "run.json"]]) {
    const { code, stdout } = await app.eve(["replay", ...args, "--json"]);
    expect([code, JSON.parse(stdout)]).toEqual([0, { status: "identical", runId }]);
  }
  writeFileSync(
    path.join(app.dir, "agent/tools/two.ts"),
    toolSource('await b(); return await ctx.ask({ prompt: "Go?" });', STEPS),
  );
  await app.eve(["build"]);
  const { code, stdout } = await app.eve(["replay", "--from", "run.json", "--json"]);
  expect([code, JSON.parse(stdout)]).toMatchObject([
    1,
    {
      status: "diverged",
      at: { now: expect.objectContaining({ at: expect.stringMatching(/agent\/tools\/two\.ts:\d+/) }) },
    },
  ]);
  expect((await app.eve(["replay", "--all"])).stdout).toMatch(/✗ wrun_\w+ diverged/);
  expect(await app.eve(["replay"])).toMatchObject({ code: 2 });
  writeFileSync(path.join(app.dir, "run.json"), "{}");
  expect(await app.eve(["replay", "--from", "run.json"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no exported run"),
  });
});

const STEPS = `
async function a() {
  "use step";
  return 1;
}
async function b() {
  "use step";
  return 2;
}
`;
