/** Where an import leads. Paths are absolute and real. */
export type Resolution =
  | { kind: "file"; path: string }
  /** A Node builtin, named with its `node:` prefix. */
  | { kind: "builtin"; name: string }
  /** A module of eve itself. */
  | { kind: "sdk"; path: string }
  /** `workflow/api`, which bodies can't use. */
  | { kind: "host-api" }
  /** Answered by another plugin, or marked external by the caller's own options. */
  | { kind: "foreign"; path: string }
  | { kind: "unresolved"; reason: string };

/** How an import is written; `exports` conditions depend on it. */
export type ImportKind = "import-statement" | "dynamic-import" | "require-call";

/** Resolves one import as the bundle does. Never rejects for an import that leads nowhere. */
export type Resolve = (specifier: string, importer: string, kind: ImportKind) => Promise<Resolution>;
