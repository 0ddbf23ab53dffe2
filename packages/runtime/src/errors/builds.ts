import { RuntimeError } from "./base.js";

/** No build output where one is expected. */
export class BuildMissingError extends RuntimeError {
  readonly code = "BUILD_MISSING";

  constructor(dir: string) {
    super(`There is no build in ${dir}.`, { action: "Run `eve build` first." });
  }
}

/** The files of a build don't belong together, or aren't what they should be. */
export class BuildInvalidError extends RuntimeError {
  readonly code = "BUILD_INVALID";

  constructor(dir: string, reason: string, cause?: unknown) {
    super(`The build in ${dir} can't be used: ${reason}.`, { action: "Run `eve build` again.", cause });
  }
}

/** The kept copy of a build that unfinished runs need was changed, and the present build is another one. */
export class BuildCopyDamagedError extends RuntimeError {
  readonly code = "BUILD_COPY_DAMAGED";

  constructor(dir: string, cause: Error) {
    super(`The kept build in ${dir} is damaged, and the present build is another one: ${cause.message}`, {
      action:
        "Restore the folder, or build that state of the app again; without the folder its runs are tried on the present build.",
      cause,
    });
  }
}

/** `server.mjs` failed while it was imported. */
export class BuildImportError extends RuntimeError {
  readonly code = "BUILD_IMPORT";

  constructor(file: string, cause: unknown) {
    super(`${file} failed while it was loaded: ${cause instanceof Error ? cause.message : String(cause)}`, {
      action: "A module of the app throws at its top level, or a package it needs isn't installed.",
      cause,
    });
  }
}
