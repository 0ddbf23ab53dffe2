import {
  InvalidAnswerError,
  QuestionNotPendingError,
  RunEndedError,
  ValueTooLargeError,
} from "../errors/engine.js";
import type { AskAnswer } from "./inputs.js";
import type { Core } from "./core.js";

/** A question's request, as `ctx.ask` was given it. */
export interface QuestionRequest {
  prompt: string;
  display?: "confirmation" | "select" | "text";
  options?: readonly { id: string; label: string; description?: string; style?: string }[];
  allowFreeform?: boolean;
}

/** An open question of a run. */
export interface OpenQuestion {
  requestId: string;
  runId: string;
  request: QuestionRequest;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** What a person gave: the id of an option, or a text. */
export interface Answer {
  optionId?: string;
  text?: string;
}

/** Open questions of a run, or of all runs, oldest first. */
export async function openQuestions(core: Core, runId?: string): Promise<OpenQuestion[]> {
  const rows = await core.store.questions(runId);
  return rows.map((row) => ({
    requestId: row.requestId,
    runId: row.runId,
    request: JSON.parse(row.request) as QuestionRequest,
    createdAt: row.createdAt,
  }));
}

/**
 * Answers a question; resolves once the answer is recorded.
 * Errors: `QUESTION_NOT_PENDING`; `WORKFLOW_MISSING` and `REPLAY_DIVERGENCE`, with which the run ends; `INVALID_ANSWER` and `VALUE_TOO_LARGE`, with which the question stays open.
 */
export async function answerQuestion(
  core: Core,
  runId: string,
  requestId: string,
  answer: Answer,
): Promise<void> {
  const row = await core.store.question(requestId);
  if (!row || row.runId !== runId) throw await notPending(core, runId, requestId);
  const checked = checkAnswer(requestId, JSON.parse(row.request) as QuestionRequest, answer);
  const { valueSize } = core.limits;
  const size = checked.text?.length ?? 0;
  if (size > valueSize) throw new ValueTooLargeError("The answer", size, valueSize);
  try {
    await core.request<void>(runId, (ack) => ({ type: "answer", key: row.key, answer: checked, ack }));
  } catch (error) {
    // Withdrawn between the look and the delivery.
    if (error instanceof RunEndedError) throw await notPending(core, runId, requestId);
    throw error;
  }
}

async function notPending(core: Core, runId: string, requestId: string): Promise<QuestionNotPendingError> {
  const open = await core.store.questions(runId);
  return new QuestionNotPendingError(
    runId,
    requestId,
    open.map((one) => one.requestId),
  );
}

/** The answer as the body gets it. Throws `InvalidAnswerError`. */
export function checkAnswer(
  requestId: string,
  request: QuestionRequest,
  { optionId, text }: Answer,
): AskAnswer {
  const { options = [], allowFreeform } = request;
  const list = options.map((option) => option.id).join(", ");
  if (optionId !== undefined) {
    if (options.length === 0) throw new InvalidAnswerError(requestId, "it has no options", "Give a text.");
    if (!options.some((option) => option.id === optionId)) {
      throw new InvalidAnswerError(
        requestId,
        `${JSON.stringify(optionId)} is none of its options`,
        `Options: ${list}.`,
      );
    }
    return { status: "answered", optionId, ...(text === undefined ? {} : { text }) };
  }
  if (text === undefined) throw new InvalidAnswerError(requestId, "neither an option nor a text was given");
  if (options.length > 0 && !allowFreeform) {
    throw new InvalidAnswerError(requestId, "it takes one of its options, no text", `Options: ${list}.`);
  }
  return { status: "answered", text };
}

/**
 * Reads what a person typed: an option's id, then its label (any case), then its number (from 1); else a text,
 * where the question takes one. Undefined when it is none of these.
 */
export function readAnswer(request: QuestionRequest, typed: string): Answer | undefined {
  const text = typed.trim();
  const { options = [], allowFreeform } = request;
  const byId = options.find((option) => option.id === text);
  const byLabel = options.find((option) => option.label.toLowerCase() === text.toLowerCase());
  const byNumber = /^\d+$/.test(text) ? options[Number(text) - 1] : undefined;
  const option = byId ?? byLabel ?? byNumber;
  if (option) return { optionId: option.id };
  return text !== "" && (allowFreeform === true || options.length === 0) ? { text } : undefined;
}
