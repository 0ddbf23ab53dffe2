import { build } from "esbuild";
import { expect, test } from "vitest";
import { createBody } from "./body.js";
import { compileWorkflowBundle } from "./bundle.js";
import { createStackMapper } from "./stack-map.js";
import { codec } from "./testing/bodies.js";

const FILES: Record<string, string> = {
  "agent/tools/audit.ts": `import { check } from "../../lib/audit";
import { sleep } from "workflow";

interface Row { id: string }

export async function execute(rows: Row[]) {
  await sleep(1);
  for (const row of rows) {
    check(row.id);
  }
}
(globalThis as any).__private_workflows = new Map([["w", execute]]);
`,
  "lib/audit.ts": `type Id = string;

export function check(id: Id): void {
  if (id !== "ok") throw new Error(\`negative total in \${id}\`);
}
`,
  workflow: `export const sleep = (until) => globalThis[Symbol.for("WORKFLOW_SLEEP")](until);`,
};

async function bundle() {
  const built = await build({
    entryPoints: ["agent/tools/audit.ts"],
    bundle: true,
    write: false,
    format: "cjs",
    sourcemap: "external",
    outdir: "/out",
    plugins: [
      {
        name: "memory",
        setup(build) {
          build.onResolve({ filter: /.*/ }, ({ path }) => ({
            path: path === "workflow" ? path : path.startsWith("../../lib") ? "lib/audit.ts" : path,
            namespace: "app",
          }));
          build.onLoad({ filter: /.*/ }, ({ path }) => ({ contents: FILES[path] ?? "", loader: "ts" }));
        },
      },
    ],
  });
  const [map, code] = built.outputFiles;
  const parsed = JSON.parse(map?.text ?? "{}") as { sources: string[] };
  parsed.sources = parsed.sources.map((source) =>
    source.replace(/^app:/, "").replace(/^workflow$/, "eve:workflow/body.ts"),
  );
  return { code: code?.text ?? "", map: JSON.stringify(parsed) };
}

test("frames and call sites of a bundle lead to the author's files", async () => {
  const { code, map } = await bundle();
  const begin = {
    runId: "r",
    workflowId: "w",
    args: codec.encode([[{ id: "ok" }, { id: "r1" }]], "args"),
    seed: "00".repeat(16),
    startedAt: 0,
    metadata: "{}",
  };
  const body = createBody(begin, compileWorkflowBundle(code), {
    hookToken: () => "t",
    webhookUrl: () => "u",
  });
  const mapper = createStackMapper(map);
  const { operations } = body.pump({ type: "start", at: 0 });
  expect(mapper.mapSite((operations[0] as { site: string }).site)).toEqual({
    file: "agent/tools/audit.ts",
    line: 7,
    column: 9,
  });
  const { outcome } = body.pump({ type: "resolve", at: 1, key: "sleep#0", value: "-1" });
  const error = codec.decode(outcome?.status === "failed" ? outcome.error : "") as Error;
  expect(mapper.mapStack(error.stack ?? "")).toBe(
    [
      "Error: negative total in r1",
      "    at check (lib/audit.ts:4:26)",
      "    at execute (agent/tools/audit.ts:9:5)",
    ].join("\n"),
  );
});

test("frames without a source are left out, other lines stay", () => {
  const mapper = createStackMapper({ version: 3, sources: [], names: [], mappings: "" });
  const stack = [
    "Error: see eve:/workflow.cjs:1:1",
    "    at x (eve:/workflow.cjs:9:9)",
    "    at y (lib/a.ts:1:2)",
  ];
  expect(mapper.mapStack(stack.join("\n"))).toBe("Error: see eve:/workflow.cjs:1:1\n    at y (lib/a.ts:1:2)");
  expect(mapper.mapSite("9:9 8:8")).toBeUndefined();
  expect(mapper.mapSite("")).toBeUndefined();
});
