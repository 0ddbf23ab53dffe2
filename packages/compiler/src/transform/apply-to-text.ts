import { MagicString } from "magic-string";
import { skipToken, skipTrivia } from "../parse/scan.js";
import type { ModuleAnalysis, Unit } from "../types.js";
import { directiveClearing, statementClearing } from "./clearing.js";
import type { Edit } from "./plan.js";

/** Applies planned edits to the text they were planned for (without its byte order mark). */
export function applyToText(text: string, analysis: ModuleAnalysis, edits: readonly Edit[]): MagicString {
  const out = new MagicString(text);
  const gaps = gapStarts(analysis);
  for (const edit of edits) {
    switch (edit.kind) {
      case "drop": {
        const cleared = statementClearing(text, edit, gaps.get(edit.unit) ?? 0);
        out.remove(cleared.start, cleared.end);
        break;
      }
      case "undirect": {
        const cleared = directiveClearing(text, edit);
        out.remove(cleared.start, cleared.end);
        break;
      }
      case "specifiers":
        out.update(edit.start, edit.end, narrowed(text, edit));
        break;
      case "function":
      case "property":
        out.update(edit.start, edit.end, edit.text);
        break;
      case "name":
        out.appendLeft(edit.at, ` ${edit.name}`);
        break;
      case "after":
        out.appendLeft(edit.end, `\n${edit.text}`);
        break;
      case "lift":
        lift(out, edit);
        break;
    }
  }
  separateStatements(out, text, analysis, edits);
  return out;
}

/** Where the text between each statement and the one before it begins. */
function gapStarts(analysis: ModuleAnalysis): Map<number, number> {
  const gaps = new Map<number, number>();
  let end = analysis.hashbang ? (analysis.lines[1] ?? 0) : 0;
  for (const unit of analysis.units) {
    if (unit.shape === "entry-point") continue;
    gaps.set(unit.index, end);
    end = unit.end;
  }
  return gaps;
}

/** `export default define({ async execute() {…} })` → `const name = { async execute() {…} }.execute;` */
function lift(out: MagicString, edit: Extract<Edit, { kind: "lift" }>): void {
  const { start, end, host, hostStays } = edit;
  out.prependRight(start, `const ${edit.name} = { `);
  out.appendLeft(end, ` }.${edit.key};\n${edit.text}${hostStays ? "\n" : ""}`);
  if (hostStays) {
    out.appendLeft(start, edit.stub);
    out.move(start, end, host.start);
    return;
  }
  if (host.start < start) out.remove(host.start, start);
  if (end < host.end) out.remove(end, host.end);
}

/** An import or export statement with some of its specifiers. */
function narrowed(text: string, edit: Extract<Edit, { kind: "specifiers" }>): string {
  const kept = edit.keep.map((position) => edit.specifiers[position] ?? { start: 0, end: 0 });
  const last = edit.specifiers[edit.specifiers.length - 1] ?? edit;
  const first = edit.specifiers[0] ?? edit;
  const head = text
    .slice(edit.start, first.start)
    .replace(/\{\s*$/, "")
    .trimEnd();
  const afterComma = skipToken(text, last.end, ",") ?? last.end;
  const afterBrace = skipToken(text, afterComma, "}") ?? afterComma;
  const tail = text.slice(skipTrivia(text, afterBrace), edit.end);

  const outside: string[] = [];
  const inside: string[] = [];
  for (const { start, end } of kept)
    (isBraced(text, start, edit.start) ? inside : outside).push(text.slice(start, end));
  const list = [...outside, ...(inside.length > 0 ? [`{ ${inside.join(", ")} }`] : [])].join(", ");
  const keyword = /^(?:import|export)\b(?:\s+type\b)?/.exec(head)?.[0] ?? head;
  return [keyword, list, tail].filter((part) => part !== "").join(" ");
}

/** Whether a specifier stands in the braces of its statement. */
function isBraced(text: string, offset: number, statement: number): boolean {
  for (let at = statement; at < offset; at++) {
    at = skipTrivia(text, at);
    if (at < offset && text[at] === "{") return true;
  }
  return false;
}

/** What can continue the statement before it when no semicolon stands between the two. */
const CONTINUES = /[([`+\-*/,.]/;
/** Statements that end without a semicolon. */
const CLOSED = new Set<Unit["shape"]>(["function", "class", "enum", "namespace", "block", "type"]);

/** Puts a semicolon between two statements that were kept apart by nothing but a dropped one. */
function separateStatements(
  out: MagicString,
  text: string,
  analysis: ModuleAnalysis,
  edits: readonly Edit[],
): void {
  const dropped = new Set(edits.flatMap((edit) => (edit.kind === "drop" ? [edit.unit] : [])));
  if (dropped.size === 0) return;
  let previous: Unit | undefined;
  let gap = false;
  for (const unit of analysis.units) {
    if (unit.shape === "entry-point") continue;
    if (dropped.has(unit.index)) {
      gap = true;
      continue;
    }
    const open = previous !== undefined && !CLOSED.has(previous.shape) && text[previous.end - 1] !== ";";
    if (gap && open && previous && CONTINUES.test(text[unit.start] ?? "")) out.appendLeft(previous.end, ";");
    previous = unit;
    gap = false;
  }
}
