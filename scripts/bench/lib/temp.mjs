import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Gives `work` an empty folder and removes it afterwards, whatever happens. `EVE_BENCH_DIR` chooses the disk: what
 * a commit costs depends on it.
 */
export async function withFolder(work) {
  const dir = await mkdtemp(path.join(process.env.EVE_BENCH_DIR ?? tmpdir(), "eve-bench-"));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  }
}
