import type { HttpMessage } from "../environment.js";
import { isObject, type ValueKind } from "./kind.js";

export const headersKind: ValueKind = {
  tag: "Headers",
  reduce: (value, { environment }) => (isObject(value) ? environment.describeHeaders(value) : undefined),
  revive: (entries: [string, string][], environment) => environment.reviveHeaders(entries),
};

/** Requests and responses, with their whole body. */
export const messageKind: ValueKind = {
  tag: "HttpMessage",
  reduce: (value, { environment }) => (isObject(value) ? environment.describeMessage(value) : undefined),
  revive: (message: HttpMessage & { body: Uint8Array | null }, environment) =>
    environment.reviveMessage(message),
};
