import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { interop } from "./run.mjs";

test(
  "compiled output runs alike on eve's engine and on @workflow/core with world-local",
  { timeout: 180_000 },
  async () => {
    const dir = await mkdtemp(path.join(tmpdir(), "eve-interop-"));
    try {
      const results = await interop({ dir });
      expect(results.filter(({ problem }) => problem !== undefined)).toEqual([]);
      expect(new Set(results.map(({ host }) => host))).toEqual(new Set(["eve", "core"]));
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  },
);
