import path from "node:path";
import { describe, expect, it } from "vitest";
import { CompilerError } from "../build/compiler-error.js";
import { temporaryFolder } from "../testing/temporary.js";
import { discover, findRoot, workspaceMembers } from "./index.js";

describe("discover", () => {
  it("lists the files of an agent and its subagents, sorted, without tests and other folders", () => {
    const root = temporaryFolder({
      "agent/agent.ts": "",
      "agent/instructions.md": "Be brief.",
      "agent/tools/b.ts": "",
      "agent/tools/a/deep.mjs": "",
      "agent/tools/a.test.ts": "",
      "agent/tools/types.d.ts": "",
      "agent/tools/__tests__/x.ts": "",
      "agent/tools/.hidden/x.ts": "",
      "agent/tools/node_modules/x.ts": "",
      "agent/tools/README.md": "",
      "agent/channels/web.ts": "",
      "agent/schedules/nightly.ts": "",
      "agent/subagents/critic/agent.ts": "",
      "agent/subagents/critic/instructions.ts": "",
      "agent/subagents/critic/tools/judge.ts": "",
    });
    const { agent, layout, problems } = discover(root);
    expect(layout).toBe("nested");
    expect(problems).toEqual([]);
    expect(agent.tools).toEqual([
      { name: "a-deep", file: path.join(root, "agent/tools/a/deep.mjs") },
      { name: "b", file: path.join(root, "agent/tools/b.ts") },
    ]);
    expect(agent.instructions).toEqual({ file: path.join(root, "agent/instructions.md"), kind: "text" });
    expect([agent.channels[0]?.name, agent.schedules[0]?.name]).toEqual(["web", "nightly"]);
    expect(
      agent.subagents.map(({ name, tools, instructions }) => [name, tools[0]?.name, instructions?.kind]),
    ).toEqual([["critic", "judge", "module"]]);
  });

  it("accepts the flat layout", () => {
    const root = temporaryFolder({ "agent.ts": "", "tools/ping.ts": "" });
    expect(discover(root)).toMatchObject({ layout: "flat", agent: { tools: [{ name: "ping" }] } });
  });

  it.each([
    ["agent/tools/2fa.ts", "illegal"],
    ["agent/tools/with space.ts", "illegal"],
    [`agent/tools/${"x".repeat(65)}.ts`, "illegal"],
    ["agent/tools/eve__wait.ts", "reserved"],
    ["agent/subagents/agent/agent.ts", "reserved"],
  ])("reports the name of %s", (file, kind) => {
    const { problems } = discover(temporaryFolder({ "agent/agent.ts": "", [file]: "" }));
    expect(problems.map((problem) => problem.kind)).toEqual([kind]);
  });

  it("reports two files with one name, and keeps the first", () => {
    const root = temporaryFolder({ "agent/tools/a/b.ts": "", "agent/tools/a-b.ts": "" });
    const { agent, problems } = discover(root);
    expect(agent.tools).toHaveLength(1);
    expect(problems).toMatchObject([
      { kind: "taken", name: "a-b", other: path.join(root, "agent/tools/a/b.ts") },
    ]);
  });

  it("says what is missing where there is no agent", () => {
    expect(() => discover(temporaryFolder({ "package.json": "{}" }))).toThrow(CompilerError);
    expect(() => discover("/no/such/folder")).toThrow(/no folder/);
  });
});

describe("findRoot", () => {
  it("walks up to the folder that holds agent/, agents/<name>/agent or an output", () => {
    const root = temporaryFolder({
      "agent/tools/deep/x.ts": "",
      "built/.eve/output/build.json": "{}",
      "built/sub/x": "",
      "many/agents/kitchen/agent/agent.ts": "",
      "many/lib/x.ts": "",
    });
    expect(findRoot(path.join(root, "agent/tools/deep"))).toBe(root);
    expect(findRoot(path.join(root, "built/sub"))).toBe(path.join(root, "built"));
    expect(findRoot(path.join(root, "many/lib"))).toBe(path.join(root, "many"));
    expect(workspaceMembers(path.join(root, "many"))).toEqual([path.join(root, "many/agents/kitchen")]);
  });

  it("fails with a stable code and the next action", () => {
    const dir = temporaryFolder({ "x/y": "" });
    expect(() => findRoot(path.join(dir, "x"))).toThrow(
      expect.objectContaining({
        code: "NO_APP_ROOT",
        help: expect.stringContaining("agent/tools/<name>.ts"),
      }),
    );
  });
});
