/** The two engines under test, each in a process of its own, on the same compiled application. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { compiledApp } from "./app.mjs";
import { remote } from "./child.mjs";
import { BENCH, PEERS } from "./paths.mjs";
import { installed } from "./peers.mjs";
import { withFolder } from "./temp.mjs";

export const WORLD_LOCAL = "@workflow/core + world-local";

async function open(file, output, dataDir) {
  await mkdir(dataDir, { recursive: true });
  return await remote(path.join(BENCH, file), { args: [output, dataDir] });
}

/**
 * Compiles the benchmarks' application and hands out processes that run it; what is still open when `work` ends is
 * closed.
 *
 * @param {{ log(text: string): void, zod?: boolean }} options `zod`: one of the bodies holds that package
 * @param {(subjects: { eve(data?: string): Promise<object>, worldLocal(): Promise<object> }) => Promise<object>} work
 *   `eve` opens eve's engine on the data folder of that name: the same name again is a restart
 */
export async function withSubjects({ log, zod }, work) {
  return await withFolder(async (dir) => {
    log(zod ? "compiling the application, with zod in a body" : "compiling the application");
    const output = await compiledApp(path.join(dir, "app"), { zod });
    const opened = new Set();
    const keep = async (subject) => {
      opened.add(await subject);
      return await subject;
    };
    try {
      return await work({
        // Below the application, where the copied build finds its packages.
        eve: (data = "data") =>
          keep(open("children/engine.mjs", output, path.join(dir, "app", ".eve", data))),
        async worldLocal() {
          await installed(PEERS, log);
          return await keep(open("peers/world-local.mjs", output, path.join(dir, "world-local")));
        },
      });
    } finally {
      for (const subject of opened) await subject.close();
    }
  });
}
