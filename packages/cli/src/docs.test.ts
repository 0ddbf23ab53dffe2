// What the documentation shows is what happens: its files are files, its app compiles, its commands print that.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testApp } from "./testing/cli.js";
import { compiledApp, type CompiledApp } from "./testing/compiled.js";
import { blocksOf, commandsOf, holdsLines, isThere, pattern, root } from "./testing/documents.js";

const guide = path.join(root, "fixtures/guide");

/** The documents, and the folder that the titles of their code blocks start from. */
const DOCUMENTS = [
  { document: "README.md", base: root },
  { document: "docs/authoring.md", base: guide },
  { document: "docs/guide-running.md", base: guide },
];

const shown = DOCUMENTS.flatMap(({ document, base }) =>
  blocksOf(document).map((block) => ({ ...block, base })),
);
const files = shown.filter(({ language, title }) => title !== undefined || /^(ts|tsx|json)$/.test(language));

describe("files", () => {
  it.each(files)("$place shows $title as it is", ({ base, title, part, text, place }) => {
    expect(title, `${place} needs a title that names its file`).toBeDefined();
    const file = readFileSync(path.join(base, title ?? ""), "utf8");
    if (part) expect(holdsLines(file, text), `these lines aren't in ${title}:\n${text}`).toBe(true);
    else expect(text).toBe(file);
  });

  it("are many", () => expect(files.length).toBeGreaterThan(12));

  it.each(DOCUMENTS)("$document links to what exists", ({ document }) => {
    const text = readFileSync(path.join(root, document), "utf8");
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    const broken = targets.filter((target) => !/^https?:/.test(target) && !isThere(document, target));
    expect(broken).toEqual([]);
  });
});

it("the guide's app passes the type checker", async () => {
  const tsc = path.join(root, "node_modules/typescript/bin/tsc");
  expect(await shell(`"${process.execPath}" "${tsc}" -p "${guide}"`, root)).toEqual({ code: 0, text: "" });
}, 60_000);

/** Everything below a folder, except what a build left. */
function filesBelow(dir: string, below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(path.join(dir, below), { withFileTypes: true })) {
    const name = path.posix.join(below, entry.name);
    if (entry.isDirectory() && entry.name !== ".eve") Object.assign(found, filesBelow(dir, name));
    else if (entry.isFile()) found[name] = readFileSync(path.join(dir, name), "utf8");
  }
  return found;
}

describe("the guide's tools", () => {
  let app: CompiledApp & { dispose(): Promise<void> };
  beforeAll(async () => {
    app = await compiledApp(filesBelow(guide));
  });
  afterAll(() => app.dispose());

  /** What came of a call, after `then` happened. */
  async function outcome(tool: string, input: object, then?: (runId: string) => Promise<unknown>) {
    const runId = await app.call(tool, input);
    await then?.(runId);
    await app.clock.settle();
    return await app.result(runId);
  }
  async function answer(runId: string, reply: { optionId?: string; text?: string }) {
    const [question] = await app.engine.run(runId).questions();
    await app.engine.answer(runId, question?.requestId ?? "", reply);
  }
  const completed = (output: unknown) => ({ status: "completed", output });

  /** One expectation or several for each tool. */
  const TOOLS: Record<string, () => Promise<void>> = {
    async hello() {
      expect(await outcome("hello", { name: "Ada" }, () => app.clock.advance(2_000))).toEqual(
        completed({ greeting: `Hello Ada, from ${process.platform}` }),
      );
    },
    async charge() {
      const input = (orderId: string) => ({ orderId, cents: 500 });
      expect(await outcome("charge", input("o1"))).toEqual(
        completed({ paid: true, receipt: "o1: 500 cents, receipt 1" }),
      );
      expect(await outcome("charge", input("declined"))).toEqual(
        completed({ paid: false, reason: "The card was declined." }),
      );
      // 1 + 2 + 4 + 8 + 16 s
      const down = await app.call("charge", input("down"));
      await app.clock.advance(30_999);
      expect(await app.engine.run(down).status()).not.toBe("completed");
      await app.clock.advance(1);
      expect(await app.result(down)).toEqual(completed({ paid: false, reason: "gave up after 6 attempts" }));
      // A RetryableError counts from the machine's clock.
      app.clock.jump(Date.now() - app.clock.now());
      expect(await outcome("charge", input("busy"), () => app.clock.advance(120_000))).toEqual(
        completed({ paid: true, receipt: "busy: 500 cents, receipt 2" }),
      );
    },
    async refund() {
      const input = { orderId: "o1", cents: 500 };
      const refused = (reason: string) => completed({ refunded: false, reason });
      expect(await outcome("refund", input, (id) => answer(id, { optionId: "approve" }))).toEqual(
        completed({ refunded: true, receipt: "o1: 500 cents refunded" }),
      );
      expect(await outcome("refund", input, (id) => answer(id, { text: "not yet" }))).toEqual(
        refused("not yet"),
      );
      expect(await outcome("refund", input, (id) => answer(id, { optionId: "deny" }))).toEqual(
        refused("denied"),
      );
      expect(await outcome("refund", input, () => app.clock.advance(2 * 86_400_000))).toEqual(
        refused("nobody answered"),
      );
    },
    async await_payment() {
      const runId = await app.call("await_payment", { orderId: "o2", cents: 100 });
      await app.restart();
      expect(await outcome("record_payment", { orderId: "o2", cents: 40 })).toEqual(
        completed({ wokeUp: runId }),
      );
      expect(await outcome("record_payment", { orderId: "o2", cents: 70 })).toEqual(
        completed({ wokeUp: runId }),
      );
      expect(await app.result(runId)).toEqual(completed({ paid: 110 }));
      expect((await app.report(runId)).progress).toEqual([{ paid: 40, missing: 60 }]);
    },
    async record_payment() {
      const nobody = await outcome("record_payment", { orderId: "none", cents: 1 });
      expect(nobody).toMatchObject({ status: "failed", error: { name: "HookNotFoundError" } });
    },
    async render_video() {
      const runId = await app.call("render_video", { product: "mug" });
      const { token = "", url = "" } = (await app.report(runId)).waits[0] ?? {};
      const request = new Request(url, { method: "POST", body: '{ "status": "ok", "url": "https://v" }' });
      const response = await app.engine.resumeWebhook(token, request);
      expect(await response.json()).toEqual({ thanks: true });
      expect(await app.result(runId)).toEqual(completed({ url: "https://v" }));
    },
    async import_catalog() {
      const runId = await app.call("import_catalog", { pages: 23 });
      expect(await app.result(runId)).toEqual(completed({ products: 460 }));
      expect((await app.report(runId)).progress).toEqual([10, 20, 23].map((done) => ({ done, of: 23 })));
      const lines = (await outcome("import_log", { runId })) as { output: { lines: string[] } };
      expect(lines.output.lines).toHaveLength(23);
      expect(lines.output.lines).toContain("page 7: 20 products");
    },
    async import_log() {
      expect(await outcome("import_log", { runId: "wrun_none" })).toEqual(completed({ lines: [] }));
    },
    async export_report() {
      expect(await outcome("export_report", { year: 2025 })).toEqual(completed({ rows: 1_200 }));
      const runId = await app.call("export_report", { year: 1999 });
      await app.engine.cancel(runId);
      expect(await app.result(runId)).toEqual({ status: "cancelled" });
      expect(
        (await app.report(runId)).steps.map(({ id, status }) => [id.split("//").at(-1), status]),
      ).toEqual([
        ["submit", "completed"],
        ["waitFor", "failed"],
        ["remove", "completed"],
      ]);
    },
    async close_books() {
      expect(await outcome("close_books", { days: ["2026-01-01", "2026-01-02"] })).toEqual(
        completed(["2026-01-01: 42052 cents", "2026-01-02: 42054 cents"]),
      );
    },
    async delete_customer() {
      expect(await outcome("delete_customer", { customer: "ada", dryRun: true })).toEqual(
        completed({ rows: 7 }),
      );
    },
    async draft_offer() {
      // Sessions make its calls; here it only has to wait for the first.
      const runId = await app.call("draft_offer");
      expect(await app.engine.run(runId).status()).not.toBe("failed");
    },
  };

  it("all have an expectation", () => {
    const names = readdirSync(path.join(guide, "agent/tools")).map((file) => path.basename(file, ".ts"));
    expect(names.toSorted()).toEqual(Object.keys(TOOLS).toSorted());
  });
  it.each(Object.entries(TOOLS))("%s", async (_name, check) => await check());
});

