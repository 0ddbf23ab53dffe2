export { formatGithub } from "./github.js";
export { formatJson, type JsonReport } from "./json.js";
export type { PrettyOptions, ReportOptions } from "./options.js";
export { compareDiagnostics, rebaseDiagnostics, sortDiagnostics, summarise, type Summary } from "./order.js";
export { formatCount, formatPretty } from "./pretty.js";
export { formatSarif, type SarifOptions, type SarifRule } from "./sarif.js";
