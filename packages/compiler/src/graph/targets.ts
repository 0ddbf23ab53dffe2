import type { PackageScan } from "../resolve/package-scan.js";

/** Files that hold code, whatever else their name says (only discovery leaves tests out). */
export const CODE_FILE = /(?<!\.d)\.[cm]?[jt]sx?$/;

/**
 * Whether the compiler handles a file itself (analysis, slicing, both transforms). Application and workspace
 * files are; installed packages only when they ship directives. Everything else is esbuild's alone.
 */
export function isCompiled(file: string, scan: PackageScan): boolean {
  return CODE_FILE.test(file) && (!scan.isInstalled(file) || scan.ships(file));
}
