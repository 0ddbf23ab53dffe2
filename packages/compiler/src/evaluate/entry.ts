import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { AgentFiles } from "../discovery/agent-files.js";
import { describeDefinition } from "./describe.js";

const require = createRequire(import.meta.url);

/** What describes schemas of zod 3, which can't do it themselves. The compiler brings it along. */
const ZOD_3 = "zod-to-json-schema";

/** A tool module to evaluate; `key` names it in the answer. */
export interface ToolModule {
  key: string;
  file: string;
}

/**
 * The text of a module that evaluates tool modules one by one and sends what it finds: the source text of
 * `describeDefinition` goes with it. Tools of a failing module don't hinder the others.
 */
export function evaluationEntry(tools: readonly ToolModule[]): string {
  const rows = tools.map(({ key, file }) => [
    key,
    `async () => (await import(${JSON.stringify(file)})).default`,
  ]);
  return reader(rows as [string, string][]);
}

/**
 * The server bundle with code behind it that sends what its tools say; `undefined` when its export can't be
 * found in the text.
 */
export function serverEvaluation(code: string, agent: AgentFiles): string | undefined {
  const body = withoutMapComment(code);
  const exported = /export\s*\{\s*(?:([\w$]+)\s+as\s+)?eve\s*\};?\s*$/.exec(body);
  if (exported === null) return undefined;
  return `${body}\n${reader(serverRows(agent, exported[1] ?? "eve"))}`;
}

/** The code without the comment at its end that leads to its map. */
function withoutMapComment(code: string): string {
  const at = code.lastIndexOf("//# sourceMappingURL=");
  return at === -1 || /\n\s*\S/.test(code.slice(at)) ? code : code.slice(0, at);
}

function serverRows(agent: AgentFiles, expression: string): [string, string][] {
  const own = agent.tools.map(({ name, file }): [string, string] => [
    file,
    `() => ${expression}.tools[${JSON.stringify(name)}]`,
  ]);
  const below = agent.subagents.flatMap((sub) =>
    serverRows(sub, `${expression}.subagents[${JSON.stringify(sub.name)}]`),
  );
  return [...own, ...below];
}

/** Code that reads definitions by `[key, expression]`; in a block, so that its names meet no others. */
function reader(rows: readonly [key: string, load: string][]): string {
  return `{
const describe = ${describeDefinition.toString()};
const own = ${JSON.stringify({ [ZOD_3]: pathToFileURL(require.resolve(ZOD_3)).href })};
const importModule = (name) => import(own[name] ?? name);
const answers = [];
for (const [key, load] of [${rows.map(([key, load]) => `[${JSON.stringify(key)}, ${load}]`).join(", ")}]) {
  try {
    answers.push([key, await describe(await load(), importModule)]);
  } catch (error) {
    const failed = error instanceof Error ? error : new Error(String(error));
    const { name, message, about } = failed;
    const isOfEve = name === "DefinitionError" && typeof about?.option === "string";
    answers.push([key, { kind: "failed", name, message, ...(isOfEve ? { about: { ...about } } : {}) }]);
  }
}
globalThis.process.send(answers, () => globalThis.process.exit(0));
}
`;
}
