import { accessSync, constants } from "node:fs";
import path from "node:path";
import {
  StoreCorruptedError,
  StoreFullError,
  StoreIoError,
  StoreLockedError,
  StoreReadOnlyError,
} from "../../errors/store.js";
import { RuntimeError } from "../../errors/base.js";

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html). */
export const SQLITE = {
  ERROR: 1,
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  NOTADB: 26,
} as const;

/** SQLITE_IOERR_WRITE and _FSYNC with a full quota come as I/O errors whose text names the cause. */
const NO_SPACE = /no space left|ENOSPC|EDQUOT|disk is full/i;

/** SQLite's own texts: in some places the driver for older versions of Node.js gives them alone. */
const TEXTS: readonly [text: RegExp, code: number][] = [
  [/^database disk image is malformed/, SQLITE.CORRUPT],
  [/^malformed database schema/, SQLITE.CORRUPT],
  [/^file is not a database/, SQLITE.NOTADB],
  [/^database or disk is full/, SQLITE.FULL],
  [/^attempt to write a readonly database/, SQLITE.READONLY],
  [/^database is locked/, SQLITE.BUSY],
  [/^database (?:table|schema) is locked/, SQLITE.LOCKED],
  [/^disk I\/O error/, SQLITE.IOERR],
  [/^unable to open database file/, SQLITE.CANTOPEN],
];

/** The primary SQLite code of a driver error, or undefined when it isn't one. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === "number") return errcode & 0xff;
  if (code !== "ERR_SQLITE_ERROR") return undefined;
  return TEXTS.find(([text]) => text.test(error.message))?.[1];
}

const READ_ONLY = new Set(["EACCES", "EPERM", "EROFS"]);
const NO_ROOM = new Set(["ENOSPC", "EDQUOT"]);

/** Turns an error of the file system into the runtime's own; what is none passes unchanged. */
export function translateFileError(error: unknown, file: string): unknown {
  if (error instanceof RuntimeError || !(error instanceof Error)) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  if (READ_ONLY.has(code)) return new StoreReadOnlyError(file, error);
  if (NO_ROOM.has(code)) return new StoreFullError(file, error);
  return new StoreIoError(file, message, error);
}

/** Whether it is known that this process may make no files in a folder. */
export function isReadOnly(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK);
    return false;
  } catch (error) {
    return READ_ONLY.has((error as NodeJS.ErrnoException).code ?? "");
  }
}

/** Turns a driver's error into the runtime's own; what is neither passes unchanged. */
export function translateSqliteError(error: unknown, file: string): unknown {
  if (error instanceof RuntimeError) return error;
  const code = sqliteCode(error);
  if (code === undefined || !(error instanceof Error)) return error;
  switch (code) {
    case SQLITE.CORRUPT:
    case SQLITE.NOTADB:
      return new StoreCorruptedError(file, error.message, error);
    case SQLITE.FULL:
      return new StoreFullError(file, error);
    case SQLITE.READONLY:
      return new StoreReadOnlyError(file, error);
    case SQLITE.BUSY:
    case SQLITE.LOCKED:
      return new StoreLockedError(file, undefined);
    case SQLITE.IOERR:
      return NO_SPACE.test(error.message)
        ? new StoreFullError(file, error)
        : new StoreIoError(file, error.message, error);
    case SQLITE.CANTOPEN:
      if (isReadOnly(path.dirname(file))) return new StoreReadOnlyError(file, error);
      return new StoreIoError(file, error.message, error);
    default:
      return error;
  }
}
