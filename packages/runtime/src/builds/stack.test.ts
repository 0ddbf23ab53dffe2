import { expect, test } from "vitest";
import { createBuildStacks } from "./stack.js";

// One line per generated line: line n of the bundle is line n of agent/tools/a.ts.
const map = JSON.stringify({
  version: 3,
  sources: ["agent/tools/a.ts"],
  names: [],
  mappings: "AAAA;AACA;AACA",
});

test("frames of both bundles name the author's file; frames of the runtime and of Node are left out", () => {
  const stacks = createBuildStacks({
    workflowMap: map,
    serverMap: map,
    serverFile: "/app/.eve/data/builds/b/server.mjs",
  });
  const stack = [
    "Error: no",
    "    at save (file:///app/.eve/data/builds/b/server.mjs:2:1)",
    "    at async file:///app/.eve/data/builds/b/server.mjs:3:1",
    "    at query (file:///app/node_modules/pg/lib/client.js:9:7)",
    "    at other (file:///app/node_modules/@scope/x/index.js:1:2)",
    "    at runMicrotasks (<anonymous>)",
    "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
    "    at executeStep (file:///usr/lib/node_modules/@eve/runtime/dist/index.js:10:2)",
    "    at file:///usr/lib/node_modules/@eve/runtime/dist/index.js:1156:51",
    "    at async file:///usr/lib/node_modules/@eve/runtime/dist/index.js:1156:51",
    "    at new Promise (<anonymous>)",
    "    at Array.map (<anonymous>)",
    "    at internal (/usr/lib/thing.js:10:2)",
    "    at native",
    "    at Array.forEach (native)",
    "    at evalmachine.<anonymous>:1:1",
    "    at nativeSend (agent/tools/b.ts:2:2)",
    "    at evalmachines (agent/tools/b.ts:3:2)",
    "    at body (eve:/workflow.cjs:1:1)",
    "    at inner (agent/tools/b.ts:4:2)",
  ].join("\n");
  expect(stacks.stack(stack)).toBe(
    [
      "Error: no",
      "    at save (agent/tools/a.ts:2:1)",
      "    at async agent/tools/a.ts:3:1",
      "    at query (pg/lib/client.js:9:7)",
      "    at other (@scope/x/index.js:1:2)",
      "    at nativeSend (agent/tools/b.ts:2:2)",
      "    at evalmachines (agent/tools/b.ts:3:2)",
      "    at body (agent/tools/a.ts:1:1)",
      "    at inner (agent/tools/b.ts:4:2)",
    ].join("\n"),
  );
  expect(stacks.site("2:1 9:9")).toBe("agent/tools/a.ts:2:1");
});

test("without maps no place is made up", () => {
  const stacks = createBuildStacks({
    workflowMap: undefined,
    serverMap: undefined,
    serverFile: "/b/server.mjs",
  });
  expect(stacks.site("2:1")).toBeUndefined();
  expect(stacks.stack("Error: several\nlines at once\n    at x (file:///b/server.mjs:1:1)")).toBe(
    "Error: several\nlines at once",
  );
});
