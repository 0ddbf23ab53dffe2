/** White space and comments of JavaScript and TypeScript. */
const TRIVIA = /(?:\s|\uFEFF|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)*/y;

/** Offset of the first unit at or behind `offset` that is neither white space nor part of a comment. */
export function skipTrivia(text: string, offset: number): number {
  TRIVIA.lastIndex = offset;
  const match = TRIVIA.exec(text);
  return offset + (match?.[0].length ?? 0);
}

/** Offset behind `token`, when it is the next one; else `undefined`. */
export function skipToken(text: string, offset: number, token: string): number | undefined {
  const start = skipTrivia(text, offset);
  return text.startsWith(token, start) ? start + token.length : undefined;
}
