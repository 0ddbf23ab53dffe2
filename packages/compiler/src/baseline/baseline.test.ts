import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { check } from "../build/index.js";
import { SDK, testApp, toolText } from "../testing/app.js";

it("hides known findings, whatever their lines, and only as many as are known", async () => {
  const root = testApp({ "agent/tools/a.ts": toolText("return [process.pid, Date.now()];") });
  const options = { root, sdk: SDK, evaluate: false };
  const file = path.join(root, "known.json");
  const first = await check({ ...options, writeBaseline: file });
  expect(first).toMatchObject({ ok: false, summary: { errors: 1, warnings: 1 } });
  expect(JSON.parse(readFileSync(file, "utf8")).findings).toMatchObject([
    { code: "EVE2002", file: "agent/tools/a.ts", count: 1 },
    { code: "EVE2005", file: "agent/tools/a.ts", count: 1 },
  ]);
  writeFileSync(path.join(root, "agent/tools/a.ts"), `\n\n${toolText("return [process.pid, Date.now()];")}`);
  expect(await check({ ...options, baseline: file })).toMatchObject({ ok: true, diagnostics: [], known: 2 });
  writeFileSync(path.join(root, "agent/tools/a.ts"), toolText("return [process.pid, process.pid, fetch];"));
  const more = await check({ ...options, baseline: "known.json" });
  expect(more.diagnostics.map(({ code }) => code)).toEqual(["EVE2002", "EVE2003"]);
});

it.each([
  ["missing.json", undefined],
  ["broken.json", "{"],
  ["other.json", '{"version":1,"findings":[{}]}'],
])("refuses %s", async (name, text) => {
  const root = testApp({
    "agent/tools/a.ts": toolText("return 1;"),
    ...(text === undefined ? {} : { [name]: text }),
  });
  await expect(check({ root, sdk: SDK, evaluate: false, baseline: name })).rejects.toMatchObject({
    code: "BAD_BASELINE",
  });
});
