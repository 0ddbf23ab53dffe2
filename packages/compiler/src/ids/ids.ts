import { normalisePath, withoutExtension } from "./paths.js";

/** Which package a module belongs to, and where in it. Paths are relative to the package (or app) root. */
export type ModuleIdentity =
  | { kind: "app"; path: string }
  | {
      kind: "package";
      name: string;
      /** `0.0.0` when the package states none. */
      version?: string | undefined;
      /** Key of the `exports` entry whose target is this file, without `./`; empty for the root export or `main`. */
      subpath?: string | undefined;
      /** Path in the package, used when no `exports` entry leads to the file. */
      path: string;
    }
  /** eve's own modules: `workflow//eve//<name>`, never a version. */
  | { kind: "eve" };

/**
 * The `<module>` part of an id.
 *
 * ```ts
 * moduleId({ kind: "app", path: "agent/tools/deploy.ts" });                       // "./agent/tools/deploy"
 * moduleId({ kind: "package", name: "stepkit", version: "3.1.0", path: "press.js" }); // "stepkit/press@3.1.0"
 * ```
 */
export function moduleId(identity: ModuleIdentity): string {
  switch (identity.kind) {
    case "eve":
      return "eve";
    case "app":
      return `./${withoutExtension(normalisePath(identity.path))}`;
    case "package": {
      const subpath = identity.subpath ?? withoutExtension(normalisePath(identity.path));
      return `${identity.name}${subpath === "" ? "" : `/${subpath}`}@${identity.version || "0.0.0"}`;
    }
  }
}

/** The id of a workflow or step: `functionId("step", "./lib/wrap", "wrap")` → `step//./lib/wrap//wrap`. */
export function functionId(kind: "workflow" | "step", module: string, name: string): string {
  return `${kind}//${module}//${name}`;
}

/** The id under which a class is registered: `classId("./lib/money", "Money")` → `class//./lib/money//Money`. */
export function classId(module: string, name: string): string {
  return `class//${module}//${name}`;
}

/** Parts of an id, or `undefined` for a text that isn't one. Names hold no `//`; modules don't either. */
export function parseId(id: string): { kind: "workflow" | "step"; module: string; name: string } | undefined {
  const match = /^(workflow|step)\/\/(.+)\/\/([^/]+)$/.exec(id);
  if (match === null) return undefined;
  return { kind: match[1] === "step" ? "step" : "workflow", module: match[2] ?? "", name: match[3] ?? "" };
}

/**
 * An id as the lock file compares it: without the package's version, which changes with every release.
 *
 * ```ts
 * unversionedId("step//stepkit/fold@3.1.0//fold"); // "step//stepkit/fold//fold"
 * ```
 */
export function unversionedId(id: string): string {
  const parts = parseId(id);
  if (parts === undefined || parts.module.startsWith("./")) return id;
  return functionId(parts.kind, parts.module.replace(/(?<=.)@[^@/]*$/, ""), parts.name);
}

/** Characters of an id that `@workflow/core` 4.8 refuses in a workflow's name. */
export function foreignCharacters(id: string): string[] {
  return [...new Set(id.match(/[^A-Za-z0-9_\-./@()[\]]/gu) ?? [])].sort();
}
