import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Builds } from "../builds/types.js";
import { createEngine, type Engine } from "../engine/engine.js";
import type { EngineOptions, Problem } from "../engine/options.js";
import { openSqliteStore } from "../store/sqlite/open.js";
import type { Store } from "../store/types.js";
import { createTestClock, type TestClock } from "./clock.js";

/** An engine on a real SQLite folder and a clock that stands still. */
export interface Harness {
  readonly dir: string;
  readonly builds: Builds;
  readonly clock: TestClock;
  readonly engine: Engine;
  readonly store: Store;
  readonly problems: Problem[];
  /** Ends the engine and opens the same folder again. */
  restart(options?: Partial<EngineOptions>): Promise<void>;
  /** The same with the process dying: nothing more is recorded. */
  crash(options?: Partial<EngineOptions>): Promise<void>;
  /** The same without taking anything up, as a command that changes a single run does. */
  reopen(options?: Partial<EngineOptions>): Promise<void>;
  close(): Promise<void>;
}

/** Opens a new data folder with an engine on it; `close` removes it. */
export async function openHarness(builds: Builds, options: Partial<EngineOptions> = {}): Promise<Harness> {
  const dir = mkdtempSync(path.join(os.tmpdir(), "eve-test-"));
  const clock = createTestClock();
  const problems: Problem[] = [];
  let store!: Store;
  let engine!: Engine;
  let dying = false;

  async function open(extra: Partial<EngineOptions>): Promise<void> {
    store = openSqliteStore({ dir, clock }).store;
    engine = createEngine({
      store,
      builds,
      clock,
      onProblem(problem) {
        if (!dying) problems.push(problem);
      },
      ...options,
      ...extra,
    });
  }

  async function shut(): Promise<void> {
    await engine.close();
    await store.close();
  }

  await open({});
  await engine.recover();
  return {
    dir,
    builds,
    clock,
    problems,
    get engine() {
      return engine;
    },
    get store() {
      return store;
    },
    async restart(extra = {}) {
      await shut();
      await open(extra);
      await engine.recover();
    },
    async crash(extra = {}) {
      dying = true;
      store.commit = () => Promise.reject(new Error("The process died"));
      await shut();
      dying = false;
      await open(extra);
      await engine.recover();
    },
    async reopen(extra = {}) {
      await shut();
      await open(extra);
    },
    async close() {
      await shut();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
