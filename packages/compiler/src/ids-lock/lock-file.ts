import { readFileSync } from "node:fs";
import path from "node:path";
import { CompilerError, shownPath, systemCode } from "../build/compiler-error.js";

export const LOCK_FILE = "eve.ids.json";

/** `eve.ids.json`: the ids that runs in flight may depend on, without package versions. */
export interface IdsLock {
  version: 1;
  workflows: string[];
  steps: string[];
  /** Former id → the id that took its place. */
  aliases: Record<string, string>;
}

/**
 * Reads the lock file of an app; `undefined` when there is none.
 * @throws CompilerError `BAD_IDS_LOCK` when it isn't one.
 */
export function readLock(root: string): { lock: IdsLock; text: string } | undefined {
  const file = path.join(root, LOCK_FILE);
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw new CompilerError(
      "BAD_IDS_LOCK",
      `Can't read ${shownPath(file)}: ${systemCode(error) ?? String(error)}.`,
      {
        cause: error,
      },
    );
  }
  return { lock: parseLock(text, file), text };
}

function parseLock(text: string, file: string): IdsLock {
  const bad = (reason: string, cause?: unknown): CompilerError =>
    new CompilerError("BAD_IDS_LOCK", `${shownPath(file)} is no lock file: ${reason}.`, {
      cause,
      help: "Correct it, or remove it and run eve ids lock.",
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw bad(error.message, error);
  }
  const table = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  if (table["version"] !== 1) throw bad('"version" is not 1');
  const list = (key: string): string[] => {
    const items = table[key] ?? [];
    if (!Array.isArray(items) || !items.every((item) => typeof item === "string")) {
      throw bad(`"${key}" is not a list of ids`);
    }
    return items;
  };
  const aliases = table["aliases"] ?? {};
  const isTable = typeof aliases === "object" && aliases !== null && !Array.isArray(aliases);
  if (!isTable || !Object.values(aliases).every((item) => typeof item === "string")) {
    throw bad('"aliases" is not a table from id to id');
  }
  return {
    version: 1,
    workflows: list("workflows"),
    steps: list("steps"),
    aliases: aliases as Record<string, string>,
  };
}

/** The text of a lock file, sorted, ending with a line break. */
export function formatLock({ workflows, steps, aliases }: IdsLock): string {
  const sorted = Object.fromEntries(Object.entries(aliases).sort(([a], [b]) => (a < b ? -1 : 1)));
  const lock = {
    version: 1,
    workflows: workflows.toSorted(),
    steps: steps.toSorted(),
    aliases: sorted,
  };
  return `${JSON.stringify(lock, undefined, 2)}\n`;
}
