import { DefinitionError } from "../errors.js";
import { checkOptions, checkText, describe } from "../options.js";
import { DEFINITION, type DefinitionMark } from "../symbols.js";

/** A model of the AI SDK: its id, or the model object of a provider package. */
export type ModelReference =
  string | { readonly specificationVersion: string; readonly provider: string; readonly modelId: string };

export interface AgentLimits {
  /** Most model calls one turn may make. */
  maxStepsPerTurn?: number;
  /** Most tokens one session may use, input and output together. */
  maxTokensPerSession?: number;
}

export interface AgentOptions {
  /** What callers and routers read to decide when to use the agent. */
  description?: string;
  model: ModelReference;
  /** Size of the model's context window, in tokens. */
  modelContextWindowTokens?: number;
  /** `false` hides the agent from the parent's model; bodies can still open it. */
  tool?: boolean;
  limits?: AgentLimits;
  /** How the server authenticates callers. Read by `eve start`. */
  auth?: unknown;
}

export interface AgentDefinition extends AgentOptions {
  readonly [DEFINITION]: DefinitionMark;
}

const OPTIONS = ["description", "model", "modelContextWindowTokens", "tool", "limits", "auth"] as const;
const LIMITS = ["maxStepsPerTurn", "maxTokensPerSession"] as const;

function checkCount(key: string, value: unknown): void {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) > 0)) return;
  throw new DefinitionError(
    `defineAgent(): "${key}" must be a whole number of at least 1, got ${String(value)}.`,
  );
}

/**
 * Defines an agent: the default export of `agent/agent.ts` or `agent/subagents/<name>/agent.ts`.
 * @throws DefinitionError (`INVALID_DEFINITION`) for a missing, unknown or malformed option.
 */
export function defineAgent(options: AgentOptions): AgentDefinition {
  checkOptions("defineAgent", options, OPTIONS);
  const { description, model, tool, limits = {} } = options;
  if (description !== undefined) checkText("defineAgent", "description", description);
  if (typeof model === "string") checkText("defineAgent", "model", model);
  else if (typeof model !== "object" || model === null || typeof model.modelId !== "string") {
    throw new DefinitionError(
      `defineAgent() needs a "model": a model id such as "anthropic/claude-opus-5.5", or a model of an AI SDK provider; got ${describe(model)}.`,
    );
  }
  if (tool !== undefined && typeof tool !== "boolean") {
    throw new DefinitionError(`defineAgent(): "tool" must be true or false, got ${describe(tool)}.`);
  }
  checkOptions("defineAgent limits", limits, LIMITS);
  checkCount("modelContextWindowTokens", options.modelContextWindowTokens);
  for (const key of LIMITS) checkCount(`limits.${key}`, limits[key]);
  return Object.freeze({ ...options, [DEFINITION]: { kind: "agent", version: 1 } as const });
}
