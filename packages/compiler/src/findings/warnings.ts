import type { Message } from "../bundle/esbuild.js";
import type { BundleSession } from "../bundle/session.js";
import { diagnosticAt } from "../diagnostics/diagnostic.js";
import { lineStarts, withoutBom } from "../parse/lines.js";
import { isInSdk, relativePath } from "../resolve/identity.js";
import { bundlerWarning } from "../rules/index.js";
import type { Diagnostic } from "../types.js";
import { locate, rangeOf } from "./messages.js";

/** Warnings of esbuild that say nothing to the author, and why. All others do. */
const BESIDE_THE_POINT: Readonly<Record<string, string>> = {
  "empty-import-meta": "EVE2002 judges import.meta in bodies; steps have it",
  "unsupported-dynamic-import": "EVE1203 judges import() in bodies; in steps Node.js answers it",
  "unsupported-require-call": "EVE2002 judges require in bodies; in steps Node.js answers it",
  "missing-source-map": "code is mapped to the file at hand then, which is what the app holds",
  "invalid-source-mappings": "the same",
  "sections-in-source-map": "the same",
  "unsupported-source-map-comment": "the same",
};

/**
 * What esbuild warns of in files of the application (EVE1204). Files of installed packages and of eve are left out: their
 * code isn't the author's. So are consequences of errors: of what is put in place of a file that doesn't parse, and of
 * names that are reported as missing.
 *
 * @param found the errors
 */
export function findingsOfWarnings(
  warnings: readonly Message[],
  { store, scan, sdk }: Pick<BundleSession, "store" | "scan" | "sdk">,
  found: readonly Diagnostic[],
): Diagnostic[] {
  const broken = new Set(found.filter(({ code }) => code === "EVE1000").map(({ file }) => file));
  const missing = new Set(found.filter(({ code }) => code === "EVE1201").map(placeOf));
  return warnings.flatMap((warning) => {
    const located = warning.id in BESIDE_THE_POINT ? undefined : locate(warning, store.root);
    if (located === undefined || scan.isInstalled(located.file) || isInSdk(located.file, sdk.dir)) return [];
    const file = relativePath(store.root, located.file);
    const text = withoutBom(store.text(located.file));
    const lines = lineStarts(text);
    const advice = warning.notes.filter(({ location }) => location === null).map((note) => note.text);
    const range = rangeOf(located, text, lines);
    const diagnostic = diagnosticAt(file, lines, range, bundlerWarning(warning.text, advice));
    const isUndefined = warning.id === "import-is-undefined";
    const isConsequence =
      broken.has(file) || (isUndefined && (broken.size > 0 || missing.has(placeOf(diagnostic))));
    return isConsequence ? [] : [diagnostic];
  });
}

function placeOf({ file, line, column }: Diagnostic): string {
  return `${file}:${line}:${column}`;
}
