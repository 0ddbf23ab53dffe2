export { watch, type WatchEvent, type Watcher } from "./watch.js";
