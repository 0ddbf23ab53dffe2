import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { analyseModule } from "../analysis/index.js";
import { emitModule } from "../transform/index.js";
import {
  foreignCharacters,
  functionId,
  moduleId,
  normalisePath,
  parseId,
  relativePath,
  unversionedId,
  withoutExtension,
} from "./index.js";

const windows = JSON.parse(
  readFileSync(new URL("../../../../fixtures/ids/windows-paths.json", import.meta.url), "utf8"),
) as { ids: string[]; pairs: { root: string; file: string }[]; source: string };

describe("a module's path in its ids", () => {
  test.each(windows.pairs)("$file below $root", ({ root, file }) => {
    const path = relativePath(root, file);
    const module = moduleId({ kind: "app", path });
    const analysis = analyseModule(windows.source, { file: path, role: "tool" });
    expect(analysis.directives.map((fn) => functionId(fn.kind, module, fn.name))).toEqual(windows.ids);
    for (const mode of ["workflow", "step"] as const) {
      const { code } = emitModule(windows.source, analysis, { mode, moduleId: module });
      for (const id of windows.ids) expect(code).toContain(JSON.stringify(id));
      expect(code.replaceAll('\\"', "")).not.toMatch(/\\|[A-Za-z]:\//);
    }
  });

  test("leads above the root with ..", () => {
    expect(relativePath("/work/shop", "/work/lib/oven.ts")).toBe("../lib/oven.ts");
  });

  test("doesn't exist across volumes", () => {
    expect(() => relativePath("C:\\work", "D:\\work\\a.ts")).toThrow(RangeError);
    expect(() => relativePath("\\\\srv\\a", "\\\\srv\\b\\x.ts")).toThrow(/same volume/);
  });

  test("tells files from folders whose names differ in case", () => {
    expect(relativePath("/work/Shop", "/work/shop/a.ts")).toBe("../shop/a.ts");
  });
});

test.each([
  ["a/b.ts", "a/b"],
  ["a/b.mts", "a/b"],
  ["a/b.cjs", "a/b"],
  ["a/b.tsx", "a/b"],
  ["a/b.test.ts", "a/b.test"],
  ["a.ts/b", "a.ts/b"],
  ["a/b.json", "a/b.json"],
])("the extension of %s goes", (path, expected) => {
  expect(withoutExtension(path)).toBe(expected);
});

test.each([
  ["/a/./b/../c/", "/a/c"],
  ["../a/../../b", "../../b"],
  ["c:\\a\\..\\..\\b", "C:/b"],
  ["//srv/share//x", "//srv/share/x"],
  ["", "."],
])("%s is normalised to %s", (path, expected) => {
  expect(normalisePath(path)).toBe(expected);
});

test("identities become the module part", () => {
  const name = "stepkit";
  expect(moduleId({ kind: "app", path: "agent/tools/deploy.ts" })).toBe("./agent/tools/deploy");
  expect(moduleId({ kind: "package", name, version: "3.1.0", path: "press.js" })).toBe("stepkit/press@3.1.0");
  expect(moduleId({ kind: "package", name, version: "3.1.0", subpath: "fold", path: "dist/f.js" })).toBe(
    "stepkit/fold@3.1.0",
  );
  expect(moduleId({ kind: "package", name: "@a/b", subpath: "", path: "index.js" })).toBe("@a/b@0.0.0");
  expect(moduleId({ kind: "package", name: "@a/b", version: "", path: "lib\\x.ts" })).toBe(
    "@a/b/lib/x@0.0.0",
  );
  expect(moduleId({ kind: "eve" })).toBe("eve");
});

test("ids are taken apart and compared without versions", () => {
  expect(parseId("step//@a/b/lib/x@1.0.0//run")).toEqual({
    kind: "step",
    module: "@a/b/lib/x@1.0.0",
    name: "run",
  });
  expect(parseId("task//./a//run")).toBeUndefined();
  expect(unversionedId("step//@a/b/lib/x@1.0.0-rc.1+build//run")).toBe("step//@a/b/lib/x//run");
  expect(unversionedId("step//@a/b@1.0.0//run")).toBe("step//@a/b//run");
  expect(unversionedId("step//./lib/a@2x//run")).toBe("step//./lib/a@2x//run");
  expect(unversionedId("step//eve//sleep")).toBe("step//eve//sleep");
});

test("characters that @workflow/core refuses", () => {
  expect(foreignCharacters("workflow//./agent/(group)/[id]@x//run_1")).toEqual([]);
  expect(foreignCharacters("workflow//./café $//é")).toEqual([" ", "$", "é"]);
});
