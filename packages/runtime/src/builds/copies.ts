/** The folder of kept builds: one folder for each, under its id. */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { BuildFiles } from "./read.js";

async function entriesOf(dir: string): Promise<string[]> {
  try {
    return (await readdir(dir)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Folders by the time of their last change, newest first. */
export async function byAge(dir: string): Promise<{ name: string; at: number }[]> {
  const aged = await Promise.all(
    (await entriesOf(dir)).map(async (name) => {
      const found = await stat(path.join(dir, name));
      return found.isDirectory() ? [{ name, at: found.mtimeMs }] : [];
    }),
  );
  return aged.flat().sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));
}

/** Half copies, and builds that are being removed, have such names: no build id begins with a dot. */
export const isPartial = (name: string) => name.startsWith(".");
const partialName = (name: string) => `.${name}.${randomBytes(4).toString("hex")}`;

/** How old such a folder must be to be nobody's work any more, in milliseconds. */
const ABANDONED = 10 * 60_000;

/** Removes a kept build; whenever that is interrupted, no half build is left under its name. */
export async function remove(keep: string, name: string): Promise<void> {
  const aside = path.join(keep, partialName(name));
  try {
    await rename(path.join(keep, name), aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}

/** Removes what copies and removals left that were interrupted. */
export async function removeLeftovers(keep: string): Promise<void> {
  for (const { name, at } of await byAge(keep)) {
    if (isPartial(name) && at < Date.now() - ABANDONED)
      await rm(path.join(keep, name), { recursive: true, force: true });
  }
}

/** Whether a folder holds exactly this build. */
async function isCopy(dir: string, texts: ReadonlyMap<string, string>): Promise<boolean> {
  for (const [name, text] of texts) {
    try {
      if ((await readFile(path.join(dir, name), "utf8")) !== text) return false;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
      throw error;
    }
  }
  return true;
}

/**
 * Copies a build under its id: into a folder of its own first, so that a half copy is never taken for one. What stands
 * there and isn't the build is replaced. True when it had to be copied.
 */
export async function copyBuild(read: BuildFiles, keep: string): Promise<boolean> {
  const { buildId } = read.info;
  const target = path.join(keep, buildId);
  const texts = new Map([...read.texts, ["build.json", JSON.stringify(read.info)]]);
  if (await isCopy(target, texts)) return false;
  await remove(keep, buildId);
  const temporary = path.join(keep, partialName(buildId));
  await mkdir(temporary, { recursive: true });
  try {
    for (const [name, text] of texts) await writeFile(path.join(temporary, name), text);
    await rename(temporary, target);
    return true;
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    // Another process was faster; what it put there is the same build.
    if (code === "ENOTEMPTY" || code === "EEXIST") return false;
    throw error;
  }
}
