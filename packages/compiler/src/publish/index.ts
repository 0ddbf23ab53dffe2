export { buildInfo, type BuildInfo } from "./build-info.js";
export { publish, type OutputFile } from "./publish.js";
