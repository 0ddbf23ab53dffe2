export { createBody, type BodyOptions } from "./body.js";
export {
  BUNDLE_FILE,
  bundleCache,
  compileWorkflowBundle,
  type CompileOptions,
  type WorkflowBundle,
} from "./bundle.js";
export { BodyStateError, BodyTimeoutError, BundleSyntaxError } from "./errors.js";
export type * from "./protocol.js";
export { createStackMapper, type AuthorPlace, type StackMapper } from "./stack-map.js";
export { createWatchdog, type Watchdog, type WatchdogOptions } from "./watchdog.js";
