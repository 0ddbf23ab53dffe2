/** Which of the two directives a text is, or is close to. */
export type DirectiveKind = "workflow" | "step";

export interface Spelling {
  kind: DirectiveKind;
  /** The raw text between the quotes is the directive, unit for unit. */
  exact: boolean;
}

/** The author's text of a directive, quotes included. */
export const DIRECTIVE_TEXT: Record<DirectiveKind, string> = {
  workflow: '"use workflow"',
  step: '"use step"',
};

/** Longest raw text that is looked at: every unit of "use workflow" as a long escape. */
const LONGEST = 160;
const MAX_DISTANCE = 2;

const SQUEEZED: readonly (readonly [DirectiveKind, string])[] = [
  ["step", "usestep"],
  ["workflow", "useworkflow"],
];

/**
 * Reads the text between the quotes of a string or template that stands as a statement.
 *
 * Exact means the raw text, as ECMAScript defines a directive: `"\x75se step"` has the same value and isn't one.
 * Near means at most two edits away once case, spaces and punctuation between the words are ignored.
 */
export function readSpelling(raw: string): Spelling | undefined {
  if (raw === "use step") return { kind: "step", exact: true };
  if (raw === "use workflow") return { kind: "workflow", exact: true };
  if (raw.length > LONGEST) return undefined;
  const text = unescape(raw);
  if (/["'`]/.test(text)) return undefined;
  const squeezed = text.toLowerCase().replace(/[^a-z0-9]/g, "");
  let best: Spelling | undefined;
  let distance = MAX_DISTANCE + 1;
  for (const [kind, wanted] of SQUEEZED) {
    const found = editDistance(squeezed, wanted, distance);
    if (found < distance) {
      best = { kind, exact: false };
      distance = found;
    }
  }
  return best;
}

/**
 * Cheap test whether a text may hold a directive or a near miss of one. It may only err to the safe side: `false`
 * promises that analysis would find neither; `true` promises nothing (the words may stand in a comment).
 *
 * Looks at what stands between two neighbouring quotes of one kind, whether they belong together or not.
 */
export function mayHoldDirective(text: string): boolean {
  if (text.includes("use step") || text.includes("use workflow")) return true;
  let opened = -1;
  let quote = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== DOUBLE && unit !== SINGLE && unit !== BACKTICK) continue;
    const length = at - opened - 1;
    if (unit === quote && length >= SHORTEST && length <= LONGEST && mayBeNear(text, opened + 1, at)) {
      if (readSpelling(text.slice(opened + 1, at)) !== undefined) return true;
    }
    opened = at;
    quote = unit;
  }
  return false;
}

const DOUBLE = 34;
const SINGLE = 39;
const BACKTICK = 96;
const BACKSLASH = 92;

/** Shortest and longest text that two edits make of "usestep" or "useworkflow". */
const SHORTEST = 5;
const MOST_LETTERS = 13;

const lettersOf = (word: string): number =>
  [...word].reduce((mask, letter) => mask | (1 << (letter.charCodeAt(0) - 97)), 0);
const STEP_LETTERS = lettersOf("usestep");
const WORKFLOW_LETTERS = lettersOf("useworkflow");

/**
 * Whether a quoted text can be a near miss by its letters alone: not too many of them, and at most two that the
 * directive doesn't have. Escapes may hide anything.
 */
function mayBeNear(text: string, start: number, end: number): boolean {
  let letters = 0;
  let notOfStep = 0;
  let notOfWorkflow = 0;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === BACKSLASH) return true;
    // Some letters beyond ASCII are ASCII in lower case.
    if (unit > 127) return true;
    const lower = (unit | 32) - 97;
    const isLetter = lower >= 0 && lower < 26;
    if (!isLetter && (unit < 48 || unit > 57)) continue;
    letters++;
    if (!isLetter || ((STEP_LETTERS >> lower) & 1) === 0) notOfStep++;
    if (!isLetter || ((WORKFLOW_LETTERS >> lower) & 1) === 0) notOfWorkflow++;
    if (letters > MOST_LETTERS || (notOfStep > MAX_DISTANCE && notOfWorkflow > MAX_DISTANCE)) return false;
  }
  return letters >= SHORTEST;
}

const ESCAPE =
  /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,8})\}|([0-3]?[0-7]{1,2})|(\r\n|[\s\S]))/g;

function unescape(raw: string): string {
  if (!raw.includes("\\")) return raw;
  return raw.replace(ESCAPE, (_, x?: string, u?: string, braced?: string, octal?: string, other?: string) => {
    const hex = x ?? u ?? braced;
    const code = hex !== undefined ? parseInt(hex, 16) : octal !== undefined ? parseInt(octal, 8) : undefined;
    if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : "";
    if (other === "n" || other === "r" || other === "t" || other === "v" || other === "f") return " ";
    return other !== undefined && /[\r\n\u2028\u2029]/.test(other) ? "" : (other ?? "");
  });
}

/** Levenshtein distance, or any number above `limit - 1` as soon as it is certain to be that large. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const cost = Math.min((row[j - 1] ?? 0) + same, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      next.push(cost);
      least = Math.min(least, cost);
    }
    if (least >= limit) return limit;
    row = next;
  }
  return row[b.length] ?? limit;
}
