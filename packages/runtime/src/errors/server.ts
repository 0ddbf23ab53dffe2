import { RuntimeError } from "./base.js";

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
