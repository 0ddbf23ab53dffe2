export { baselineOf, withoutBaseline, type Baseline } from "./baseline.js";
export { readBaseline, writeBaseline } from "./baseline-file.js";
