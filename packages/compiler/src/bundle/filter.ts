/** An esbuild filter (Go syntax) for exactly these texts. */
export function exactly(texts: Iterable<string>): RegExp {
  const quoted = [...new Set(texts)].sort().map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return new RegExp(`^(?:${quoted.join("|")})$`);
}
