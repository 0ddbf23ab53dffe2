import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { check, type CheckOptions } from "../build/index.js";
import type { Diagnostic } from "../types.js";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));
const root = path.join(repository, "fixtures", "rules");
const names = readdirSync(root)
  .filter((name) => name.startsWith("EVE"))
  .sort();
const scratch = mkdtempSync(path.join(tmpdir(), "eve-rules-"));
mkdirSync(path.join(scratch, "node_modules"));
symlinkSync(path.join(repository, "node_modules", "zod"), path.join(scratch, "node_modules", "zod"));

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.each(names)("%s", (name) => {
  const folder = path.join(root, name);
  const code = name.slice(0, 7);

  test("the bad example has the expected findings", async () => {
    const found = await checkExample(folder, "bad");
    expect(found.map((finding) => finding.code)).toContain(code);
    await expect(found.map(format).join("\n") + "\n").toMatchFileSnapshot(path.join(folder, "expect.txt"));
  });

  test("the good example has none", async () => {
    const found = await checkExample(folder, "good");
    expect(found.map(format)).toEqual([]);
  });
});

/** Checks one example as an application of its own, with the agent that all of them share. */
async function checkExample(folder: string, kind: "bad" | "good"): Promise<Diagnostic[]> {
  const app = path.join(scratch, path.basename(folder), kind);
  cpSync(path.join(root, "_skeleton"), app, { recursive: true });
  cpSync(path.join(folder, kind), app, { recursive: true });
  const packages = path.join(app, "node_modules__");
  // Kept under another name, so that ignore rules don't lose it.
  if (existsSync(packages)) renameSync(packages, path.join(app, "node_modules"));
  const optionsFile = path.join(folder, "options.json");
  const options = existsSync(optionsFile)
    ? (JSON.parse(readFileSync(optionsFile, "utf8")) as Partial<CheckOptions>)
    : {};
  const result = await check({
    root: app,
    evaluate: false,
    cache: false,
    sdk: { dir: path.join(repository, "packages", "eve") },
    ...options,
  });
  return result.diagnostics;
}

function format(finding: Diagnostic): string {
  const { file, line, column, endLine, endColumn, severity, code, message, notes, help } = finding;
  return [
    `${file}:${line}:${column}-${endLine}:${endColumn} ${severity} ${code}: ${message}`,
    ...notes.map(
      (note) =>
        `  note: ${note.message}${note.file === undefined ? "" : ` (${note.file}:${note.line}:${note.column})`}`,
    ),
    ...(help === undefined ? [] : [`  help: ${help}`]),
  ].join("\n");
}
