export { analyseModule, type AnalyseOptions } from "./analyse.js";
export { mayHoldDirective } from "../directives/spelling.js";
