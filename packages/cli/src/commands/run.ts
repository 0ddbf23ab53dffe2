import { Option, type Command } from "commander";
import { printFindings } from "../app/findings.js";
import type { App } from "../app/locate.js";
import { invocationOf } from "../app/options.js";
import type { Store } from "@eve/runtime";
import { openRuntime, type Runtime } from "../app/runtime.js";
import { SDK } from "../app/sdk.js";
import { EXIT, messageOf, UsageError } from "../errors.js";
import { prepareCall, type RefusedCall } from "../run/call.js";
import { followRun, type Followed } from "../run/follow.js";
import { hasEnded, refusedDocument, runDocument, type RunDocument } from "../run/report.js";
import { terminalView } from "../run/view.js";
import type { Answers } from "../terminal/answers.js";
import type { Io } from "../terminal/io.js";
import { reserveStdout } from "../terminal/stdout.js";
import { collect, compileApp } from "./build.js";

interface Options {
  input?: string;
  answer: string[];
  json?: true;
  build: boolean;
  resume?: string;
}

const EXAMPLES = `
Examples:
  $ eve run deploy --input '{"service":"api"}'       ask its questions here
  $ eve run deploy --input @call.json --answer approve
  $ eve run --resume wrun_01J…                       go on with a run that was left waiting
  $ echo '{"service":"api"}' | eve run deploy --input - --json

Without a terminal each line of standard input is an answer; at its end the run is left waiting (exit status 0).
An answer is an option's id, its label or its number, or a text where the question takes one.`;

export function addRunCommand(program: Command): void {
  program
    .command("run")
    .argument("[tool]", "name of the tool, as eve info lists it")
    .description("make one tool call on the embedded store and follow it to its end")
    .option("--input <json>", "the tool's input: JSON, @file, or - for standard input (default: {})")
    .addOption(
      new Option("--answer <answer>", "answers the next question (repeatable)")
        .argParser(collect)
        .default([], "none"),
    )
    .option("--json", "print one document on stdout and nothing else")
    .option("--no-build", "use the output that is there")
    .option("--resume <runId>", "go on with a run that was left waiting")
    .addHelpText("after", EXAMPLES)
    .action(async (tool: string | undefined, options: Options, command: Command) => {
      const { io, format, app } = invocationOf(command);
      if ((tool === undefined) === (options.resume === undefined)) {
        throw new UsageError(
          "Name the tool to call, or a run to go on with: eve run <tool>, or eve run --resume <runId>.",
        );
      }
      const write = options.json ? reserveStdout() : io.out;
      const place = app();
      if (options.build && options.resume === undefined) {
        const { ok, root, diagnostics } = await compileApp({ root: place.root, sdk: SDK });
        await printFindings({ ...io, out: write }, format, root, diagnostics);
        if (!ok) {
          process.exitCode = EXIT.failed;
          return;
        }
      }
      process.exitCode = await run(place, io, write, tool, options);
    });
}

/** Starts or resumes the run, follows it and prints what came of it. Gives the exit status. */
async function run(
  app: App,
  io: Io,
  write: (text: string) => void,
  tool: string | undefined,
  options: Options,
): Promise<number> {
  const runtime = await openRuntime(app, io, { print: options.json ? io.err : write });
  const { createAnswers } = await import("../terminal/answers.js"); // loads the runtime
  const answers = createAnswers(io, options.answer);
  const leave = leaveOnSignal();
  try {
    const started =
      tool === undefined
        ? await resume(runtime, options.resume as string)
        : await start(runtime, tool, options.input, io, answers);
    if ("refused" in started) {
      if (options.json) write(JSON.stringify(refusedDocument(started.refused)));
      else io.err(`eve: ${started.refused} No run was started.`);
      return EXIT.failed;
    }
    try {
      const followed = await follow(runtime, io, write, answers, started, leave.signal, options);
      return await conclude(runtime, io, write, started.runId, followed, options);
    } catch (error) {
      // An answer that doesn't fit: the run waits for another one.
      if (!(error instanceof UsageError)) throw error;
      io.err(`eve: ${messageOf(error)}`);
      await conclude(runtime, io, write, started.runId, "left-waiting", options);
      return EXIT.usage;
    }
  } finally {
    leave.release();
    answers.close();
    await runtime.close();
  }
}

