/** How requests, responses and headers of this realm are carried. */
import type { HttpMessage } from "../values/environment.js";
import { WorkflowUsageError } from "./errors.js";
import { fitting } from "./limits.js";
import { emit } from "./state.js";
import { codec, environment } from "./values.js";
import { web } from "./lazy.js";
import type { BodyInit } from "./web/body.js";
import type { Request } from "./web/http.js";

/** Requests of manual webhooks, with the id under which their answer is recorded. */
const respondIds = new WeakMap<Request, string>();
const answered = new Set<string>();

/** Gives a request of a manual webhook its `respondWith()`. */
export function durableRequest(value: unknown, id: string): unknown {
  const { Request, Response } = web.get();
  if (!(value instanceof Request)) return value;
  respondIds.set(value, id);
  async function respondWith(response: unknown): Promise<void> {
    if (!(response instanceof Response)) throw new TypeError("request.respondWith() takes a Response.");
    if (answered.has(id)) throw new WorkflowUsageError("This request was answered already.");
    const text = fitting(codec.encode(response, "response"), "A webhook's response");
    answered.add(id);
    emit({ op: "respond", request: id, response: text });
  }
  Object.defineProperty(value, "respondWith", { value: respondWith, configurable: true });
  return value;
}

environment.describeHeaders = (value) => {
  const part = web.loaded();
  return part && value instanceof part.Headers ? [...value] : undefined;
};
environment.reviveHeaders = (entries) => new (web.get().Headers)(entries);

environment.describeMessage = (value): HttpMessage | undefined => {
  const part = web.loaded();
  if (!part) return undefined;
  const { Request, Response, contents } = part;
  if (value instanceof Request) {
    const { method, url } = value;
    const respond = respondIds.get(value);
    return {
      kind: "request",
      method,
      url,
      headers: [...value.headers],
      body: contents(value),
      ...(respond === undefined ? {} : { respond }),
    };
  }
  if (value instanceof Response) {
    const { status, statusText } = value;
    return { kind: "response", status, statusText, headers: [...value.headers], body: contents(value) };
  }
  return undefined;
};

environment.reviveMessage = (message) => {
  const { Headers, Request, Response } = web.get();
  const headers = new Headers(message.headers);
  const body = message.body as BodyInit;
  if (message.kind === "response") {
    return new Response(body, {
      status: message.status ?? 200,
      statusText: message.statusText ?? "",
      headers,
    });
  }
  const request = new Request(message.url ?? "", { method: message.method ?? "GET", headers, body });
  return message.respond === undefined ? request : durableRequest(request, message.respond);
};
