import type { QuestionReply, QuestionRequest } from "./request.js";

/** True when a text that is none of the options is an answer. */
export function takesText(request: QuestionRequest): boolean {
  return request.allowFreeform === true || (request.options ?? []).length === 0;
}

/**
 * Reads a plain message as an answer: trimmed, it is an option's id, else its label (any case), else its number
 * (from 1); otherwise a text, where one is allowed. `undefined`: it answers nothing.
 */
export function matchAnswer(request: QuestionRequest, message: string): QuestionReply | undefined {
  const text = message.trim();
  const options = request.options ?? [];
  const byId = options.find(({ id }) => id === text);
  const byLabel = options.find(({ label }) => label.toLowerCase() === text.toLowerCase());
  const byNumber = /^[1-9]\d*$/.test(text) ? options[Number(text) - 1] : undefined;
  const option = byId ?? byLabel ?? byNumber;
  if (option) return { optionId: option.id };
  return takesText(request) && text !== "" ? { text } : undefined;
}

/** What may be answered, in words: `approve (Deploy), cancel (Cancel) or any text`. */
export function describeAnswers(request: QuestionRequest): string {
  const named = (request.options ?? []).map(({ id, label }) => (id === label ? id : `${id} (${label})`));
  if (takesText(request)) named.push("any text");
  const last = named.pop() ?? "any text";
  return named.length === 0 ? last : `${named.join(", ")} or ${last}`;
}
