import path from "node:path";
import { describe, expect, it } from "vitest";
import { moduleId } from "../ids/index.js";
import { temporaryFolder } from "../testing/temporary.js";
import { canonicalName, identify } from "./identity.js";
import { PackageIndex } from "./packages.js";

const pkg = (value: object): string => JSON.stringify(value);

describe("identify", () => {
  const at = (root: string, app: string, file: string): string =>
    moduleId(identify(path.join(root, file), path.join(root, app), new PackageIndex()));

  it("gives files of the app their path, whatever unnamed package.json lies between", () => {
    const root = temporaryFolder({
      "package.json": pkg({ name: "shop" }),
      "agent/package.json": pkg({ type: "module" }),
    });
    expect(at(root, ".", "agent/tools/deploy.ts")).toBe("./agent/tools/deploy");
  });

  it("names files of the package above the app root after that package", () => {
    const root = temporaryFolder({
      "package.json": pkg({ name: "kitchens" }),
      "agents/a/package.json": pkg({ name: "a" }),
    });
    expect(at(root, "agents/a", "lib/oven.ts")).toBe("kitchens/lib/oven@0.0.0");
    expect(at(root, "agents/b", "lib/oven.ts")).toBe("kitchens/lib/oven@0.0.0");
    expect(at(root, "agents/a", "agents/a/agent/tools/x.ts")).toBe("./agent/tools/x");
    expect(at(root, "agents/b", "agents/b/agent/tools/x.ts")).toBe("./agent/tools/x");
  });

  it.each([
    ["index.js", "stepkit@3.1.0"],
    ["fold.js", "stepkit/fold@3.1.0"],
    ["press.js", "stepkit/press@3.1.0"],
    ["src/x/deep.js", "stepkit/features/deep@3.1.0"],
    ["dist/flow.js", "stepkit/flow@3.1.0"],
    ["taken.js", "stepkit/taken.js@3.1.0"],
    ["taken-target.js", "stepkit/taken@3.1.0"],
  ])("finds the exports entry that leads to %s, whatever the conditions", (file, id) => {
    const root = temporaryFolder({
      "node_modules/stepkit/package.json": pkg({
        name: "stepkit",
        version: "3.1.0",
        exports: {
          ".": { import: "./index.js" },
          "./fold": "./fold.js",
          "./flow": { workflow: "./dist/flow.js", default: ["./dist/none.js"] },
          "./features/*": "./src/x/*.js",
          "./taken": "./taken-target.js",
        },
      }),
    });
    expect(at(root, ".", `node_modules/stepkit/${file}`)).toBe(id);
  });

  it.each([
    [{ main: "./lib/main.js" }, "lib/main.js"],
    [{ main: "lib" }, "lib/index.js"],
    [{ module: "esm.js" }, "esm.js"],
    [{}, "index.js"],
    [{ exports: "./only.js" }, "only.js"],
  ])("takes %j as the root of a package", (fields, file) => {
    const root = temporaryFolder({
      "node_modules/p/package.json": pkg({ name: "p", version: "1.0.0", ...fields }),
    });
    expect(at(root, ".", `node_modules/p/${file}`)).toBe("p@1.0.0");
  });
});

it("names inputs the same in every checkout", () => {
  const name = (root: string): string[] =>
    ["app/agent/x.ts", "packages/lib/src/a.ts", "node_modules/z/i.js", "sdk/dist/tools.js"].map((file) =>
      canonicalName(
        path.join(root, file),
        path.join(root, "app"),
        new PackageIndex(),
        path.join(root, "sdk"),
      ),
    );
  const files = {
    "app/package.json": pkg({ name: "app" }),
    "packages/lib/package.json": pkg({ name: "@mono/lib", version: "0.4.0" }),
    "node_modules/z/package.json": pkg({ name: "z", version: "2.0.0" }),
  };
  const names = name(temporaryFolder(files));
  expect(names).toEqual(["agent/x.ts", "@mono/lib@0.4.0/src/a.ts", "z@2.0.0/i.js", "eve:tools.js"]);
  expect(name(temporaryFolder(files))).toEqual(names);
});
