/** `eve/esbuild`: the compiler as an esbuild plugin. */
export { eve, type EveOptions, type FunctionManifest } from "@eve/compiler/esbuild";
