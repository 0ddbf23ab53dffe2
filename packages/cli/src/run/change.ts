import type { App } from "../app/locate.js";
import { openRuntime } from "../app/runtime.js";
import { EXIT, UsageError } from "../errors.js";
import type { Io } from "../terminal/io.js";

export type Change =
  | { change: "answer"; runId: string; requestId: string | undefined; answer: string }
  | { change: "cancel"; runId: string; reason: string | undefined };

/** Answers or cancels a run, lets it go on as far as it can, and says where it stands. Gives the exit status. */
export async function changeRun(app: App, io: Io, change: Change): Promise<number> {
  const { engine, close } = await openRuntime(app, io);
  try {
    const handle = engine.run(change.runId);
    await handle.status(); // RUN_NOT_FOUND before anything is changed
    if (change.change === "cancel") {
      await engine.cancelAndWait(change.runId, change.reason === undefined ? {} : { reason: change.reason });
    } else await answer(handle, change);
    const status = await handle.idle();
    io.err(`Run ${change.runId} is ${status}.`);
    if (status === "waiting") io.err(`Follow it with: eve run --resume ${change.runId}`);
    return status === "failed" ? EXIT.failed : EXIT.ok;
  } finally {
    await close();
  }
}

type Handle = ReturnType<Awaited<ReturnType<typeof openRuntime>>["engine"]["run"]>;

async function answer(
  handle: Handle,
  { runId, requestId, answer: typed }: Extract<Change, { change: "answer" }>,
): Promise<void> {
  const { describeAnswers, readAnswer } = await import("@eve/runtime");
  const open = await handle.questions();
  const list = open
    .map((question) => `  ${question.requestId}: ${question.request.prompt.split("\n")[0] ?? ""}`)
    .join("\n");
  if (open.length === 0)
    throw new UsageError(`Run ${runId} has no open question (its status: ${await handle.status()}).`);
  if (requestId === undefined && open.length > 1)
    throw new UsageError(`Run ${runId} has several open questions; name one:\n${list}`);
  const question = requestId === undefined ? open[0] : open.find((one) => one.requestId === requestId);
  if (!question) throw new UsageError(`Run ${runId} has no open question ${requestId ?? ""}. Open:\n${list}`);
  const reply = readAnswer(question.request, typed);
  if (!reply)
    throw new UsageError(
      `${JSON.stringify(typed)} doesn't answer this question. It takes ${describeAnswers(question.request)}.`,
    );
  await handle.answer(question.requestId, reply);
}
