import { readFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { UsageError } from "./errors.js";
import type { Io } from "./terminal/io.js";

/**
 * Reads the value of `--input`: JSON text, `@file`, or `-` for standard input. No value means `{}`.
 * @throws UsageError with the place of the fault.
 */
export async function readInput(source: string | undefined, io: Io): Promise<unknown> {
  if (source === undefined) return {};
  const [label, json] = await readSource(source, io);
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    throw new UsageError(
      `${label} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

async function readSource(source: string, io: Io): Promise<[label: string, json: string]> {
  if (source === "-") return ["standard input", await text(io.stdin)];
  if (!source.startsWith("@")) return ["--input", source];
  const file = source.slice(1);
  try {
    return [file, await readFile(path.resolve(io.cwd, file), "utf8")];
  } catch (error) {
    throw new UsageError(
      `--input: can't read ${file} (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
      { cause: error },
    );
  }
}
