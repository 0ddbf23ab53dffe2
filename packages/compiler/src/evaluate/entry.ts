import { describeDefinition } from "./describe.js";

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
  const rows = tools.map(
    ({ key, file }) => `[${JSON.stringify(key)}, () => import(${JSON.stringify(file)})]`,
  );
  return `
const describe = ${describeDefinition.toString()};
const importModule = (name) => import(name);
const answers = [];
for (const [key, load] of [${rows.join(", ")}]) {
  try {
    answers.push([key, await describe((await load()).default, importModule)]);
  } catch (error) {
    const failed = error instanceof Error ? error : new Error(String(error));
    answers.push([key, { kind: "failed", name: failed.name, message: failed.message }]);
  }
}
process.send(answers, () => process.exit(0));
`;
}
