/**
 * Runs bundles in the portable form on `@workflow/core` with `@workflow/world-local`, in this process and without
 * HTTP. The runtime keeps its World, its step registry and its handlers on `globalThis`, so a process can host
 * one application: `openWorld` may be called once.
 */
import { createServer } from "node:http";
import { importFrom, installEveHost } from "./eve-host.mjs";

/** The symbols under which the runtime looks for its World before it makes one of its own. */
const WORLD = Symbol.for("@workflow/world//cache");
const WORLD_HANDLERS = Symbol.for("@workflow/world//stubbedCache");

const ENDED = new Set(["run_completed", "run_failed", "run_cancelled"]);

/**
 * A deferred per key: whoever asks first waits, whoever announces first is remembered.
 */
function meetingPoints() {
  const points = new Map();
  const at = (key) => {
    if (!points.has(key)) points.set(key, Promise.withResolvers?.() ?? withResolvers());
    return points.get(key);
  };
  return { announce: (key, value) => at(key).resolve(value), expect: (key) => at(key).promise };
}

function withResolvers() {
  const out = {};
  out.promise = new Promise((resolve, reject) => Object.assign(out, { resolve, reject }));
  return out;
}

/** Listens on a port that answers nothing. Without one the runtime looks for it again on every replay. */
function listen() {
  const server = createServer((_request, response) => response.writeHead(404).end());
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

/**
 * Hosts one application.
 *
 * @param {object} options
 * @param {string} options.modules folder whose `node_modules` holds `@workflow/core` and `@workflow/world-local`
 * @param {string} options.dataDir empty folder for the world's files
 * @param {string} options.workflowCode text of the workflow bundle
 * @param {(runtime: object) => Promise<unknown>} options.importSteps evaluates the step bundle, which registers its
 *   steps; gets the runtime's module
 */
export async function openWorld({ modules, dataDir, workflowCode, importSteps }) {
  const { createLocalWorld } = await importFrom(modules, "@workflow/world-local");
  const world = createLocalWorld({ dataDir });

  const ended = meetingPoints();
  const hooks = meetingPoints();
  const create = world.events.create.bind(world.events);
  // The runtime's own way to wait for a run polls once a second: watch the events instead.
  world.events.create = async (runId, event, ...rest) => {
    const result = await create(runId, event, ...rest);
    if (ENDED.has(event.eventType)) ended.announce(runId, performance.now());
    if (event.eventType === "hook_created") hooks.announce(event.eventData.token);
    return result;
  };
  globalThis[WORLD] = world;
  globalThis[WORLD_HANDLERS] = world;

  const server = await listen();
  const runtime = await importFrom(modules, "@workflow/core/runtime");
  world.registerHandler("__wkf_workflow_", runtime.workflowEntrypoint(workflowCode));
  world.registerHandler("__wkf_step_", runtime.stepEntrypoint);
  await world.start?.();
  installEveHost(runtime, await importFrom(modules, "@workflow/core"));
  await importSteps(runtime);

  return {
    runtime,
    /** Starts a run and gives its id. */
    start: async (workflowId, args) => (await runtime.start({ workflowId }, args)).runId,
    /** Waits for the end of a run; gives `performance.now()` of that moment. */
    ended: (runId) => ended.expect(runId),
    /** The run's stream, from its start. */
    stream: (runId) => runtime.getRun(runId).getReadable(),
    /** Waits until a hook with this token is open. */
    hookOpened: (token) => hooks.expect(token),
    /** Waits for the end of a run and gives what came of it. */
    async outcome(runId) {
      await ended.expect(runId);
      const run = runtime.getRun(runId);
      const status = await run.status;
      if (status === "completed") return { status, output: await run.returnValue };
      const { error } = await world.runs.get(runId);
      return { status, error: { message: error?.message ?? String(error) } };
    },
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await world.close?.();
    },
  };
}
