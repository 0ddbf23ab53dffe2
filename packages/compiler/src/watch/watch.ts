import path from "node:path";
import { fingerprint, isUnchanged, type Fingerprint } from "../cache/fingerprint.js";
import { LastBuildCache } from "../cache/last-build.js";
import { stampOf, type BuildResult } from "../build/build.js";
import { resolveOptions, type BuildOptions, type ResolvedOptions } from "../build/options.js";
import { membersOf } from "../build/workspace.js";
import { FolderWatchers } from "./folder-watchers.js";

/** What a watcher tells after each build: its result, or why there could be none. */
export type WatchEvent = { kind: "built"; result: BuildResult } | { kind: "failed"; error: unknown };

/** A running watch. */
export interface Watcher {
  /** Fulfilled after the first build. */
  ready: Promise<void>;
  /** Stops watching; waits for a build that is under way. */
  close(): Promise<void>;
}

/** Editors write in several steps; events within this time make one build. */
const QUIET_MS = 40;

/**
 * Builds, and builds again whenever something that the last build read has changed: reachable files, new and
 * deleted ones, tsconfig and package.json. Errors are told to `onEvent` and don't end the watch.
 *
 * ```ts
 * const watcher = watch({ root }, (event) => { if (event.kind === "built") reload(event.result); });
 * ```
 * For the root of an agent workspace, each member is watched by itself; `result.root` says which one an event is of.
 *
 * @throws CompilerError `BAD_OPTION`
 */
export function watch(options: BuildOptions, onEvent: (event: WatchEvent) => void): Watcher {
  const members = membersOf(options.root)?.members;
  if (members === undefined) return new AppWatcher(resolveOptions(options), onEvent);
  const watchers = members.map((root) => new AppWatcher(resolveOptions({ ...options, root }), onEvent));
  return {
    ready: Promise.all(watchers.map(({ ready }) => ready)).then(() => undefined),
    close: async () => {
      await Promise.all(watchers.map((watcher) => watcher.close()));
    },
  };
}

class AppWatcher implements Watcher {
  readonly ready: Promise<void>;
  readonly #options: ResolvedOptions;
  readonly #onEvent: (event: WatchEvent) => void;
  readonly #folders: FolderWatchers;
  #state: Fingerprint | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void>;
  #again = false;
  #closed = false;

  constructor(options: ResolvedOptions, onEvent: (event: WatchEvent) => void) {
    this.#options = options;
    this.#onEvent = onEvent;
    this.#folders = new FolderWatchers(() => this.#schedule());
    this.#running = this.#build();
    this.ready = this.#running;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#folders.close();
    await this.#running;
  }

  #schedule(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#running = this.#running.then(() => this.#rebuild());
    }, QUIET_MS);
  }

  async #rebuild(): Promise<void> {
    if (this.#closed) return;
    if (this.#state !== undefined && isUnchanged(this.#options.root, this.#state)) return;
    await this.#build();
  }

  async #build(): Promise<void> {
    do {
      this.#again = false;
      await this.#buildOnce();
    } while (this.#again && !this.#closed);
  }

  async #buildOnce(): Promise<void> {
    const { root, cache, cacheDir } = this.#options;
    try {
      const { changedSince, compileAndPublish } = await import("../build/compile-and-publish.js");
      const last = cache ? new LastBuildCache(cacheDir, stampOf(this.#options)) : undefined;
      const { result, dependencies, started } = await compileAndPublish(this.#options, last);
      if (this.#closed) return;
      this.#folders.set(dependencies.folders);
      this.#state = fingerprint(root, dependencies);
      // Edited while it was compiled: the result is old already.
      this.#again = changedSince(started, dependencies);
      if (!this.#again) this.#onEvent({ kind: "built", result });
    } catch (error) {
      this.#state = undefined;
      if (this.#closed) return;
      this.#folders.set([root, path.join(root, "agent")]);
      this.#onEvent({ kind: "failed", error });
    }
  }
}
