import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ZodType } from "zod";
import { BuildInvalidError, BuildMissingError } from "../errors/builds.js";
import type { BuildInfo, Manifest } from "./schema.js";

/** The files of one build, read together and known to belong together. */
export interface BuildFiles {
  dir: string;
  info: BuildInfo;
  manifest: Manifest;
  /** Texts by file name: everything `build.json` lists, and the maps that are there. */
  texts: ReadonlyMap<string, string>;
}

/** Files that run. */
const EXECUTED = ["manifest.json", "workflow.cjs", "server.mjs"] as const;
/** Files that only help to read a stack. */
const MAPS = ["workflow.cjs.map", "server.mjs.map"] as const;

/** How often, and how far apart in milliseconds, a mixture of two builds is read again before giving up. */
const ATTEMPTS = 40;
const PAUSE = 50;

/**
 * Reads a build's output folder. A publish replaces file by file with `build.json` last, so what is read may
 * mix two builds: hashes that don't fit are read again until they do, unless `settled` says that nobody writes there.
 *
 * Errors: `BUILD_MISSING`, `BUILD_INVALID`.
 */
export async function readBuildFiles(
  dir: string,
  { settled = false }: { settled?: boolean } = {},
): Promise<BuildFiles> {
  // Loaded here, because commands that only look at runs need no schemas.
  const { buildInfoSchema, manifestSchema } = await import("./schema.js");
  for (let attempt = 1; ; attempt += 1) {
    const info = parse(dir, "build.json", await readBuildJson(dir), buildInfoSchema);
    const texts = await readTexts(dir);
    const wrong = EXECUTED.filter((name) => sha256(texts.get(name) ?? "") !== info.files[name]);
    if (wrong.length === 0) {
      const manifest = parse(dir, "manifest.json", texts.get("manifest.json") ?? "", manifestSchema);
      return { dir, info, manifest, texts };
    }
    if (settled || attempt === ATTEMPTS) {
      throw new BuildInvalidError(
        dir,
        `${wrong.join(" and ")} ${wrong.length === 1 ? "isn't" : "aren't"} what build.json says`,
      );
    }
    await wait(PAUSE);
  }
}

async function readBuildJson(dir: string): Promise<string> {
  const text = await readOptional(path.join(dir, "build.json"));
  if (text === undefined) throw new BuildMissingError(dir);
  return text;
}

async function readTexts(dir: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const name of [...EXECUTED, ...MAPS]) {
    const text = await readOptional(path.join(dir, name));
    if (text !== undefined) texts.set(name, text);
  }
  return texts;
}

async function readOptional(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function parse<T>(dir: string, name: string, text: string, schema: ZodType<T>): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new BuildInvalidError(dir, `${name} isn't JSON`, error);
  }
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue && issue.path.length > 0 ? ` at ${issue.path.join(".")}` : "";
  throw new BuildInvalidError(dir, `${name}${where}: ${issue?.message ?? "has another form"}`, result.error);
}

/** Hex sha256 of a text. */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
