/** The script that runs inside a replay context, bundled from `realm/main.ts` when the package is built. */
declare module "virtual:eve-realm" {
  const source: string;
  export default source;
}
