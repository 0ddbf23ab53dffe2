import path from "node:path";
import { existsSync } from "node:fs";
import type { Builds, Engine, EngineServer, RunEnd, Store } from "@eve/runtime";
import { EXIT, UsageError } from "../errors.js";
import type { Io } from "../terminal/io.js";
import { VERSION } from "../version.js";
import type { App } from "./locate.js";

/** The app's embedded store, opened for work, with the engine and its server (which needn't listen) on it. */
export interface Runtime {
  engine: Engine;
  server: EngineServer;
  store: Store;
  builds: Builds & { reload(): void };
  close(): Promise<void>;
}

export interface RuntimeOptions {
  /** Takes what bodies write to their console. Default: stderr. */
  print?: (text: string) => void;
  /** Told of every run that ends. */
  onRunEnd?: (end: RunEnd) => void;
  /** Where the server listens once it does. Default: any free port of 127.0.0.1. */
  host?: string;
  port?: number;
}

/** Where builds of the app come from. */
export async function openBuilds(app: App): Promise<Builds & { reload(): void }> {
  const { folderBuilds } = await import("@eve/runtime");
  return folderBuilds({ output: app.output, keep: path.join(app.data, "builds") });
}

/**
 * Opens the store and makes an engine; problems that no caller waits for go to stderr. The server listens from the
 * moment a webhook exists, or when it is opened.
 * Errors: those of the store (`STORE_LOCKED` names the process that holds the folder).
 */
export async function openRuntime(app: App, io: Io, options: RuntimeOptions = {}): Promise<Runtime> {
  const { createEngine, createServer, describeError, openSqliteStore } = await import("@eve/runtime");
  const { store, lock } = openSqliteStore({ dir: app.data });
  const builds = await openBuilds(app);
  const problem = (text: string) => io.err(io.colors.yellow(`eve: ${text}`));
  const { host, port, print = io.err, onRunEnd } = options;
  const publicUrl = process.env["EVE_PUBLIC_URL"];
  const server = createServer({
    engine: () => engine,
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(publicUrl ? { publicUrl } : {}),
    onError: (error) => problem(`a request failed: ${error.stack ?? error.message}`),
    onListen: (address) => lock?.setAddress(address),
  });
  const engine = createEngine({
    store,
    builds,
    webhooks: server,
    watchdog: { file: path.join(app.data, "stalls.jsonl") },
    eveVersion: VERSION,
    onConsole: ({ text }) => print(text),
    ...(onRunEnd ? { onRunEnd } : {}),
    // A step that calls process.exit() ends the process in the middle of its run: that is no success.
    onExit: ([step]) => {
      if (!process.exitCode) process.exitCode = EXIT.usage;
      problem(
        `the process was ended from within (process.exit) while step ${step?.stepId} ran; steps must not do that. Go on with: eve run --resume ${step?.runId}`,
      );
    },
    onFatal: ({ runId, error }) => {
      problem(`${describeError(error)} Go on with: eve run --resume ${runId}`);
      process.exit(EXIT.usage);
    },
    onProblem: ({ runId, error }) => problem(`${runId ? `run ${runId}: ` : ""}${describeError(error)}`),
  });
  // The engine's timers don't hold the process; what sleeps, retries or cleans up has to.
  const hold = setInterval(() => undefined, 2 ** 30);
  return {
    engine,
    server,
    store,
    builds,
    async close() {
      clearInterval(hold);
      await server.close();
      await engine.close();
      await store.close();
    },
  };
}

/** A store to look at. */
export interface ReadOnlyRuns {
  store: Store;
  builds: Builds;
  close(): Promise<void>;
}

/** Opens the store for reading: works beside a process that runs. `undefined` when nothing ran here yet. */
export async function openForReading(app: App): Promise<ReadOnlyRuns | undefined> {
  if (!existsSync(path.join(app.data, "eve.db"))) return undefined;
  const { openSqliteStore } = await import("@eve/runtime");
  const { store } = openSqliteStore({ dir: app.data, readOnly: true });
  return { store, builds: await openBuilds(app), close: () => store.close() };
}

/** True when no process works on the app's runs: what is `running` then was interrupted. */
export async function isIdle(app: App): Promise<boolean> {
  if (!existsSync(path.join(app.data, "lock.db"))) return true;
  const { isFolderLocked } = await import("@eve/runtime");
  return !isFolderLocked(app.data);
}

/**
 * The same for a command that changes a run: a database of an older version is brought up to date first, unless a process
 * of that version works on it. @throws UsageError
 */
export async function requireRunsToChange(app: App): Promise<ReadOnlyRuns> {
  const { openSqliteStore, readLockHolder, StoreOutdatedError } = await import("@eve/runtime");
  try {
    return await requireRuns(app);
  } catch (error) {
    if (!(error instanceof StoreOutdatedError)) throw error;
    if (!(await isIdle(app))) {
      throw new UsageError(
        `Process ${readLockHolder(app.data)?.pid ?? "unknown"}, which works on these runs, is of an older version of eve. Use that version for this, or stop the process: this version takes its runs over.`,
        { cause: error },
      );
    }
    await openSqliteStore({ dir: app.data }).store.close();
    return await requireRuns(app);
  }
}

/** The same where a command can't go on without runs. @throws UsageError */
export async function requireRuns(app: App): Promise<ReadOnlyRuns> {
  const opened = await openForReading(app);
  if (opened) return opened;
  throw new UsageError(
    `Nothing ran in ${app.root} yet: there is no store in ${app.data}. Start with eve run <tool>.`,
  );
}
