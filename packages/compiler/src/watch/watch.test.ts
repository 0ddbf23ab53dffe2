import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { SDK, testApp, toolText } from "../testing/app.js";
import { watch, type WatchEvent, type Watcher } from "./index.js";

let watcher: Watcher | undefined;
afterEach(async () => {
  await watcher?.close();
  watcher = undefined;
});

/** Collects what a watcher tells; `next` waits for one more event. */
async function watching(root: string): Promise<{ events: WatchEvent[]; next: () => Promise<WatchEvent> }> {
  const events: WatchEvent[] = [];
  let read = 0;
  let wake: (() => void) | undefined;
  watcher = watch({ root, sdk: SDK, evaluate: false }, (event) => {
    events.push(event);
    wake?.();
  });
  const next = async (): Promise<WatchEvent> => {
    while (read === events.length) await new Promise<void>((resolve) => (wake = resolve));
    return events[read++] as WatchEvent;
  };
  await watcher.ready;
  return { events, next };
}

const codes = (event: WatchEvent): string[] =>
  event.kind === "built" ? event.result.diagnostics.map(({ code }) => code) : [String(event.error)];
const steps = (event: WatchEvent): string[] =>
  event.kind === "built" ? Object.keys(event.result.manifest.steps) : [];

it("follows edits, new files and deletions, and rests otherwise", async () => {
  const step = (name: string, word: string): string =>
    `import { helper } from "./helper";\nexport async function ${name}() { "use step"; return helper("${word}"); }\n`;
  const root = testApp({
    "agent/tools/a.ts": toolText("return await act();", { head: 'import { act } from "../../lib/act";' }),
    "lib/act.ts": step("act", "one"),
    "lib/helper.ts": "export const helper = (s: string) => s;\n",
    "lib/unrelated.txt": "",
  });
  const { events, next } = await watching(root);
  expect(steps(await next())).toEqual(["step//./lib/act//act"]);

  writeFileSync(path.join(root, "lib/helper.ts"), "export const helper = (s: string) => `${s}!`;\n");
  expect(await next()).toMatchObject({
    result: { ok: true, written: expect.arrayContaining(["server.mjs"]) },
  });

  writeFileSync(path.join(root, "lib/helper.ts"), "export const helper = ;\n");
  expect(codes(await next())).toEqual(["EVE1000"]);
  writeFileSync(path.join(root, "lib/helper.ts"), "export const helper = (s: string) => `${s}?`;\n");
  expect(codes(await next())).toEqual([]);

  writeFileSync(
    path.join(root, "agent/tools/b.ts"),
    toolText("return await go();", { tail: 'async function go() { "use step"; }' }),
  );
  expect(steps(await next())).toEqual(["step//./agent/tools/b//go", "step//./lib/act//act"]);
  rmSync(path.join(root, "agent/tools/b.ts"));
  expect(steps(await next())).toEqual(["step//./lib/act//act"]);

  writeFileSync(
    path.join(root, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { paths: { $x: ["./lib/x.ts"] } } }),
  );
  expect(codes(await next())).toEqual([]);

  const before = events.length;
  writeFileSync(path.join(root, "lib/unrelated.txt"), "changed");
  writeFileSync(path.join(root, "lib/act.ts"), step("act", "one"));
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(events.length).toBe(before);
});

it("builds again when the file that an import wants appears", async () => {
  const root = testApp({
    "agent/tools/a.ts": toolText("return one;", { head: 'import { one } from "../../lib/deep/one";' }),
  });
  const { next } = await watching(root);
  expect(codes(await next())).toEqual(["EVE1201"]);
  const { mkdirSync } = await import("node:fs");
  mkdirSync(path.join(root, "lib/deep"), { recursive: true });
  writeFileSync(path.join(root, "lib/deep/one.ts"), "export const one = 1;\n");
  let event = await next();
  while (codes(event).length > 0) event = await next();
  expect(event.kind).toBe("built");
});

it("tells when the agent is gone, and goes on when it is back", async () => {
  const root = testApp({ "agent/tools/a.ts": toolText("return 1;") });
  const { next } = await watching(root);
  expect((await next()).kind).toBe("built");
  rmSync(path.join(root, "agent"), { recursive: true });
  let event = await next();
  while (event.kind === "built") event = await next();
  expect(event.error).toMatchObject({ code: "NO_APP_ROOT" });
  const { mkdirSync } = await import("node:fs");
  mkdirSync(path.join(root, "agent/tools"), { recursive: true });
  writeFileSync(path.join(root, "agent/tools/a.ts"), toolText("return 2;"));
  do event = await next();
  while (event.kind !== "built" || Object.keys(event.result.manifest.tools).length === 0);
  expect(Object.keys(event.result.manifest.tools)).toEqual(["a"]);
});

it("watches each member of an agent workspace", async () => {
  const root = testApp({
    "agents/a/agent/tools/x.ts": toolText("return 1;"),
    "agents/b/agent/tools/y.ts": toolText("return 1;"),
  });
  rmSync(path.join(root, "agent"), { recursive: true });
  const { next } = await watching(root);
  const rootOf = (event: WatchEvent): string =>
    event.kind === "built" ? path.basename(event.result.root) : String(event.error);
  expect([rootOf(await next()), rootOf(await next())].sort()).toEqual(["a", "b"]);
  writeFileSync(path.join(root, "agents/b/agent/tools/y.ts"), toolText("return 2;"));
  expect(rootOf(await next())).toBe("b");
});
