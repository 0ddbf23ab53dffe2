import { mayHoldDirective } from "../directives/spelling.js";
import { mayHoldSerialisableClass } from "./classes.js";

/** Cheap test whether a text may hold anything that is compiled: a directive, a near miss, or a class to register. */
export function mayNeedCompiler(text: string): boolean {
  return mayHoldDirective(text) || mayHoldSerialisableClass(text);
}
