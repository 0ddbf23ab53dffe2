import type { Diagnostic } from "../types.js";
import type { ReportOptions } from "./options.js";
import { rebaseDiagnostics, sortDiagnostics } from "./order.js";

/** Findings as workflow commands of GitHub Actions, one line each; empty for none. */
export function formatGithub(diagnostics: readonly Diagnostic[], options: ReportOptions): string {
  const { root, cwd = root } = options;
  return sortDiagnostics(rebaseDiagnostics(diagnostics, root, cwd))
    .map((finding) => `${command(finding)}\n`)
    .join("");
}

function command(finding: Diagnostic): string {
  const properties = [
    ["file", finding.file],
    ["line", String(finding.line)],
    ["endLine", String(finding.endLine)],
    // GitHub refuses columns of a range over several lines.
    ...(finding.endLine === finding.line
      ? [
          ["col", String(finding.column)],
          ["endColumn", String(finding.endColumn)],
        ]
      : []),
    ["title", `eve ${finding.code}`],
  ];
  const text = [
    finding.message,
    ...finding.notes.map(({ message, file, line }) =>
      file === undefined ? message : `${message} (${file}${line === undefined ? "" : `:${line}`})`,
    ),
    ...(finding.help === undefined ? [] : [`help: ${finding.help}`]),
  ].join("\n");
  const list = properties.map(([key = "", value = ""]) => `${key}=${escapeProperty(value)}`).join(",");
  return `::${finding.severity} ${list}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
