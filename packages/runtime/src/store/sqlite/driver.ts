import { createRequire } from "node:module";
import process from "node:process";

/** What may be bound to a statement. Other types abort or are stored as something else, so none get through. */
export type Bindable = string | number | bigint | null | Uint8Array;
export type SqlRow = Record<string, Bindable>;

export interface SqliteStatement {
  run(...values: Bindable[]): { changes: number | bigint };
  get(...values: Bindable[]): SqlRow | undefined;
  all(...values: Bindable[]): SqlRow[];
}

export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

type DatabaseConstructor = new (
  file: string | URL,
  options?: { readOnly?: boolean; timeout?: number },
) => SqliteDatabase;

const require = createRequire(import.meta.url);
let constructor: DatabaseConstructor | undefined;

/** Node's own driver from 22.13 on, where it needs no flag; before that the package with the same API. */
function hasBuiltin(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 13);
}

/** Loads a module while holding back the one warning that says its API may still change. */
function withoutExperimentalWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    const text = typeof warning === "string" ? warning : warning.message;
    if (text.startsWith("SQLite is an experimental feature")) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function loadConstructor(): DatabaseConstructor {
  const name = hasBuiltin(process.versions.node) ? "node:sqlite" : "@photostructure/sqlite";
  const driver = withoutExperimentalWarning(() => require(name) as { DatabaseSync: DatabaseConstructor });
  return driver.DatabaseSync;
}

/** Opens a database file; throws the driver's error, see `translateSqliteError`. */
export function openDatabase(file: string | URL, options: { readOnly?: boolean } = {}): SqliteDatabase {
  constructor ??= loadConstructor();
  return new constructor(file, { readOnly: options.readOnly ?? false, timeout: 2_000 });
}
