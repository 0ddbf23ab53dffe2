import process from "node:process";
import type { Build } from "../builds/types.js";
import { UnknownToolError } from "../errors/engine.js";
import type { RunStarted } from "../log/state.js";
import { LOG_VERSION } from "../log/types.js";
import type { RunRow } from "../store/types.js";
import type { Core } from "./core.js";
import { lineageOf } from "./actors.js";
import { requireWorkflow } from "./load.js";
import { pruneBuilds } from "./recover.js";
import type { StartRun } from "./options.js";

/** What a call of a tool runs: workflow id and entry point. Throws `UnknownToolError`. */
export function toolOf(
  build: Build,
  name: string,
): { workflowId: string; entryPoint: "execute" | "task" | "serve" } {
  const { tools } = build.manifest;
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (tool?.workflowId === undefined || tool.entryPoint === undefined) {
    const known = Object.keys(tools).filter((one) => tools[one]?.workflowId !== undefined);
    throw new UnknownToolError(name, known.sort());
  }
  return { workflowId: tool.workflowId, entryPoint: tool.entryPoint };
}

/**
 * Records a new run and starts its body; resolves with its id once both are committed, in one transaction.
 * Errors: `UNKNOWN_TOOL`, `WORKFLOW_MISSING`, `ENGINE_CLOSED`, those of builds and of the store, `SERIALIZATION_FAILED` and `VALUE_TOO_LARGE`.
 */
export async function startRun(core: Core, request: StartRun): Promise<string> {
  const build = request.build ?? (await core.options.builds.current());
  const tool = request.tool === undefined ? undefined : toolOf(build, request.tool);
  const workflowId = tool?.workflowId ?? request.workflowId;
  if (workflowId === undefined) throw new TypeError("startRun() takes a tool or a workflowId");
  requireWorkflow({ build }, workflowId);
  const args = request.tool === undefined ? [...(request.args ?? [])] : [request.input ?? {}];
  const what = tool ? `The input of the tool ${request.tool}` : `The arguments of workflow ${workflowId}`;
  const encoded = await core.values.encodeWithin(args, "args", what);
  const isNew = await core.options.builds.keep(build);
  const createdAt = core.clock.now();
  const runId = core.ids.runId(createdAt);
  const parent = request.parentRunId === undefined ? undefined : await core.store.run(request.parentRunId);
  const row: RunRow = {
    runId,
    workflowId,
    buildId: build.id,
    status: "running",
    createdAt,
    depth: parent ? parent.depth + 1 : 0,
    ...(request.tool === undefined ? {} : { tool: request.tool }),
    ...(parent ? { parentRunId: parent.runId } : {}),
    ...(request.target === undefined ? {} : { target: request.target }),
  };
  const started = startedEvent(core, request, row, encoded, tool?.entryPoint);
  const epoch = await core.store.claim(runId);
  const actor = core.actors.create(row, epoch, build, started, await lineageOf(core.store, row));
  try {
    await new Promise<void>((resolve, reject) => {
      core.loop.enqueue(actor, { type: "start", ack: { resolve, reject } });
    });
  } catch (error) {
    // The transaction that would have made the run failed: there is no run.
    core.actors.forget(actor);
    throw error;
  }
  if (isNew) await pruneBuilds(core);
  return runId;
}

function startedEvent(
  core: Core,
  request: StartRun,
  row: RunRow,
  args: string,
  entryPoint: "execute" | "task" | "serve" | undefined,
): RunStarted {
  const url = core.options.webhooks?.current();
  const { tool, context } = request;
  return {
    type: "run-started",
    version: LOG_VERSION,
    workflowId: row.workflowId,
    buildId: row.buildId,
    args,
    seed: core.ids.seed(),
    nodeMajor: Number(process.versions.node.split(".")[0]),
    eveVersion: core.options.eveVersion ?? "0.0.0",
    depth: row.depth,
    valueSize: core.limits.valueSize,
    ...(tool === undefined
      ? {}
      : { tool, context: JSON.stringify({ ...(context ?? localCall(row.runId)), toolName: tool }) }),
    ...(entryPoint === undefined ? {} : { entryPoint }),
    ...(url === undefined ? {} : { url }),
    ...(request.answerable === false ? { answerable: false } : {}),
    ...(row.parentRunId === undefined ? {} : { parentRunId: row.parentRunId }),
  };
}

/** The context of a call that no session made, such as `eve run`. */
function localCall(runId: string) {
  return {
    session: {
      id: runId,
      auth: { current: null, initiator: null },
      turn: { id: `${runId}-turn-0`, sequence: 0 },
    },
    callId: `${runId}-call`,
    agents: {},
  };
}
