export { sliceModule, type SliceOptions } from "./slice.js";
