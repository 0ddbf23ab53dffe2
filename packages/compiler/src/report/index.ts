export { buildReport } from "./build-report.js";
export { formatReportHtml } from "./html.js";
export type {
  BuildReport,
  ReportBundle,
  ReportModule,
  ReportStep,
  ReportTool,
  ReportWorkflow,
} from "./report-data.js";
