import { sourceExtension } from "./files.js";

const LEGAL = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** The name that a path below `tools/` gives: no extension, `/` becomes `-`. */
export function nameOfPath(relative: string): string {
  const extension = sourceExtension(relative) ?? "";
  return relative.slice(0, relative.length - extension.length).replaceAll("/", "-");
}

/** Why a name can't be used, judged by itself. */
export function faultOfName(name: string): "illegal" | "reserved" | undefined {
  if (name.startsWith("eve__")) return "reserved";
  return LEGAL.test(name) ? undefined : "illegal";
}
