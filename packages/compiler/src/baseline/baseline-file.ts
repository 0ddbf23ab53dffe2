import { readFileSync } from "node:fs";
import { CompilerError, shownPath, systemCode } from "../build/compiler-error.js";
import { replaceFile } from "../publish/replace-file.js";
import type { Baseline } from "./baseline.js";

/**
 * Reads a baseline.
 * @throws CompilerError `BAD_BASELINE` when the file is missing or holds something else.
 */
export function readBaseline(file: string): Baseline {
  const bad = (reason: string, cause?: unknown): CompilerError =>
    new CompilerError("BAD_BASELINE", `${shownPath(file)} is no baseline: ${reason}.`, {
      cause,
      help: "Write one with eve check --write-baseline.",
    });
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw bad(systemCode(error) ?? String(error), error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw bad(error.message, error);
  }
  if (!isBaseline(value)) throw bad("it has another form");
  return value;
}

/**
 * Writes a baseline.
 * @throws CompilerError `OUTPUT_UNWRITABLE`
 */
export function writeBaseline(file: string, baseline: Baseline): void {
  replaceFile(file, `${JSON.stringify(baseline, undefined, 2)}\n`);
}

function isBaseline(value: unknown): value is Baseline {
  const { version, findings } = (value ?? {}) as Partial<Record<keyof Baseline, unknown>>;
  return version === 1 && Array.isArray(findings) && findings.every(isEntry);
}

function isEntry(entry: unknown): boolean {
  const { code, file, message, count } = (entry ?? {}) as Record<string, unknown>;
  return [code, file, message].every((text) => typeof text === "string") && Number.isInteger(count);
}
