export { judgeSlice, type BodyFinding, type JudgeSliceOptions } from "./judge-slice.js";
