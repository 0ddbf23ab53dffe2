import { build } from "esbuild";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const plugins = path.resolve(here, "../../../../../scripts/realm-text.mjs");

/** Runs TypeScript that imports from `packages/runtime/src` in a process of its own. */
export async function runScript(
  source: string,
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "eve-child-"));
  const file = path.join(folder, "script.mjs");
  const { realmText } = (await import(plugins)) as { realmText(): never };
  try {
    await build({
      stdin: { contents: source, resolveDir: path.resolve(here, "../.."), loader: "ts" },
      outfile: file,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      plugins: [realmText()],
      logLevel: "silent",
    });
    return await new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "pipe"] });
      const output = { stdout: "", stderr: "" };
      child.stdout.on("data", (data: Buffer) => (output.stdout += data.toString()));
      child.stderr.on("data", (data: Buffer) => (output.stderr += data.toString()));
      child.on("error", reject);
      child.on("close", (status) => resolve({ status, ...output }));
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
