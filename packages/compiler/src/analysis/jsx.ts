import type * as t from "@babel/types";

const PRAGMA = /@jsx(Frag|Runtime|ImportSource)?\s+([^\s*]+)/g;

/** Root names that JSX in a file compiles to: pragmas first, then the settings of the project, then `React`. */
export function jsxNames(
  comments: readonly t.Comment[],
  configured: readonly string[] | undefined,
): string[] {
  const pragmas = new Map<string, string>();
  for (const comment of comments) {
    for (const match of comment.value.matchAll(PRAGMA)) pragmas.set(match[1] ?? "", match[2] ?? "");
  }
  if (pragmas.get("Runtime") === "automatic" || pragmas.has("ImportSource")) return [];
  const [factory = "React", fragment = "React"] = configured ?? [];
  if (configured?.length === 0 && !pragmas.has("") && pragmas.get("Runtime") !== "classic") return [];
  const names = [pragmas.get("") ?? factory, pragmas.get("Frag") ?? fragment];
  return [...new Set(names.map((name) => name.split(".")[0] ?? name))];
}
