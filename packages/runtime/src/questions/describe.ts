import type { QuestionRequest } from "../engine/questions.js";

/** True when a text that is none of the options is an answer. */
export function takesText(request: QuestionRequest): boolean {
  return request.allowFreeform === true || (request.options ?? []).length === 0;
}

/** What may be answered, in words: `approve (Deploy), cancel (Cancel) or any text`. */
export function describeAnswers(request: QuestionRequest): string {
  const named = (request.options ?? []).map(({ id, label }) => (id === label ? id : `${id} (${label})`));
  if (takesText(request)) named.push("any text");
  const last = named.pop() ?? "any text";
  return named.length === 0 ? last : `${named.join(", ")} or ${last}`;
}
