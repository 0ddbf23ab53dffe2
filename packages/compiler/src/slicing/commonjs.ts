import type { Unit } from "../types.js";

/**
 * The export that a statement of a CommonJS module makes: the name in `exports.name = …`, `*` for `module.exports = …`
 * and anything else that touches the exports, `undefined` for a statement that doesn't.
 */
export function commonjsExport(unit: Unit): string | undefined {
  let name: string | undefined;
  for (const { path, deferred } of unit.globals) {
    const parts = path.split(".");
    const behind =
      parts[0] === "exports"
        ? parts.slice(1)
        : path.startsWith("module.exports")
          ? parts.slice(2)
          : undefined;
    if (behind === undefined || deferred) continue;
    const [member] = behind;
    if (member === undefined || (name !== undefined && name !== member)) return "*";
    name = member;
  }
  return name;
}
