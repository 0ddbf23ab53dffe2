import path from "node:path";
import { existsSync } from "node:fs";
import type { Builds, Engine, Store } from "@eve/runtime";
import { UsageError } from "../errors.js";
import type { Io } from "../terminal/io.js";
import type { App } from "./locate.js";
import { VERSION } from "../version.js";

/** The app's embedded store, opened for work, with the engine on it. */
export interface Runtime {
  engine: Engine;
  store: Store;
  builds: Builds;
  close(): Promise<void>;
}

/** Where builds of the app come from. */
export async function openBuilds(app: App): Promise<Builds> {
  const { folderBuilds } = await import("@eve/runtime");
  return folderBuilds({ output: app.output, keep: path.join(app.data, "builds") });
}

/**
 * Opens the store and starts an engine. What bodies write to their console goes to `print`; problems that no caller
 * waits for go to stderr.
 * Errors: those of the store (`STORE_LOCKED` names the process that holds the folder).
 */
export async function openRuntime(
  app: App,
  io: Io,
  print: (text: string) => void = io.err,
): Promise<Runtime> {
  const { createEngine, describeError, openSqliteStore } = await import("@eve/runtime");
  const { store } = openSqliteStore({ dir: app.data });
  const builds = await openBuilds(app);
  const engine = createEngine({
    store,
    builds,
    eveVersion: VERSION,
    onConsole: ({ text }) => print(text),
    onProblem: ({ runId, error }) =>
      io.err(io.colors.yellow(`eve: ${runId ? `run ${runId}: ` : ""}${describeError(error)}`)),
  });
  return {
    engine,
    store,
    builds,
    async close() {
      await engine.close();
      await store.close();
    },
  };
}

/**
 * Opens the store for reading: works beside a process that runs. `undefined` when nothing ran here yet.
 */
export async function openForReading(
  app: App,
): Promise<{ store: Store; builds: Builds; close(): Promise<void> } | undefined> {
  if (!existsSync(path.join(app.data, "eve.db"))) return undefined;
  const { openSqliteStore } = await import("@eve/runtime");
  const { store } = openSqliteStore({ dir: app.data, readOnly: true });
  return { store, builds: await openBuilds(app), close: () => store.close() };
}

/** The same where a command can't go on without runs. @throws UsageError */
export async function requireRuns(
  app: App,
): Promise<{ store: Store; builds: Builds; close(): Promise<void> }> {
  const opened = await openForReading(app);
  if (!opened)
    throw new UsageError(
      `Nothing ran in ${app.root} yet: there is no store in ${app.data}. Start with eve run <tool>.`,
    );
  return opened;
}
