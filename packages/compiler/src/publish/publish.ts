import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { systemCode } from "../build/compiler-error.js";
import { unwritable, withPublishLock } from "./lock.js";

/** A file to publish. The order of the list is the order in which files appear. */
export interface OutputFile {
  name: string;
  text: string;
}

/**
 * Publishes files to a folder: only those whose bytes differ are written, each to a temporary name first; they
 * take their places when all of them are on disk, so that a full disk changes nothing. Returns the names
 * of the files that were written.
 * @throws CompilerError `OUTPUT_LOCKED`, `OUTPUT_UNWRITABLE`
 */
export function publish(outDir: string, files: readonly OutputFile[]): Promise<string[]> {
  return withPublishLock(outDir, () => {
    const written: { name: string; temporary: string }[] = [];
    try {
      mkdirSync(outDir, { recursive: true });
      for (const { name, text } of files) {
        const bytes = Buffer.from(text);
        if (readBytes(path.join(outDir, name))?.equals(bytes)) continue;
        const temporary = path.join(outDir, `.${name}.${process.pid}.tmp`);
        written.push({ name, temporary });
        writeFileSync(temporary, bytes);
      }
      for (const { name, temporary } of written) renameSync(temporary, path.join(outDir, name));
    } catch (error) {
      for (const { temporary } of written) rmSync(temporary, { force: true });
      throw unwritable(outDir, error);
    }
    return written.map(({ name }) => name);
  });
}

function readBytes(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    return undefined;
  }
}
