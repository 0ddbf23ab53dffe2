import { renameSync, rmSync, writeFileSync } from "node:fs";
import { CompilerError, shownPath, systemCode } from "../build/compiler-error.js";

/**
 * Writes a file in one step: readers see the old text or the new one.
 * @throws CompilerError `OUTPUT_UNWRITABLE`
 */
export function replaceFile(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new CompilerError(
      "OUTPUT_UNWRITABLE",
      `Can't write ${shownPath(file)}: ${systemCode(error) ?? String(error)}.`,
      {
        cause: error,
      },
    );
  }
}
