/** An esbuild filter (Go syntax) for exactly these texts. */
export function exactly(texts: Iterable<string>): RegExp {
  const quoted = [...new Set(texts)].sort().map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return new RegExp(`^(?:${quoted.join("|")})$`);
}

/** Bare specifiers but `node:…`, which esbuild leaves external itself (Go syntax has no lookahead). */
export const BARE = /^(?:[^./n]|n(?:[^o]|$)|no(?:[^d]|$)|nod(?:[^e]|$)|node(?:[^:]|$))/;
