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

/** The primary SQLite code of a driver error, or undefined when it isn't one. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number")
    return undefined;
  return error.errcode & 0xff;
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
      return new StoreIoError(file, error.message, error);
    default:
      return error;
  }
}
