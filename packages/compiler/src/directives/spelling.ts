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

/** Every quoted run of a text, whether the quotes belong together or not. */
const QUOTED = /(["'`])(?=([^"'`]{5,160})\1)/g;

/**
 * Cheap test whether a text may hold a directive or a near miss of one. It may only err to the safe side: `false`
 * promises that analysis would find neither; `true` promises nothing (the words may stand in a comment).
 */
export function mayHoldDirective(text: string): boolean {
  if (text.includes("use step") || text.includes("use workflow")) return true;
  for (const match of text.matchAll(QUOTED)) {
    if (readSpelling(match[2] ?? "") !== undefined) return true;
  }
  return false;
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
