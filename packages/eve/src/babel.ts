/** `eve/babel`: the compiler as a Babel plugin. */
export { default, type Diagnostic, type EveBabelOptions, type Mode } from "@eve/compiler/babel";
