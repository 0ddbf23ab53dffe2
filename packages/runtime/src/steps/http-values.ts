import { PendingBytes, type HttpMessage } from "../values/index.js";

async function bytesOf(message: Request | Response): Promise<Uint8Array | null> {
  return message.body === null ? null : new Uint8Array(await message.clone().arrayBuffer());
}

/** The plain part of a Request or Response of this realm; its body is read while it is encoded. */
export function describeMessage(value: object): HttpMessage | undefined {
  if (value instanceof Request) {
    return {
      kind: "request",
      method: value.method,
      url: value.url,
      headers: [...value.headers],
      body: value.body === null ? null : new PendingBytes(bytesOf(value)),
    };
  }
  if (value instanceof Response) {
    return {
      kind: "response",
      status: value.status,
      statusText: value.statusText,
      headers: [...value.headers],
      body: value.body === null ? null : new PendingBytes(bytesOf(value)),
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
