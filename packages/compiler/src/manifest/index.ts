export { buildManifest, formatManifest, type ManifestInput } from "./build-manifest.js";
export type {
  Manifest,
  ManifestAgent,
  ManifestFunction,
  ManifestTool,
  ManifestWorkflow,
} from "./manifest.js";
export { declaresTaskId } from "./model-schema.js";
