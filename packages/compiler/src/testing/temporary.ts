import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach } from "vitest";

const made: string[] = [];

afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** Files of a test app: path relative to its folder → text. */
export type Files = Record<string, string>;

/** A new folder with these files, removed after the test. Its path is real. */
export function temporaryFolder(files: Files = {}): string {
  const dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), "eve-compiler-")));
  made.push(dir);
  writeFiles(dir, files);
  return dir;
}

export function writeFiles(dir: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(dir, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
