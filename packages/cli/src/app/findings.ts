import type { Diagnostic } from "@eve/compiler";
import { VERSION } from "../version.js";
import type { Io } from "../terminal/io.js";

export type Format = "pretty" | "json" | "sarif" | "github";

/** Prints findings the way `--format` asks: pretty on stderr, every other form on stdout. */
export async function printFindings(
  io: Io,
  format: Format,
  root: string,
  diagnostics: readonly Diagnostic[],
): Promise<void> {
  const { formatGithub, formatJson, formatPretty, formatSarif, RULES } = await import("@eve/compiler");
  const place = { root, cwd: io.cwd };
  switch (format) {
    case "pretty": {
      const text = formatPretty(diagnostics, { ...place, color: io.colors.isColorSupported });
      if (text !== "") io.err(text.trimEnd());
      return;
    }
    case "json":
      return io.out(formatJson(diagnostics, place).trimEnd());
    case "sarif":
      return io.out(formatSarif(diagnostics, { ...place, rules: RULES, version: VERSION }).trimEnd());
    case "github": {
      const text = formatGithub(diagnostics, place);
      if (text !== "") io.out(text.trimEnd());
    }
  }
}
