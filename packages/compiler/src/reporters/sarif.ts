import type { Diagnostic, DiagnosticNote } from "../types.js";
import type { ReportOptions } from "./options.js";
import { rebaseDiagnostics, sortDiagnostics } from "./order.js";

/** What SARIF shows of a rule. */
export interface SarifRule {
  code: string;
  title: string;
  description: string;
  severity: "error" | "warning";
}

export interface SarifOptions extends ReportOptions {
  /** Version of eve. */
  version: string;
  /** The rule catalogue. */
  rules: readonly SarifRule[];
}

/** Findings as a SARIF 2.1.0 log, ending with a line break. */
export function formatSarif(diagnostics: readonly Diagnostic[], options: SarifOptions): string {
  const { root, cwd = root, version } = options;
  const rules = options.rules.toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const indexOf = new Map(rules.map((rule, index) => [rule.code, index]));
  const results = sortDiagnostics(rebaseDiagnostics(diagnostics, root, cwd)).map((finding) => {
    const ruleIndex = indexOf.get(finding.code);
    return {
      ruleId: finding.code,
      ...(ruleIndex === undefined ? {} : { ruleIndex }),
      level: finding.severity,
      message: { text: messageText(finding) },
      locations: [{ physicalLocation: physicalLocation(finding) }],
      ...relatedLocations(finding.notes),
    };
  });
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "eve", semanticVersion: version, rules: rules.map(descriptor) } },
        columnKind: "utf16CodeUnits",
        results,
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function descriptor({ code, title, description, severity }: SarifRule): object {
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text: description },
    defaultConfiguration: { level: severity },
  };
}

function messageText({ message, help }: Diagnostic): string {
  return help === undefined ? message : `${message}\n${help}`;
}

interface Region {
  file: string;
  line: number;
  column: number;
  endLine?: number;
  endColumn?: number;
}

function physicalLocation({ file, line, column, endLine, endColumn }: Region): object {
  return {
    artifactLocation: { uri: encodeURI(file).replace(/[?#]/g, encodeURIComponent), uriBaseId: "%SRCROOT%" },
    region: {
      startLine: line,
      startColumn: column,
      ...(endLine === undefined ? {} : { endLine }),
      ...(endColumn === undefined ? {} : { endColumn }),
    },
  };
}

function relatedLocations(notes: readonly DiagnosticNote[]): object {
  const locations = notes.flatMap(({ message, file, line, column }, id) => {
    if (file === undefined || line === undefined) return [];
    return [
      {
        id,
        message: { text: message },
        physicalLocation: physicalLocation({ file, line, column: column ?? 1 }),
      },
    ];
  });
  return locations.length === 0 ? {} : { relatedLocations: locations };
}
