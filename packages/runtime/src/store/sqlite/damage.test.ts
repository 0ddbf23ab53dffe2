/** What readers and writers meet when files are damaged, or the folder can't be written. */
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { exportRun } from "../../inspect/export.js";
import { listRuns } from "../../inspect/list.js";
import { showRun } from "../../inspect/show.js";
import { openDatabase } from "./driver.js";
import { isFolderLocked, readLockHolder } from "./lock.js";
import { openSqliteStore } from "./open.js";

let dir: string;
beforeEach(() => (dir = mkdtempSync(path.join(os.tmpdir(), "eve-damage-"))));
afterEach(() => {
  chmodSync(dir, 0o755);
  rmSync(dir, { recursive: true, force: true });
});

/** Puts runs into the folder; `closed: false` leaves their write-ahead log as a killed process does. */
async function fill(runs = 1, { closed = true } = {}): Promise<void> {
  const { store } = openSqliteStore({ dir });
  for (let n = 0; n < runs; n += 1) {
    const runId = `r${n}`;
    const row = { runId, workflowId: "w", buildId: "b", status: "running", createdAt: n, depth: 0 } as const;
    const event = {
      type: "run-started",
      version: 1,
      workflowId: "w",
      buildId: "b",
      args: '[[1],"' + "x".repeat(500) + '"]',
      seed: "00",
      nodeMajor: 20,
      eveVersion: "0",
      depth: 0,
    } as const;
    await store.commit([
      { runId, epoch: await store.claim(runId), create: row, entries: [{ seq: 0, at: n, event }] },
    ]);
  }
  if (closed) await store.close();
}

/** Overwrites the middle of every page but the first. */
function damage(file: string): void {
  const handle = openSync(file, "r+");
  for (let at = 4096; at < statSync(file).size; at += 4096)
    writeSync(handle, Buffer.alloc(4000, 0xab), 0, 4000, at);
  closeSync(handle);
}

