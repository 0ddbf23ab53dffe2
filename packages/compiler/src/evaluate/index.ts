export { EvaluationChild } from "./child.js";
export type { ToolFacts } from "./describe.js";
export type { ToolModule } from "./entry.js";
export { evaluateBundleable, evaluateTools, type EvaluateOptions, type EvaluationCache } from "./evaluate.js";
