import type { CallSite } from "../replay/protocol.js";
import type { Build } from "./types.js";

/**
 * The author's place (`file:line:column`) of a recorded call: the one that stands in it, or what its build makes of a
 * position in the bundle; undefined when it can't be told.
 */
export function placeOfSite(site: CallSite, build: Pick<Build, "mapSite"> | undefined): string | undefined {
  return site.startsWith("@") ? site.slice(1) : build?.mapSite(site);
}
