import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { BuildInvalidError, BuildMissingError } from "../errors/builds.js";
import { compileWorkflowBundle } from "../replay/index.js";
import { createBuildStacks } from "./stack.js";
import { readBuildFiles, type BuildFiles } from "./read.js";
import { importServerModule, type ServerModule } from "./server-module.js";
import type { Build, Builds } from "./types.js";

export interface FolderBuildsOptions {
  /** Where `eve build` publishes: `.eve/output`. */
  output: string;
  /** Where builds that runs need are kept: `.eve/data/builds`. It must lie below the app's `node_modules`' folder. */
  keep: string;
  /**
   * How many builds are kept beyond those that unfinished runs need, newest first, so that the reports of ended runs
   * still name the author's lines. Default 10.
   */
  spare?: number;
}

/**
 * Builds on disk: the present one in the output folder, and copies of those that runs started on. Host code is
 * always imported from the copy, so that the next `eve build` can't change what a run executes.
 *
 * Errors of `current`: `BUILD_MISSING`, `BUILD_INVALID`, `BUNDLE_SYNTAX`.
 */
export function folderBuilds(options: FolderBuildsOptions): Builds & { reload(): void } {
  const { output, keep, spare = 10 } = options;
  const loaded = new Map<string, Promise<Build>>();
  let present: Promise<Build> | undefined;
  const kept = new Map<string, Promise<void>>();
  const files = new Map<string, BuildFiles>();

  async function readPresent(): Promise<Build> {
    const read = await readBuildFiles(output);
    const { buildId } = read.info;
    files.set(buildId, read);
    return await load(buildId, read);
  }

  function load(buildId: string, read: BuildFiles): Promise<Build> {
    let build = loaded.get(buildId);
    if (!build) {
      build = Promise.resolve(toBuild(read, path.join(keep, buildId), () => keepOnce(buildId)));
      loaded.set(buildId, build);
    }
    return build;
  }

  function keepOnce(buildId: string): Promise<void> {
    let copy = kept.get(buildId);
    if (!copy) {
      const read = files.get(buildId);
      copy = read ? copyBuild(read, keep) : Promise.resolve();
      copy.catch(() => kept.delete(buildId));
      kept.set(buildId, copy);
    }
    return copy;
  }

  return {
    current() {
      if (!present) {
        present = readPresent();
        present.catch(() => (present = undefined));
      }
      return present;
    },

    async find(buildId) {
      const known = loaded.get(buildId);
      if (known) return await known;
      try {
        const read = await readBuildFiles(path.join(keep, buildId));
        files.set(buildId, read);
        kept.set(buildId, Promise.resolve());
        return await load(buildId, read);
      } catch (error) {
        if (!(error instanceof BuildMissingError)) throw error;
      }
      const current = await this.current();
      return current.id === buildId ? current : undefined;
    },

    keep: (build) => keepOnce(build.id),

    async prune(inUse) {
      const needed = new Set(inUse);
      const current = present && (await present).id;
      if (current !== undefined) needed.add(current);
      const idle = (await byAge(keep)).filter((name) => !needed.has(name));
      for (const name of idle.slice(spare)) {
        await rm(path.join(keep, name), { recursive: true, force: true });
        loaded.delete(name);
        kept.delete(name);
        files.delete(name);
      }
    },

    reload() {
      present = undefined;
    },
  };
}

async function entriesOf(dir: string): Promise<string[]> {
  try {
    return (await readdir(dir)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** The kept builds, newest first. */
async function byAge(dir: string): Promise<string[]> {
  const names = await entriesOf(dir);
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(path.join(dir, name))).mtimeMs })),
  );
  return aged.sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1)).map((build) => build.name);
}

/** Copies a build under its id: into a folder of its own first, so that a half copy is never taken for one. */
async function copyBuild(read: BuildFiles, keep: string): Promise<void> {
  const target = path.join(keep, read.info.buildId);
  if ((await entriesOf(target)).includes("build.json")) return;
  const temporary = path.join(keep, `.${read.info.buildId}.${randomBytes(4).toString("hex")}`);
  await mkdir(temporary, { recursive: true });
  try {
    for (const [name, text] of read.texts) await writeFile(path.join(temporary, name), text);
    await writeFile(path.join(temporary, "build.json"), JSON.stringify(read.info));
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    // Another process was faster; what it put there is the same build.
    if (code === "ENOTEMPTY" || code === "EEXIST") return;
    throw error;
  }
}

function toBuild(read: BuildFiles, home: string, keep: () => Promise<void>): Build {
  const { info, manifest, texts, dir } = read;
  const code = texts.get("workflow.cjs");
  if (code === undefined) throw new BuildInvalidError(dir, "workflow.cjs is missing");
  const stacks = createBuildStacks({
    workflowMap: texts.get("workflow.cjs.map"),
    serverMap: texts.get("server.mjs.map"),
    serverFile: path.join(home, "server.mjs"),
  });
  let server: Promise<ServerModule> | undefined;
  return {
    id: info.buildId,
    manifest,
    bundle: compileWorkflowBundle(code),
    server() {
      if (!server) {
        server = keep().then(() => importServerModule(path.join(home, "server.mjs")));
        server.catch(() => (server = undefined));
      }
      return server;
    },
    mapStack: (stack) => stacks.stack(stack),
    mapSite: (site) => stacks.site(site),
  };
}
