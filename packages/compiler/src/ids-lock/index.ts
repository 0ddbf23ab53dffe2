export { compareIds, type IdDrift } from "./compare.js";
export { formatLock, LOCK_FILE, readLock, type IdsLock } from "./lock-file.js";
