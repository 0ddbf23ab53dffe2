import { createSignal, type AbortSignal } from "../events/abort.js";
import { BodyHolder, contentOf, contents, type BodyInit } from "./body.js";
import { Headers, type HeadersInit } from "./headers.js";
import { URL } from "./url.js";

interface RequestInit {
  method?: string;
  headers?: HeadersInit;
  body?: BodyInit;
  signal?: AbortSignal | null;
}

interface ResponseInit {
  status?: number;
  statusText?: string;
  headers?: HeadersInit;
}

const STANDARD_METHODS = /^(?:delete|get|head|options|post|put)$/i;
const NULL_BODY = new Set([101, 103, 204, 205, 304]);

function typed(headers: Headers, type: string | undefined): Headers {
  if (type !== undefined && !headers.has("content-type")) headers.set("content-type", type);
  return headers;
}

/** `Request` of this realm. It describes a request; `fetch` it in a step. */
class RealmRequest extends BodyHolder {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  readonly redirect = "follow";
  readonly mode = "cors";
  readonly credentials = "same-origin";
  readonly cache = "default";

  constructor(input: string | URL | RealmRequest, init: RequestInit = {}) {
    const from = input instanceof RealmRequest ? input : undefined;
    const method = String(init.method ?? from?.method ?? "GET");
    const given = init.body !== undefined && init.body !== null;
    if (given && /^(?:get|head)$/i.test(method)) {
      throw new TypeError(`A ${method.toUpperCase()} request has no body.`);
    }
    const content = given ? contentOf(init.body) : { bytes: from ? contents(from) : null };
    super(content.bytes);
    this.method = STANDARD_METHODS.test(method) ? method.toUpperCase() : method;
    this.url = from ? from.url : new URL(String(input)).href;
    this.headers = typed(new Headers(init.headers ?? from?.headers), content.type);
    this.signal = init.signal ?? from?.signal ?? createSignal();
  }

  clone(): RealmRequest {
    return new RealmRequest(this);
  }

  get [Symbol.toStringTag](): string {
    return "Request";
  }
}

/** `Response` of this realm. */
class RealmResponse extends BodyHolder {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly type: string = "default";
  readonly url = "";
  readonly redirected = false;

  constructor(body?: BodyInit, init: ResponseInit = {}) {
    const status = Number(init.status ?? 200);
    if (!Number.isInteger(status) || status < 200 || status > 599) {
      throw new RangeError(`A response's status is between 200 and 599, got ${String(init.status)}.`);
    }
    const content = contentOf(body);
    if (content.bytes !== null && NULL_BODY.has(status)) {
      throw new TypeError(`A response of status ${status} has no body.`);
    }
    super(content.bytes);
    this.status = status;
    this.statusText = String(init.statusText ?? "");
    this.headers = typed(new Headers(init.headers), content.type);
  }

  get ok(): boolean {
    return this.status >= 200 && this.status <= 299;
  }

  clone(): RealmResponse {
    return new RealmResponse(contents(this) as BodyInit, this);
  }

  static json(data: unknown, init: ResponseInit = {}): RealmResponse {
    const text = JSON.stringify(data);
    if (text === undefined) throw new TypeError("Response.json() takes a value that JSON can hold.");
    return new RealmResponse(text, {
      ...init,
      headers: typed(new Headers(init.headers), "application/json"),
    });
  }

  static redirect(url: string | URL, status = 302): RealmResponse {
    if (![301, 302, 303, 307, 308].includes(status)) {
      throw new RangeError(`${status} is not a redirect status.`);
    }
    return new RealmResponse(null, { status, headers: { location: new URL(String(url)).href } });
  }

  get [Symbol.toStringTag](): string {
    return "Response";
  }
}

export { RealmRequest as Request, RealmResponse as Response };