/** Ctrl-C, and being asked to end, leave the run where its last commit is. */
function leaveOnSignal(): { signal: AbortSignal; release(): void } {
  const leave = new AbortController();
  const onSignal = () => leave.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.once(signal, onSignal);
  return {
    signal: leave.signal,
    release() {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

async function follow(
  runtime: Runtime,
  io: Io,
  write: (text: string) => void,
  answers: Answers,
  started: Started,
  signal: AbortSignal,
  options: Options,
): Promise<Followed> {
  if (started.ended) return "ended";
  // With an address, `eve runs answer` in another terminal can answer too.
  const listen = () => {
    runtime.server.open().catch((error: unknown) => io.err(io.colors.yellow(`eve: ${messageOf(error)}`)));
  };
  const view = terminalView(io, options.json ? io.err : write, listen);
  if (started.since !== undefined)
    for (const hook of await runtime.store.hooks(started.runId)) view.hook(hook);
  return await followRun(runtime.engine.run(started.runId), answers, view, { signal, since: started.since });
}

/** Prints the document, or what a person wants to know, and what to do next. */
async function conclude(
  { store, builds }: Runtime,
  io: Io,
  write: (text: string) => void,
  runId: string,
  followed: Followed,
  options: Options,
): Promise<number> {
  const { showRun } = await import("@eve/runtime");
  const report = await showRun(store, runId, { builds });
  const document = runDocument(report);
  if (options.json) write(JSON.stringify(document));
  else print(io, write, document);
  if (document.status === "waiting") {
    const state = report.status === "waiting" ? "waits" : "was interrupted";
    io.err(`Run ${runId} ${state}. Go on with: eve run --resume ${runId}`);
  } else await tellChildren(store, io, runId);
  if (followed === "interrupted") return EXIT.interrupted;
  return document.status === "failed" || document.status === "cancelled" ? EXIT.failed : EXIT.ok;
}

/** Runs that this one started may go on after it: without a process that serves them they stand still. */
async function tellChildren(store: Store, io: Io, runId: string): Promise<void> {
  const children = (await store.runs({ parentRunId: runId })).filter(({ status }) => !hasEnded(status));
  for (const child of children)
    io.err(`Run ${child.runId}, which it started, goes on with: eve run --resume ${child.runId}`);
}

/** A run to follow: `since` names its last event that was shown before. */
interface Started {
  runId: string;
  since?: string;
  ended?: true;
}

async function start(
  { engine, builds }: Runtime,
  tool: string,
  input: string | undefined,
  io: Io,
  answers: Answers,
): Promise<Started | RefusedCall> {
  const build = await builds.current();
  const call = await prepareCall(build, { tool, input }, io, answers);
  if ("refused" in call) return call;
  return { runId: await engine.startRun({ ...call, build }) };
}

/** Takes a run up again; what it showed before isn't shown again. */
async function resume({ engine, server, store }: Runtime, runId: string): Promise<Started> {
  const status = await engine.run(runId).status();
  if (hasEnded(status)) return { runId, ended: true };
  const last = await store.lastEntry(runId);
  await server.openIfAwaited(store, runId); // before the run goes on: its webhooks keep their address
  await engine.retryStalled(runId); // asked for by name, it gets another chance
  try {
    await engine.resume(runId);
  } catch (error) {
    // Why it can't go on is recorded with the run by now: it is reported as any other failure.
    if (!hasEnded(await engine.run(runId).status())) throw error;
    return { runId, ended: true };
  }
  return { runId, since: `${runId}:${last?.seq ?? 0}` };
}

function print(io: Io, write: (text: string) => void, { status, output, error }: RunDocument): void {
  if (status === "completed") write(JSON.stringify(output));
  else if (status === "failed")
    io.err(io.colors.red(error?.stack ?? `${error?.name ?? "Error"}: ${error?.message ?? "unknown"}`));
  else if (status === "cancelled") io.err("The run was cancelled.");
}
