import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, formatPretty } from "@eve/compiler";
import { folderBuilds, showRun, type RunReport, type RunResult } from "@eve/runtime";
import { openHarness, type Harness } from "../../../runtime/src/testing/harness.js";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../../..");

/** An app compiled from its sources, with an engine on a clock that stands still. */
export interface CompiledApp extends Harness {
  /** Starts a tool call and lets it go as far as it can without time passing; gives its run id. */
  call(tool: string, input?: object): Promise<string>;
  /** How a run ended. */
  result(runId: string): Promise<RunResult>;
  report(runId: string): Promise<RunReport>;
  /** Writes files (removes those given as undefined) and builds again; new runs start on the new build. */
  rebuild(files: Record<string, string | undefined>): Promise<void>;
  /** Restarts as a new process would, with or without the copies of builds that runs keep. */
  restartOn(options: { keepBuilds: boolean }): Promise<void>;
}

const WEBHOOKS = "http://127.0.0.1:7000";

/** Compiles the files and opens an engine. `dispose` after the tests. */
export async function compiledApp(
  files: Record<string, string>,
): Promise<CompiledApp & { dispose(): Promise<void> }> {
  const app = mkdtempSync(path.join(os.tmpdir(), "eve-spec-"));
  mkdirSync(path.join(app, "node_modules"));
  for (const name of ["eve", "zod"])
    symlinkSync(path.join(root, "node_modules", name), path.join(app, "node_modules", name));
  await compile(app, files);
  const places = { output: path.join(app, ".eve/output"), keep: path.join(app, ".eve/data/builds") };
  let builds = folderBuilds(places);
  // The import of the host code is real I/O, which a still clock doesn't wait for: have it done.
  const warm = async () => (await builds.current()).server();
  await warm();
  const webhooks = { current: () => WEBHOOKS, open: async () => WEBHOOKS };
  const harness = await openHarness(builds, { webhooks });
  let calls = 0;
  const extra = {
    async call(tool: string, input: object = {}) {
      calls += 1;
      const session = {
        id: "session",
        auth: { current: null, initiator: null },
        turn: { id: "turn_0", sequence: 0 },
      };
      const runId = await harness.engine.startRun({
        tool,
        input,
        context: { session, callId: `call-${calls}` },
      });
      await harness.clock.settle();
      return runId;
    },
    result: (runId: string) => harness.engine.run(runId).result(),
    report: (runId: string) => showRun(harness.store, runId),
    async restartOn(options: { keepBuilds: boolean }) {
      if (!options.keepBuilds) rmSync(places.keep, { recursive: true, force: true });
      builds = folderBuilds(places); // what a new process knows
      await warm();
      await harness.restart({ builds });
    },
    async rebuild(changed: Record<string, string | undefined>) {
      await compile(app, changed);
      builds.reload();
      await warm();
    },
    async dispose() {
      await harness.close();
      rmSync(app, { recursive: true, force: true });
    },
  };
  // Getters of the harness (engine, store) must stay getters: a restart replaces them.
  return Object.assign(Object.create(harness) as Harness, extra);
}

async function compile(app: string, files: Record<string, string | undefined>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    if (text === undefined) {
      rmSync(path.join(app, file));
      continue;
    }
    mkdirSync(path.dirname(path.join(app, file)), { recursive: true });
    writeFileSync(path.join(app, file), text);
  }
  const result = await build({ root: app, evaluate: false, sdk: { dir: path.join(root, "packages/eve") } });
  if (!result.ok) throw new Error(formatPretty(result.diagnostics, { root: app }));
}