async function failure(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("an emptied database isn't taken for a new one where there have been runs", async () => {
  writeFileSync(path.join(dir, "eve.db"), "");
  const { store } = openSqliteStore({ dir });
  await store.close();
  mkdirSync(path.join(dir, "builds", "b1"), { recursive: true });
  writeFileSync(path.join(dir, "eve.db"), "");
  for (const readOnly of [true, false]) {
    const refused = expect.objectContaining({
      code: "STORE_CORRUPTED",
      message: expect.stringContaining("it is empty"),
    });
    expect(() => openSqliteStore({ dir, readOnly })).toThrow(refused);
  }
  expect(isFolderLocked(dir)).toBe(false);
});

test("a run whose log is gone is damage, and no other run is concerned", async () => {
  await fill(2);
  const db = openDatabase(path.join(dir, "eve.db"));
  db.exec("DELETE FROM log WHERE id >> 32 = (SELECT number FROM runs WHERE run_id = 'r0')");
  db.close();
  const { store } = openSqliteStore({ dir, readOnly: true });
  const refused = { code: "STORE_CORRUPTED", message: expect.stringContaining("the log of run r0 is gone") };
  await expect(showRun(store, "r0")).rejects.toMatchObject(refused);
  await expect(exportRun(store, "r0")).rejects.toMatchObject(refused);
  expect(await showRun(store, "r1")).toMatchObject({ runId: "r1" });
  await store.close();
});

describe("a damaged database", () => {
  test("is named by every reader and by who wants to write", async () => {
    await fill(50);
    damage(path.join(dir, "eve.db"));
    const reading = async (
      look: (store: ReturnType<typeof openSqliteStore>["store"]) => Promise<unknown>,
    ) => {
      const { store } = openSqliteStore({ dir, readOnly: true });
      try {
        await look(store);
      } finally {
        await store.close();
      }
    };
    const corrupted = {
      code: "STORE_CORRUPTED",
      message: expect.stringContaining("eve.db can't be trusted"),
      action: expect.stringContaining("backup"),
    };
    expect(await failure(() => reading((store) => listRuns(store)))).toMatchObject(corrupted);
    expect(await failure(() => reading((store) => showRun(store, "r1")))).toMatchObject(corrupted);
    expect(await failure(() => reading((store) => exportRun(store, "r1")))).toMatchObject(corrupted);
    expect(await failure(() => openSqliteStore({ dir }))).toMatchObject(corrupted);
    expect(isFolderLocked(dir)).toBe(false);
  });

  test("an entry that is none is named by its run", async () => {
    await fill();
    const db = openDatabase(path.join(dir, "eve.db"));
    db.exec(`UPDATE log SET entries = '[[1,null]]'`);
    db.close();
    const { store } = openSqliteStore({ dir, readOnly: true });
    expect(await failure(() => store.log("r0"))).toMatchObject({
      code: "STORE_CORRUPTED",
      message: expect.stringContaining("entry 0 of run r0 is unreadable"),
    });
    await store.close();
  });
});

test("a damaged lock file is told apart from the runs, and may be removed", async () => {
  await fill();
  writeFileSync(path.join(dir, "lock.db"), "no database ".repeat(200));
  const damaged = {
    code: "STORE_LOCK_DAMAGED",
    message: expect.stringMatching(/lock\.db is damaged.*Only that file/),
    action: expect.stringContaining("delete the lock file"),
  };
  expect(await failure(() => openSqliteStore({ dir }))).toMatchObject(damaged);
  expect(await failure(() => isFolderLocked(dir))).toMatchObject(damaged);
  rmSync(path.join(dir, "lock.db"));
  const { store } = openSqliteStore({ dir });
  expect(await store.runs()).toHaveLength(1);
  await store.close();
});

describe("a folder that can't be written", () => {
  /** Takes the right to write away, from root by becoming somebody else. */
  async function readOnly(work: () => Promise<void>): Promise<void> {
    const isRoot = process.geteuid?.() === 0;
    for (const name of readdirSync(dir)) chmodSync(path.join(dir, name), 0o444);
    chmodSync(dir, 0o555);
    if (isRoot) process.seteuid?.(65_534);
    try {
      await work();
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(dir, 0o755);
    }
  }

  test("can be read, whatever index files are there", async () => {
    await fill(3);
    for (const name of ["eve.db-shm", "eve.db-wal"]) rmSync(path.join(dir, name), { force: true });
    await readOnly(async () => {
      const { store } = openSqliteStore({ dir, readOnly: true });
      expect(await listRuns(store)).toHaveLength(3);
      expect(await showRun(store, "r2")).toMatchObject({ runId: "r2", status: "running" });
      await store.close();
      expect(isFolderLocked(dir)).toBe(false);
      expect(readLockHolder(dir)).toBeUndefined();
    });
    expect(existsSync(path.join(dir, "eve.db-shm"))).toBe(false);
  });

  test("says so where it would have to be written", async () => {
    await fill();
    await readOnly(async () => {
      expect(await failure(() => openSqliteStore({ dir }))).toMatchObject({ code: "STORE_READ_ONLY" });
    });
  });

  test("doesn't pretend to know what an unfinished write-ahead log holds", async () => {
    await fill(1, { closed: false });
    const log = path.join(dir, "eve.db-wal");
    expect(statSync(log).size).toBeGreaterThan(0);
    const copy = mkdtempSync(path.join(os.tmpdir(), "eve-copy-"));
    const { copyFileSync } = await import("node:fs");
    for (const name of ["eve.db", "eve.db-wal"]) copyFileSync(path.join(dir, name), path.join(copy, name));
    rmSync(dir, { recursive: true, force: true });
    dir = copy;
    await readOnly(async () => {
      expect(await failure(() => openSqliteStore({ dir, readOnly: true }))).toMatchObject({
        code: "STORE_UNFINISHED",
        action: expect.stringContaining("copy"),
      });
    });
    // Where it can be written, everything is there.
    const { store } = openSqliteStore({ dir, readOnly: true });
    expect(await store.runs()).toHaveLength(1);
    await store.close();
  });
});
