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
      const ran = new Set(results.map(({ host, from }) => `${from} on ${host}`));
      expect([...ran]).toEqual(["build on eve", "build on core", "plugin on core"]);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  },
);
