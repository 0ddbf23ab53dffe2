import path from "node:path";
import { hideFolders } from "./hide-folders.js";
import { isErrorObject, messageOf, nameOf, readOf } from "../values/thrown.js";
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

/** What of an error may be recorded: Node puts paths into other fields of it, too. */
function plain(cause: unknown, folder: string): Error {
  const error = new Error(hideFolders(messageOf(cause), folder));
  Object.defineProperty(error, "name", { value: nameOf(cause) });
  const stack = isErrorObject(cause) ? readOf(() => cause.stack) : undefined;
  error.stack = typeof stack === "string" ? stack : `${error.name}: ${error.message}`;
  return error;
}

/** `server.mjs` failed while it was imported. `file`: its absolute path. */
export class BuildImportError extends RuntimeError {
  readonly code = "BUILD_IMPORT";

  constructor(file: string, cause: unknown) {
    const reason = plain(cause, path.dirname(file));
    super(`The app's code failed while it was loaded: ${reason.message}`, {
      action: "A module of the app throws at its top level, or a package it needs isn't installed.",
      cause: reason,
    });
  }
}
