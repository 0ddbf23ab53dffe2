import path from "node:path";
import type { Message } from "../bundle/esbuild.js";
import { diagnosticAt } from "../diagnostics/diagnostic.js";
import { CODE_FILE } from "../graph/targets.js";
import type { ModuleStore } from "../graph/module-store.js";
import { lineStarts, withoutBom } from "../parse/lines.js";
import { relativePath } from "../resolve/identity.js";
import { missingExport, noLoader, syntaxError, topLevelAwaitInBody } from "../rules/index.js";
import type { Finding } from "../rules/index.js";
import type { Diagnostic, Range } from "../types.js";
import { triedFor, type LostImport } from "./unresolved.js";

/** A message of esbuild with the file it is about (absolute). */
export interface Located {
  file: string;
  text: string;
  /** Position in what esbuild read, which for a compiled module isn't the author's text. */
  line: number;
  columnBytes: number;
  lengthBytes: number;
  lineText: string;
}

/**
 * Turns esbuild's errors into findings at the author's places, and into imports that lead nowhere. Errors that aren't
 * about a file of the app come back in `rest`.
 */
export async function findingsOfMessages(
  messages: readonly Message[],
  store: ModuleStore,
): Promise<{ diagnostics: Diagnostic[]; lost: LostImport[]; rest: Message[] }> {
  const diagnostics: Diagnostic[] = [];
  const lost: LostImport[] = [];
  const rest: Message[] = [];
  for (const message of messages) {
    const located = locate(message, store.root);
    const missing = located === undefined ? missingDefault(message) : undefined;
    if (missing !== undefined) diagnostics.push(missing);
    else if (located === undefined) rest.push(message);
    else {
      const converted = await convert(located, store);
      if ("specifier" in converted) lost.push(converted);
      else diagnostics.push(converted);
    }
  }
  return { diagnostics, lost, rest };
}

export function locate({ text, location }: Message, root: string): Located | undefined {
  if (location === null || (location.namespace !== "" && location.namespace !== "file")) return undefined;
  if (location.file.startsWith("eve-entry:")) return undefined;
  return {
    file: path.resolve(root, location.file),
    text,
    line: location.line,
    columnBytes: location.column,
    lengthBytes: location.length,
    lineText: location.lineText,
  };
}

/** A definition module without a default export, which only the generated entry imports. */
function missingDefault({ text }: Message): Diagnostic | undefined {
  const file = /^No matching export in "(.+?)" for import "default"/.exec(text)?.[1];
  if (file === undefined) return undefined;
  return diagnosticAt(file, [0], { start: 0, end: 0 }, missingExport("default", file, "eve"));
}

async function convert(located: Located, store: ModuleStore): Promise<Diagnostic | LostImport> {
  const file = relativePath(store.root, located.file);
  const text = withoutBom(store.text(located.file));
  const lines = lineStarts(text);
  const rangeOfImport = (specifier: string | undefined): Range =>
    (specifier === undefined ? undefined : importRange(located.file, specifier, store)) ??
    rangeOf(located, text, lines);
  const specifier = /^Could not resolve "(.+?)"/.exec(located.text)?.[1];
  if (specifier !== undefined) {
    const tried = await triedFor(specifier, located.file, store.root);
    return { specifier, file, lines, range: rangeOfImport(specifier), tried };
  }
  const { finding, quoted } = judge(located, file, store);
  return diagnosticAt(file, lines, rangeOfImport(quoted), finding);
}

/** What a message means; `quoted` is the specifier that it is about. */
function judge(
  { text, file: importer, lineText }: Located,
  file: string,
  store: ModuleStore,
): { finding: Finding; quoted?: string } {
  const extension = /^No loader is configured for "(.+?)" files/.exec(text)?.[1];
  if (extension !== undefined) {
    const quoted = [...lineText.matchAll(/["']([^"']+)["']/g)].find(([, name = ""]) =>
      name.endsWith(extension),
    )?.[1];
    return { finding: noLoader(quoted ?? extension, extension), ...(quoted === undefined ? {} : { quoted }) };
  }
  const [, from, name] = /^No matching export in "(.+?)" for import "(.+?)"/.exec(text) ?? [];
  if (from !== undefined && name !== undefined) {
    return { finding: missingExport(name, specifierOf(name, importer, store) ?? from, file) };
  }
  if (text.startsWith("Top-level await")) return { finding: topLevelAwaitInBody(file) };
  return { finding: syntaxError(text) };
}

/** The specifier by which a module imports a name; esbuild tells the path of the file behind it. */
function specifierOf(name: string, file: string, store: ModuleStore): string | undefined {
  const { imports = [] } = store.peek(file)?.analysis ?? {};
  return imports.find((item) => item.names.some(({ imported }) => imported === name))?.specifier;
}

/** The place of an import in the author's text, when the compiler has read the module. */
function importRange(file: string, specifier: string, store: ModuleStore): Range | undefined {
  const found = store
    .peek(file)
    ?.analysis.imports.find((item) => item.specifier === specifier && !item.typeOnly);
  return found === undefined ? undefined : { start: found.specifierStart, end: found.specifierEnd };
}

/**
 * The place of a message in the author's text. Where the compiler handed esbuild another text, the line is
 * found again by what it says.
 */
export function rangeOf(located: Located, text: string, lines: readonly number[]): Range {
  const lineAt = (index: number): string =>
    text.slice(lines[index], lines[index + 1]).replace(/[\r\n\u2028\u2029]+$/, "");
  let index = located.line - 1;
  if (CODE_FILE.test(located.file) && lineAt(index) !== located.lineText) {
    const same = lines.map((_, at) => at).filter((at) => lineAt(at) === located.lineText);
    const distance = (at: number): number => Math.abs(at - located.line);
    index = same.sort((a, b) => distance(a) - distance(b))[0] ?? Math.min(index, lines.length - 1);
  }
  const start = (lines[index] ?? 0) + utf16Length(located.lineText, located.columnBytes);
  const bytes = located.columnBytes + Math.max(located.lengthBytes, 1);
  const end = (lines[index] ?? 0) + utf16Length(located.lineText, bytes);
  return { start, end: Math.max(end, start + 1) };
}

/** Length in UTF-16 units of the first `bytes` bytes of a line. */
function utf16Length(line: string, bytes: number): number {
  return Buffer.from(line).subarray(0, bytes).toString().length;
}
