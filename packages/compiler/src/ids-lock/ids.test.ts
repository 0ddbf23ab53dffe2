import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { build, checkIds, lockIds } from "../build/index.js";
import { SDK, testApp, toolText } from "../testing/app.js";
import { compareIds } from "./index.js";

const act = (name: string): string =>
  toolText(`return await ${name}();`, { tail: `async function ${name}() { "use step"; }` });
const options = (root: string): Parameters<typeof lockIds>[0] => ({ root, sdk: SDK, evaluate: false });
const lockText = (root: string): string => readFileSync(path.join(root, "eve.ids.json"), "utf8");

describe("compareIds", () => {
  const lock = (steps: string[], aliases = {}): Parameters<typeof compareIds>[0] => ({
    version: 1,
    workflows: [],
    steps,
    aliases,
  });

  it("suggests the new id of the same module, else of the same name", () => {
    expect(compareIds(lock(["step//./a//x"]), ["step//./a//y", "step//./b//x"]).vanished).toEqual([
      { id: "step//./a//x", candidate: "step//./a//y" },
    ]);
    expect(compareIds(lock(["step//./a//x"]), ["step//./b//x", "workflow//./a//z"]).vanished).toEqual([
      { id: "step//./a//x", candidate: "step//./b//x" },
    ]);
    expect(compareIds(lock(["step//./a//x"]), ["step//./c//y"]).vanished).toEqual([{ id: "step//./a//x" }]);
  });

  it("accepts aliases that lead somewhere, and no others", () => {
    expect(compareIds(lock(["step//./a//x"], { "step//./a//x": "step//./a//y" }), ["step//./a//y"])).toEqual({
      vanished: [],
      added: ["step//./a//y"],
      brokenAliases: [],
    });
    const drift = compareIds(
      lock([], { "step//./a//x": "step//./a//gone", "step//./a//y": "step//./a//z" }),
      ["step//./a//y", "step//./a//z"],
    );
    expect(drift.brokenAliases.map(({ from, why }) => `${from} ${why}`)).toEqual([
      "step//./a//x no-target",
      "step//./a//y still-there",
    ]);
  });
});

describe("the lock file", () => {
  it("is written sorted, without versions, and keeps aliases that lead somewhere", async () => {
    const root = testApp({ "agent/tools/a.ts": act("one") });
    const locked = await lockIds(options(root));
    expect(locked.added).toEqual(["step//./agent/tools/a//one", "workflow//./agent/tools/a//execute"]);
    const lock = JSON.parse(lockText(root));
    lock.aliases = {
      "step//./agent/tools/a//old": "step//./agent/tools/a//one",
      "step//./x//y": "step//./gone//z",
    };
    writeFileSync(path.join(root, "eve.ids.json"), JSON.stringify(lock));
    expect(await lockIds(options(root))).toMatchObject({ ok: true, added: [], removed: [] });
    expect(JSON.parse(lockText(root))).toEqual({
      version: 1,
      workflows: ["workflow//./agent/tools/a//execute"],
      steps: ["step//./agent/tools/a//one"],
      aliases: { "step//./agent/tools/a//old": "step//./agent/tools/a//one" },
    });
  });

  it("makes a rename an error, with the alias to write, until it is written", async () => {
    const root = testApp({ "agent/tools/a.ts": act("one") });
    await lockIds(options(root));
    writeFileSync(path.join(root, "agent/tools/a.ts"), act("two"));
    const checked = await checkIds(options(root));
    expect(checked).toMatchObject({ ok: false, removed: ["step//./agent/tools/a//one"] });
    expect(checked.diagnostics).toMatchObject([
      {
        code: "EVE1104",
        file: "agent/tools/a.ts",
        line: 11,
        help: expect.stringContaining('"step//./agent/tools/a//two"'),
      },
    ]);
    expect(await build({ ...options(root), frozenIds: true })).toMatchObject({ ok: false, written: [] });
    expect(await build(options(root))).toMatchObject({ ok: true });

    const lock = JSON.parse(lockText(root));
    lock.aliases = { "step//./agent/tools/a//one": "step//./agent/tools/a//two" };
    writeFileSync(path.join(root, "eve.ids.json"), JSON.stringify(lock));
    expect(await checkIds(options(root))).toMatchObject({ ok: true });
    const built = await build({ ...options(root), frozenIds: true });
    expect(built.manifest.aliases).toEqual(lock.aliases);
  });

  it.each([
    ["{", "no lock file"],
    ["[]", '"version"'],
    ['{"version":2}', '"version"'],
    ['{"version":1,"steps":[1]}', '"steps"'],
    ['{"version":1,"aliases":{"a":1}}', '"aliases"'],
  ])("is refused when it holds %s", async (text, reason) => {
    const root = testApp({ "agent/tools/a.ts": act("one"), "eve.ids.json": text });
    await expect(checkIds(options(root))).rejects.toMatchObject({
      code: "BAD_IDS_LOCK",
      message: expect.stringContaining(reason),
    });
  });

  it("must be there to be checked", async () => {
    const root = testApp({ "agent/tools/a.ts": act("one") });
    await expect(checkIds(options(root))).rejects.toMatchObject({ code: "BAD_IDS_LOCK" });
  });
});
