import path from "node:path";
import { BuildCopyDamagedError, BuildInvalidError, BuildMissingError } from "../errors/builds.js";
import { compileWorkflowBundle } from "../replay/index.js";
import { byAge, copyBuild, isPartial, remove, removeLeftovers } from "./copies.js";
import { createBuildStacks } from "./stack.js";
import { hideFolders } from "../errors/hide-folders.js";
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
 * always imported from the copy, so that the next `eve build` can't change what a run executes. A damaged copy of the
 * present build is made anew; that of another one is the error `BUILD_COPY_DAMAGED` of `find`.
 *
 * Errors of `current`: `BUILD_MISSING`, `BUILD_INVALID`, `BUNDLE_SYNTAX`.
 */
export function folderBuilds(options: FolderBuildsOptions): Builds & { reload(): void } {
  const { output, keep, spare = 10 } = options;
  const loaded = new Map<string, Promise<Build>>();
  let present: Promise<Build> | undefined;
  const kept = new Map<string, Promise<void>>();
  /** Copies that were made here and nobody was told of. */
  const made = new Set<string>();
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

  async function copyOnce(read: BuildFiles): Promise<void> {
    if (await copyBuild(read, keep)) made.add(read.info.buildId);
  }

  function keepOnce(buildId: string): Promise<void> {
    let copy = kept.get(buildId);
    if (!copy) {
      const read = files.get(buildId);
      copy = read ? copyOnce(read) : Promise.resolve();
      copy.catch(() => kept.delete(buildId));
      kept.set(buildId, copy);
    }
    return copy;
  }

  /** The kept copy; `damaged` when what stands there isn't what was put there. */
  async function readCopy(buildId: string): Promise<BuildFiles | { damaged: BuildInvalidError } | undefined> {
    const dir = path.join(keep, buildId);
    try {
      const read = await readBuildFiles(dir, { settled: true });
      const found = read.info.buildId;
      return found === buildId ? read : { damaged: new BuildInvalidError(dir, `it is build ${found}`) };
    } catch (error) {
      if (error instanceof BuildInvalidError) return { damaged: error };
      if (error instanceof BuildMissingError) return undefined;
      throw error;
    }
  }

  function current(): Promise<Build> {
    if (!present) {
      present = readPresent();
      present.catch(() => (present = undefined));
    }
    return present;
  }

  async function presentIfAny(): Promise<Build | undefined> {
    try {
      return await current();
    } catch (error) {
      if (error instanceof BuildMissingError) return undefined;
      throw error;
    }
  }

  return {
    current,

    async find(buildId) {
      const known = loaded.get(buildId);
      if (known) return await known;
      const copy = await readCopy(buildId);
      if (copy && !("damaged" in copy)) {
        files.set(buildId, copy);
        kept.set(buildId, Promise.resolve());
        return await load(buildId, copy);
      }
      const newest = await presentIfAny();
      // Its host code is imported from the copy, which is made anew first.
      if (newest?.id === buildId) return newest;
      if (copy) throw new BuildCopyDamagedError(path.join(keep, buildId), copy.damaged);
      return undefined;
    },

    async keep(build) {
      await keepOnce(build.id);
      return made.delete(build.id);
    },

    async prune(inUse) {
      const needed = new Set(inUse);
      const newest = present && (await present).id;
      if (newest !== undefined) needed.add(newest);
      const names = (await byAge(keep)).map(({ name }) => name);
      const idle = names.filter((name) => !isPartial(name) && !needed.has(name));
      for (const name of idle.slice(spare)) {
        await remove(keep, name);
        loaded.delete(name);
        kept.delete(name);
        files.delete(name);
      }
      await removeLeftovers(keep);
    },

    reload() {
      present = undefined;
    },
  };
}

function toBuild(read: BuildFiles, home: string, keep: () => Promise<unknown>): Build {
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
    withoutFolders: (text) => hideFolders(text, home),
    mapSite: (site) => stacks.site(site),
  };
}
