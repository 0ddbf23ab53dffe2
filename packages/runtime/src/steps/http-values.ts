import { OversizeError, PendingBytes, type HttpMessage } from "../values/index.js";

/** The bytes of a body that may be as long as it likes: more than `limit` of them aren't read. */
async function bytesOf(message: Request | Response, limit: number): Promise<Uint8Array | null> {
  const reader = message.clone().body?.getReader();
  if (!reader) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > limit) {
      // Not awaited: it takes as long as the message's own body is held. That it failed would say less than this does.
      reader.cancel().catch(() => undefined);
      throw new OversizeError("body", limit);
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks);
}

/**
 * The plain part of a Request or Response of this realm; its body is read while it is encoded.
 *
 * @param limit bytes of a body
 */
export function describeMessage(value: object, limit: number): HttpMessage | undefined {
  if (value instanceof Request) {
    return {
      kind: "request",
      method: value.method,
      url: value.url,
      headers: [...value.headers],
      body: value.body === null ? null : new PendingBytes(bytesOf(value, limit)),
    };
  }
  if (value instanceof Response) {
    return {
      kind: "response",
      status: value.status,
      statusText: value.statusText,
      headers: [...value.headers],
      body: value.body === null ? null : new PendingBytes(bytesOf(value, limit)),
    };
  }
  return undefined;
}

/** How a step answers a webhook request that was made with `respondWith: "manual"`. */
export type Respond = (request: string, response: Response) => Promise<void>;

const BODYLESS = new Set(["GET", "HEAD"]);
const NULL_BODY_STATUS = new Set([101, 103, 204, 205, 304]);

/** The reverse of `describeMessage`. */
export function reviveMessage(
  message: HttpMessage & { body: Uint8Array | null },
  respond?: Respond,
): Request | Response {
  const body = message.body as Uint8Array<ArrayBuffer> | null;
  if (message.kind === "response") {
    const status = message.status ?? 200;
    return new Response(NULL_BODY_STATUS.has(status) ? null : body, {
      status,
      statusText: message.statusText ?? "",
      headers: message.headers,
    });
  }
  const method = message.method ?? "GET";
  const request = new Request(message.url ?? "http://localhost/", {
    method,
    headers: message.headers,
    ...(BODYLESS.has(method) ? {} : { body }),
  });
  const id = message.respond;
  if (id === undefined) return request;
  const respondWith = async (response: Response): Promise<void> => {
    if (!respond)
      throw new TypeError("This request can't be answered here: answer it in the workflow body or a step.");
    await respond(id, response);
  };
  return Object.assign(request, { respondWith });
}
