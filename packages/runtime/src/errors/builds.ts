import path from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf } from "../values/thrown.js";
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

/** The reason without the folders of this machine: it may be told to a model. */
function withoutFolders(reason: string, file: string): string {
  const folder = path.dirname(file) + path.sep;
  return reason
    .replaceAll(pathToFileURL(folder).href, "")
    .replaceAll(folder, "")
    .replace(/[^\s'"]*\/node_modules\//g, "");
}

/** `server.mjs` failed while it was imported. `file`: its absolute path. */
export class BuildImportError extends RuntimeError {
  readonly code = "BUILD_IMPORT";

  constructor(file: string, cause: unknown) {
    super(`The app's code failed while it was loaded: ${withoutFolders(messageOf(cause), file)}`, {
      action: "A module of the app throws at its top level, or a package it needs isn't installed.",
      cause,
    });
  }
}
