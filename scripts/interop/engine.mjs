import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { createEngine, folderBuilds, openSqliteStore } from "../../packages/runtime/dist/index.js";

/**
 * Runs compiled output on eve's engine and the SQLite store, in this process; the counterpart of `openWorld`.
 *
 * @param {object} options
 * @param {string} options.output folder that `eve build` wrote
 * @param {string} options.dataDir data folder, below the application's `node_modules`' folder
 */
export async function openEngine({ output, dataDir }) {
  const { store } = openSqliteStore({ dir: dataDir });
  const engine = createEngine({
    store,
    builds: folderBuilds({ output, keep: path.join(dataDir, "builds") }),
    // Requests are handed over in this process: nothing needs to listen.
    webhooks: { current: () => "http://localhost", open: async () => "http://localhost" },
    onProblem({ runId, error }) {
      console.error(`run ${runId ?? "?"}:`, error);
    },
  });
  await engine.recover();
  return {
    engine,
    /** Starts a run and gives its id. */
    start: (workflowId, args) => engine.startRun({ workflowId, args }),
    /** Waits for the end of a run and gives what came of it. */
    async outcome(runId) {
      const { status, output: value, error } = await engine.run(runId).result();
      return status === "completed"
        ? { status, output: value }
        : { status, error: { message: error?.message } };
    },
    /** The run's stream, from its start. */
    stream: (runId) => engine.run(runId).stream(),
    /** Waits until a hook with this token is open. */
    async hookOpened(token) {
      for (;;) {
        try {
          await engine.getHookByToken(token);
          return;
        } catch (error) {
          if (error.code !== "HOOK_NOT_FOUND") throw error;
          await setTimeout(2);
        }
      }
    },
    resume: (token, payload) => engine.resumeHook(token, payload),
    webhook: (token, request) => engine.resumeWebhook(token, request),
    async close() {
      await engine.close();
      await store.close();
    },
  };
}
