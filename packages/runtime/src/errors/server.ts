import { RuntimeError } from "./base.js";

/** `EVE_PUBLIC_URL` can't be what webhook addresses begin with. */
export class PublicUrlError extends RuntimeError {
  readonly code = "INVALID_PUBLIC_URL";

  constructor(given: string, reason: string) {
    super(`EVE_PUBLIC_URL is ${JSON.stringify(given)}, which ${reason}.`, {
      action: "Set it to what the world reaches this server by, such as https://hooks.example.com.",
    });
  }
}

/** The address to listen on is taken or not ours. */
export class ListenError extends RuntimeError {
  readonly code = "LISTEN_FAILED";

  constructor(host: string, port: number, cause: Error) {
    super(`The server can't listen on ${host}:${port}: ${cause.message}.`, {
      action: "Choose another port with --port, or stop what uses this one.",
      cause,
    });
  }
}
