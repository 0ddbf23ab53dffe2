/** `report.json`: what a build holds and why. Names of files are canonical; lists are sorted. */
export interface BuildReport {
  version: 1;
  buildId: string;
  tools: ReportTool[];
  workflows: ReportWorkflow[];
  steps: ReportStep[];
  bundles: ReportBundle[];
}

export interface ReportTool {
  name: string;
  file: string;
  kind: string;
  entryPoint?: string;
  workflowId?: string;
}

export interface ReportWorkflow {
  id: string;
  file: string;
  line: number;
  tool?: string;
  /** Ids of the steps that its body can call. */
  steps: string[];
  /** Modules of which its body uses something. */
  modules: string[];
}

export interface ReportStep {
  id: string;
  file: string;
  line: number;
  /** Ids of the workflows that can call it. */
  workflows: string[];
}

export interface ReportBundle {
  /** `workflow.cjs` or `server.mjs`. */
  name: string;
  bytes: number;
  /** Largest first. */
  modules: ReportModule[];
}

export interface ReportModule {
  name: string;
  /** What it adds to the bundle. */
  bytes: number;
  /** The shortest way from an entry to it: each module imports the next one by `specifier`. */
  chain: { module: string; specifier: string }[];
}
