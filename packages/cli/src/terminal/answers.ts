import { createInterface } from "node:readline";
import { describeAnswers, readAnswer, takesText, type Answer, type QuestionRequest } from "@eve/runtime";
import { UsageError } from "../errors.js";
import type { Io } from "./io.js";

/** One answer, or why there is none: nobody is left to ask, or the person pressed Ctrl-C. */
export type Asked = Answer | "end-of-input" | "interrupted";

/** Where the answers to a run's questions come from. */
export interface Answers {
  /** Shows the question and waits for its answer. Aborting `signal` takes the question off the screen. */
  ask(request: QuestionRequest, signal: AbortSignal): Promise<Asked>;
  close(): void;
}

/**
 * Answers in this order: those `given` (`--answer`), then the person at the terminal, or each line of standard
 * input where there is no terminal.
 */
export function createAnswers(io: Io, given: readonly string[]): Answers {
  const queue = [...given];
  const lines = io.interactive ? undefined : stdinLines(io);
  return {
    async ask(request, signal) {
      showQuestion(io, request);
      const next = queue.shift();
      if (next !== undefined) return fromOption(io, request, next);
      return lines ? await fromLines(io, request, lines, signal) : await fromTerminal(io, request, signal);
    },
    close: () => lines?.close(),
  };
}

function showQuestion(io: Io, request: QuestionRequest): void {
  const { colors } = io;
  io.err(`${colors.cyan("?")} ${request.prompt}`);
  if (io.interactive) return;
  for (const [index, { id, label, description }] of (request.options ?? []).entries()) {
    io.err(
      `  ${index + 1}. ${label}${label === id ? "" : colors.dim(` (${id})`)}${description ? colors.dim(` - ${description}`) : ""}`,
    );
  }
}

function fromOption(io: Io, request: QuestionRequest, text: string): Answer {
  const reply = readAnswer(request, text);
  if (!reply)
    throw new UsageError(
      `--answer ${JSON.stringify(text)} doesn't answer this question. It takes ${describeAnswers(request)}.`,
    );
  io.err(`  ${io.colors.dim("answered:")} ${text}`);
  return reply;
}

interface Lines {
  next(signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** Standard input, line by line; opened at the first question, so that a run without questions never reads it. */
function stdinLines(io: Io): Lines {
  let reader: ReturnType<typeof createInterface> | undefined;
  let ended = false;
  const ready: string[] = [];
  const waiting: ((line: string | undefined) => void)[] = [];
  const open = () => {
    // Read to its end already, by `--input -` for example: no line will come.
    if (io.stdin.readableEnded || io.stdin.destroyed) {
      ended = true;
      return;
    }
    reader = createInterface({ input: io.stdin, terminal: false });
    reader.on("line", (line) => {
      const resolve = waiting.shift();
      if (resolve) resolve(line);
      else ready.push(line);
    });
    reader.on("close", () => {
      ended = true;
      for (const resolve of waiting.splice(0)) resolve(undefined);
    });
  };
  return {
    next(signal) {
      if (!reader && !ended) open();
      const line = ready.shift();
      if (line !== undefined || ended) return Promise.resolve(line);
      return new Promise((resolve) => {
        const settle = (value: string | undefined) => {
          signal.removeEventListener("abort", withdrawn);
          resolve(value);
        };
        const withdrawn = () => {
          waiting.splice(waiting.indexOf(settle), 1);
          resolve(undefined);
        };
        waiting.push(settle);
        signal.addEventListener("abort", withdrawn, { once: true });
      });
    },
    close: () => reader?.close(),
  };
}

async function fromLines(
  io: Io,
  request: QuestionRequest,
  lines: Lines,
  signal: AbortSignal,
): Promise<Asked> {
  for (;;) {
    const line = await lines.next(signal);
    if (line === undefined) return "end-of-input";
    const reply = readAnswer(request, line);
    if (reply) return reply;
    io.err(
      io.colors.yellow(
        `  ${JSON.stringify(line)} doesn't answer this question. It takes ${describeAnswers(request)}.`,
      ),
    );
  }
}

/** Asks at the terminal. Ctrl-D is the end of input there, Ctrl-C leaves. */
async function fromTerminal(io: Io, request: QuestionRequest, withdrawn: AbortSignal): Promise<Asked> {
  const ended = new AbortController();
  const onData = (data: Buffer | string) => {
    if (data.toString() === "\u0004") ended.abort();
  };
  io.stdin.on("data", onData);
  try {
    return await prompt(request, AbortSignal.any([withdrawn, ended.signal]));
  } finally {
    io.stdin.off("data", onData);
    if (ended.signal.aborted) io.stdin.setRawMode?.(false);
  }
}

async function prompt(request: QuestionRequest, signal: AbortSignal): Promise<Asked> {
  const { isCancel, select, text } = await import("@clack/prompts");
  const interrupted = () => (signal.aborted ? "end-of-input" : "interrupted");
  const options = request.options ?? [];
  if (options.length > 0) {
    // Values are indexes: an id the author chose can't collide with "Something else…".
    const choices = options.map(({ label, description }, index) => ({
      value: index,
      label,
      ...(description === undefined ? {} : { hint: description }),
    }));
    if (takesText(request)) choices.push({ value: options.length, label: "Something else…" });
    const chosen = await select({ message: "Your answer", options: choices, signal, output: process.stderr });
    if (isCancel(chosen)) return interrupted();
    const option = options[chosen];
    if (option) return { optionId: option.id };
  }
  const typed = await text({
    message: "Your answer",
    signal,
    output: process.stderr,
    validate: (value) =>
      value?.trim() ? undefined : "Type an answer, or press Ctrl-C to leave the run waiting.",
  });
  return isCancel(typed) ? interrupted() : { text: typed.trim() };
}
