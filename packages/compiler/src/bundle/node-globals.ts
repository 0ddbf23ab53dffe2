/**
 * What bundled CommonJS code expects and an ES module doesn't have. Only what the code mentions is added; a
 * mention in a string adds an unused constant.
 */
export function nodeGlobals(code: string): { text: string; lines: number } {
  const lines: string[] = [];
  const needsRequire = code.includes("Dynamic require of ");
  const needsFile = /\b__(?:dirname|filename)\b/.test(code);
  if (needsRequire) {
    lines.push('import { createRequire as __eveCreateRequire } from "node:module";');
    lines.push("const require = __eveCreateRequire(import.meta.url);");
  }
  if (needsFile) {
    lines.push('import { fileURLToPath as __eveFileURLToPath } from "node:url";');
    lines.push("const __filename = __eveFileURLToPath(import.meta.url);");
    lines.push(
      'const __dirname = __eveFileURLToPath(new URL(".", import.meta.url)).replace(/[\\\\/]$/, "");',
    );
  }
  return { text: lines.map((line) => `${line}\n`).join(""), lines: lines.length };
}
