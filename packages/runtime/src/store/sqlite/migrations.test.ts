import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "./driver.js";
import { migrate, SCHEMA_VERSION } from "./migrations.js";
import { openSqliteStore } from "./open.js";

let dir: string;
beforeEach(() => (dir = mkdtempSync(path.join(os.tmpdir(), "eve-migrations-"))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const STEP = "step//./a//work";
const LOGS = {
  b: [
    { seq: 0, at: 5, event: { type: "progress", value: '"first"' } },
    {
      seq: 1,
      at: 5,
      event: { type: "step-created", key: `${STEP}#0`, stepId: STEP, args: "[[]]", site: "" },
    },
    { seq: 2, at: 6, event: { type: "step-started", key: `${STEP}#0`, attempt: 1 } },
  ],
  a: [{ seq: 0, at: 7, event: { type: "progress", value: '"second"' } }],
} as const;

/** A data folder as version 1 left it: a row per run and transaction, with the entries as objects. */
function firstVersion(): void {
  const file = path.join(dir, "eve.db");
  const db = openDatabase(file);
  migrate(db, file, 1);
  const run = db.prepare(
    "INSERT INTO runs (run_id, workflow_id, build_id, status, created_at, depth) VALUES (?, 'w', 'b', 'running', ?, 0)",
  );
  const rows = db.prepare("INSERT INTO log (run_id, seq, entries) VALUES (?, ?, ?)");
  for (const [runId, log] of Object.entries(LOGS)) {
    run.run(runId, log[0].at);
    const [first, ...rest] = log.map(({ at, event }) => [at, event]);
    rows.run(runId, 0, JSON.stringify([first]));
    if (rest.length > 0) rows.run(runId, 1, JSON.stringify(rest));
  }
  db.close();
}

test("a database of the first version is brought up to date, and its runs go on", async () => {
  firstVersion();
  const { store } = openSqliteStore({ dir });
  for (const [runId, log] of Object.entries(LOGS)) expect(await store.log(runId)).toEqual(log);
  expect(await store.lastEntry("b")).toEqual(LOGS.b[2]);
  const next = {
    seq: 3,
    at: 8,
    event: { type: "step-completed", key: `${STEP}#0`, attempt: 1, value: "[1]" },
  } as const;
  await store.commit([{ runId: "b", epoch: await store.claim("b"), entries: [next] }]);
  const created = {
    runId: "c",
    workflowId: "w",
    buildId: "b",
    status: "running",
    createdAt: 9,
    depth: 0,
  } as const;
  await store.commit([
    { runId: "c", epoch: await store.claim("c"), create: created, entries: [{ ...LOGS.a[0], at: 9 }] },
  ]);
  expect(await store.log("b")).toEqual([...LOGS.b, next]);
  expect(await store.log("a")).toEqual(LOGS.a);
  expect(await store.log("c")).toHaveLength(1);
  await store.close();
});

test("a database of an older version isn't changed by a command that only reads: it says what to do", () => {
  firstVersion();
  expect(() => openSqliteStore({ dir, readOnly: true })).toThrow(
    expect.objectContaining({
      code: "STORE_OUTDATED",
      message: expect.stringContaining(`schema 1; this version of eve reads schema ${SCHEMA_VERSION}`),
      action: expect.stringContaining("eve start"),
    }),
  );
});
