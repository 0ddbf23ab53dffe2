import { setTimeout as wait } from "node:timers/promises";
import type { OpenQuestion, Store } from "@eve/runtime";
import type { App } from "../app/locate.js";
import { openRuntime, requireRuns, requireRunsToChange } from "../app/runtime.js";
import { EXIT, messageOf, UsageError } from "../errors.js";
import type { Io } from "../terminal/io.js";
import { hasEnded } from "./report.js";
import { reachHolder, type Holder } from "./holder.js";

export type Change =
  | { change: "answer"; runId: string; requestId: string | undefined; answer: string }
  | { change: "cancel"; runId: string; reason: string | undefined };

/** A change that was checked against the run as it stands. */
type Checked =
  | { change: "answer"; runId: string; requestId: string; optionId?: string; text?: string }
  | { change: "cancel"; runId: string; reason: string | undefined };

/**
 * Answers or cancels a run and says where it stands then. A process that holds the data folder is asked to do it,
 * if it listens; otherwise this one takes the folder, and the run goes on as far as it can. Gives the exit status.
 */
export async function changeRun(app: App, io: Io, change: Change, json = false): Promise<number> {
  const { store, close } = await requireRunsToChange(app);
  let checked: Checked;
  try {
    checked = await check(store, change);
  } finally {
    await close();
  }
  const holder = await reachHolder(app);
  const patience = change.change === "cancel" ? tellCleanup(io, change.runId) : undefined;
  const work = holder ? changeThere(app, holder, checked) : changeHere(app, io, checked);
  const status = await work.finally(() => clearTimeout(patience));
  if (json) io.out(JSON.stringify({ runId: change.runId, status }));
  else io.err(`Run ${change.runId} is ${status}.`);
  if (status === "completed" && !json) await printOutput(app, io, change.runId);
  if (status === "waiting" && !holder) io.err(`Follow it with: eve run --resume ${change.runId}`);
  return status === "failed" ? EXIT.failed : EXIT.ok;
}

/** A cancellation that takes longer than a moment is no hang: the body may clean up, also one that does nothing now. */
function tellCleanup(io: Io, runId: string): NodeJS.Timeout {
  const text = `Run ${runId} is being cancelled; its body has 30 s to clean up.`;
  return setTimeout(() => io.err(text), 1_000);
}

async function printOutput(app: App, io: Io, runId: string): Promise<void> {
  const { showRun } = await import("@eve/runtime");
  const { store, close } = await requireRuns(app);
  try {
    io.out(JSON.stringify((await showRun(store, runId)).output ?? null));
  } finally {
    await close();
  }
}

async function check(store: Store, change: Change): Promise<Checked> {
  const { runId } = change;
  const row = await store.run(runId);
  if (!row)
    throw new UsageError(`There is no run ${runId}. \`eve runs list\` shows the runs of this data folder.`);
  if (hasEnded(row.status))
    throw new UsageError(`Run ${runId} has ended (${row.status}); nothing was changed.`);
  return change.change === "cancel" ? change : await checkAnswer(store, change);
}

async function checkAnswer(
  store: Store,
  { runId, requestId, answer }: Extract<Change, { change: "answer" }>,
): Promise<Checked> {
  const { describeAnswers, readAnswer } = await import("@eve/runtime");
  const open = (await store.questions(runId)).map((row) => ({
    requestId: row.requestId,
    request: JSON.parse(row.request) as OpenQuestion["request"],
  }));
  const list = open
    .map((question) => `  ${question.requestId}: ${question.request.prompt.split("\n")[0] ?? ""}`)
    .join("\n");
  if (open.length === 0) throw new UsageError(`Run ${runId} has no open question.`);
  if (requestId === undefined && open.length > 1)
    throw new UsageError(`Run ${runId} has several open questions; name one:\n${list}`);
  const question = requestId === undefined ? open[0] : open.find((one) => one.requestId === requestId);
  if (!question) throw new UsageError(`Run ${runId} has no open question ${requestId ?? ""}. Open:\n${list}`);
  const reply = readAnswer(question.request, answer);
  if (!reply)
    throw new UsageError(
      `${JSON.stringify(answer)} doesn't answer this question. It takes ${describeAnswers(question.request)}.`,
    );
  return { change: "answer", runId, requestId: question.requestId, ...reply };
}

async function changeHere(app: App, io: Io, change: Checked): Promise<string> {
  const { engine, close } = await openRuntime(app, io);
  try {
    const { runId } = change;
    if (change.change === "cancel") {
      return (await engine.cancelAndWait(runId, change.reason === undefined ? {} : { reason: change.reason }))
        .status;
    }
    const { requestId, optionId, text } = change;
    try {
      await engine.answer(runId, requestId, {
        ...(optionId === undefined ? {} : { optionId }),
        ...(text === undefined ? {} : { text }),
      });
    } catch (error) {
      // A run that can't go on has ended by now, and the reason is recorded with it.
      const status = await engine.run(runId).status();
      if (!hasEnded(status)) throw error;
      io.err(`eve: ${messageOf(error)}`);
      return status;
    }
    return await engine.run(runId).idle();
  } finally {
    await close();
  }
}

/** How long to watch a run that another process works on, in milliseconds. */
const WATCH = 5_000;

async function changeThere(app: App, holder: Holder, change: Checked): Promise<string> {
  const path = `/eve/v1/runs/${encodeURIComponent(change.runId)}`;
  if (change.change === "cancel") {
    const result = (await holder.post(
      `${path}/cancel`,
      change.reason === undefined ? {} : { reason: change.reason },
    )) as { status: string };
    return result.status;
  }
  const { requestId, optionId, text } = change;
  await holder.post(`${path}/inputs`, { inputResponses: [{ requestId, optionId, text }] });
  return await restingStatus(app, change.runId);
}

/** The run's status once it rests. Read from the store: the holder may end with the run. */
async function restingStatus(app: App, runId: string): Promise<string> {
  const { store, close } = await requireRuns(app);
  try {
    for (const deadline = Date.now() + WATCH; ; await wait(50)) {
      const status = (await store.run(runId))?.status ?? "running";
      if (status !== "running" || Date.now() > deadline) return status;
    }
  } finally {
    await close();
  }
}