interface Spoken {
  code: number | null;
  text: string;
}

/** Runs a command line; standard output and error as they came, like on a terminal. */
function shell(command: string, cwd: string, env: Record<string, string> = {}): Promise<Spoken> {
  const child = spawn(`{ ${command}\n} 2>&1`, {
    shell: true,
    cwd,
    env: { ...process.env, NO_COLOR: "1", ...env },
  });
  child.stdin?.end();
  let text = "";
  child.stdout?.on("data", (data: Buffer) => (text += data.toString()));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, text }));
  });
}

/** The lines of `sh` blocks that call eve, without their comments. */
const calls = shown
  .filter(({ language }) => language === "sh")
  .flatMap(({ text, place }) =>
    [...text.matchAll(/^eve (.+?)( +#.*)?$/gm)].map(([, words = ""]) => ({ place, words })),
  );

const withCommands = DOCUMENTS.filter(({ document }) =>
  blocksOf(document).some(({ language }) => language === "console"),
);

describe("commands", () => {
  it.each(calls)("$place: eve $words is a command with these options", async ({ words }) => {
    const names = words.split(" ").filter((word, index) => /^[a-z]+$/.test(word) && index < 2);
    const { code, text } = await shell(`"${process.execPath}" bin/eve.js ${names.join(" ")} --help`, root);
    expect(code).toBe(0);
    const usage = /Usage: eve ((?:[a-z]+ )*)/.exec(text)?.[1]?.trim() ?? "";
    expect(names.join(" ").startsWith(usage) && usage !== "", `${words} is understood as "${usage}"`).toBe(
      true,
    );
    for (const [option] of words.matchAll(/--[a-z-]+/g)) expect(text).toContain(option);
  });

  it.each(withCommands)(
    "of $document print what it shows",
    async ({ document }) => {
      const app = testApp("guide");
      const bin = path.join(app.dir, "node_modules/.bin");
      mkdirSync(bin);
      writeFileSync(
        path.join(bin, "eve"),
        `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, "bin/eve.js")}" "$@"\n`,
        { mode: 0o755 },
      );
      const env = { PATH: `${bin}${path.delimiter}${process.env["PATH"] ?? ""}` };
      let runId = "";
      for (const block of blocksOf(document).filter(({ language }) => language === "console")) {
        for (const { command, output } of commandsOf(block)) {
          const { text } = await shell(command.replace(/wrun_\w*…/, runId), app.dir, env);
          expect(text.trimEnd(), `${block.place}: ${command}`).toMatch(pattern(output));
          runId = /wrun_\w+/.exec(text)?.[0] ?? runId;
        }
      }
    },
    120_000,
  );
});
