/** The script that runs inside a replay context, bundled from `realm/main.ts` when the package is built. */
declare module "virtual:eve-realm" {
  const source: string;
  export default source;
}

/** Deferred parts of that script, from the folders below `realm/` (see `realm/lazy.ts`). */
declare module "virtual:eve-realm/*" {
  const evaluate: (core: (name: string) => object) => object;
  export default evaluate;
}
