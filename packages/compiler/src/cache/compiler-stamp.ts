import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

let stamp: string | undefined;

/** Tells one build of the compiler from another, by the files it was loaded from. */
export function compilerStamp(): string {
  if (stamp === undefined) {
    const dir = path.dirname(fileURLToPath(import.meta.url));
    const files = readdirSync(dir).filter((name) => /\.[jt]s$/.test(name));
    stamp = files
      .sort()
      .map((name) => {
        const stats = statSync(path.join(dir, name), { throwIfNoEntry: false });
        return `${name} ${stats?.size ?? 0} ${stats?.mtimeMs ?? 0}`;
      })
      .join("\n");
  }
  return stamp;
}
