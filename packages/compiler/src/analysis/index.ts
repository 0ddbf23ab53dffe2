export { analyseModule, type AnalyseOptions } from "./analyse.js";
export { mayNeedCompiler } from "./needs-compiler.js";
