import { DefinitionError } from "./errors.js";

/** Number of single-character edits between two words (Levenshtein). */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/**
 * Throws a `DefinitionError` unless `options` is an object all of whose keys are in `allowed`.
 * `removed` maps keys of older releases to the text that replaces them.
 */
export function checkOptions(
  factory: string,
  options: unknown,
  allowed: readonly string[],
  removed: Readonly<Record<string, string>> = {},
): asserts options is Record<string, unknown> {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new DefinitionError(`${factory}() takes one object with its options, got ${describe(options)}.`);
  }
  for (const key of Object.keys(options)) {
    const replacement = removed[key];
    if (replacement !== undefined) throw DefinitionError.of(factory, key, replacement);
    if (allowed.includes(key)) continue;
    const near = allowed.find((name) => distance(name.toLowerCase(), key.toLowerCase()) <= 2);
    throw DefinitionError.of(
      factory,
      key,
      `${factory}() has no option "${key}".${near ? ` Did you mean "${near}"?` : ` It takes ${allowed.join(", ")}.`}`,
    );
  }
}

/** Throws unless `value` is a non-empty string. */
export function checkText(factory: string, key: string, value: unknown): void {
  if (typeof value !== "string" || value.trim() === "") {
    throw DefinitionError.of(
      factory,
      key,
      `${factory}() needs a "${key}": a non-empty string, got ${describe(value)}.`,
    );
  }
}

/** A short word for what a value is, for messages. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : typeof value;
}
