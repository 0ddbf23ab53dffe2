import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, describe, expect, test } from "vitest";
import { storeContract } from "../../testing/store-contract.js";
import { openDatabase } from "./driver.js";
import { translateSqliteError } from "./errors.js";
import { isFolderLocked, readLockHolder } from "./lock.js";
import { APPLICATION_ID, SCHEMA_VERSION } from "./migrations.js";
import { configure, openSqliteStore } from "./open.js";

const folders: string[] = [];

function folder(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), "eve-store-"));
  folders.push(dir);
  return dir;
}

afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true });
});

storeContract("sqlite", async () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), "eve-store-"));
  let { store } = openSqliteStore({ dir });
  return {
    store,
    async reopen() {
      await store.close();
      ({ store } = openSqliteStore({ dir }));
      return store;
    },
    async close() {
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
});

const code = (expected: string) => expect.objectContaining({ code: expected });

function failure(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

const started = {
  seq: 0,
  at: 1,
  event: {
    type: "run-started",
    version: 1,
    workflowId: "w",
    buildId: "b",
    args: "[[]]",
    seed: "00",
    nodeMajor: 20,
    eveVersion: "0",
    depth: 0,
  },
} as const;
const row = {
  runId: "r1",
  workflowId: "w",
  buildId: "b",
  status: "running",
  createdAt: 1,
  depth: 0,
} as const;

describe("the data folder", () => {
  test("is owned by one process, which says who it is", async () => {
    const dir = folder();
    const { store, lock } = openSqliteStore({ dir });
    lock?.setAddress({ url: "http://127.0.0.1:1234", control: "secret" });
    const error = failure(() => openSqliteStore({ dir }));
    expect(error).toMatchObject({
      code: "STORE_LOCKED",
      holder: { pid: process.pid, host: os.hostname(), url: "http://127.0.0.1:1234" },
    });
    expect(String(error)).toContain(`process ${process.pid}`);
    expect(String(error)).not.toContain("secret");
    expect(isFolderLocked(dir)).toBe(true);
    await store.close();
    expect(isFolderLocked(dir)).toBe(false);
    expect(readLockHolder(dir)).toBeUndefined();
    await openSqliteStore({ dir }).store.close();
  });

  test("is free again after kill -9 of its owner, with everything that was acknowledged", async () => {
    const dir = folder();
    const { store } = openSqliteStore({ dir });
    await store.commit([{ runId: "r1", epoch: await store.claim("r1"), create: row, entries: [started] }]);
    await store.close();
    const script = `
      const { createRequire } = require("node:module");
      const load = createRequire(${JSON.stringify(import.meta.filename)});
      const [major, minor] = process.versions.node.split(".").map(Number);
      const { DatabaseSync } = load(major > 22 || (major === 22 && minor >= 13) ? "node:sqlite" : "@photostructure/sqlite");
      const lock = new DatabaseSync(${JSON.stringify(path.join(dir, "lock.db"))});
      lock.exec("BEGIN EXCLUSIVE");
      const db = new DatabaseSync(${JSON.stringify(path.join(dir, "eve.db"))});
      db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      const insert = db.prepare("INSERT INTO log (id, entries) VALUES (1 << 32 | ?, ?)");
      for (let seq = 1; ; seq += 1) {
        insert.run(seq, JSON.stringify([[1, { type: "progress", value: String(seq) }]]));
        process.stdout.write(seq + "\\n");
      }`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    let acknowledged = 0;
    child.stdout.setEncoding("utf8");
    let rest = "";
    child.stdout.on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      acknowledged = Math.max(acknowledged, ...lines.map(Number));
      if (acknowledged > 20) child.kill("SIGKILL");
    });
    await once(child, "close");
    const { store: again } = openSqliteStore({ dir });
    const log = await again.log("r1");
    expect(acknowledged).toBeGreaterThan(20);
    expect(log.length).toBeGreaterThan(acknowledged);
    await again.close();
  });

  test("that holds nothing can't be read", () => {
    expect(failure(() => openSqliteStore({ dir: folder(), readOnly: true }))).toEqual(code("STORE_MISSING"));
  });

  test("can be read while another process owns it, and not changed", async () => {
    const dir = folder();
    const { store } = openSqliteStore({ dir });
    await store.commit([{ runId: "r1", epoch: await store.claim("r1"), create: row, entries: [started] }]);
    const { store: reader, lock } = openSqliteStore({ dir, readOnly: true });
    expect(lock).toBeUndefined();
    expect(await reader.log("r1")).toHaveLength(1);
    await expect(reader.claim("r1")).rejects.toEqual(code("STORE_CLOSED"));
    await expect(async () => reader.commit([])).rejects.toEqual(code("STORE_CLOSED"));
    await reader.close();
    await store.close();
    const { store: alone } = openSqliteStore({ dir, readOnly: true });
    expect(await alone.runs()).toHaveLength(1);
    await alone.close();
  });

  test("that is a file, or lies in one, says which", () => {
    const file = path.join(folder(), ".eve");
    writeFileSync(file, "");
    for (const dir of [file, path.join(file, "data")]) {
      expect(failure(() => openSqliteStore({ dir }))).toMatchObject({
        code: "STORE_PATH",
        message: expect.stringContaining(`${file} is a file`),
      });
    }
  });
});

test.each([
  [5, "STORE_LOCKED", "database is locked"],
  [8, "STORE_READ_ONLY", "attempt to write a readonly database"],
  [10, "STORE_IO", "disk I/O error"],
  [10 | (3 << 8), "STORE_FULL", "write failed: no space left on device"],
  [11, "STORE_CORRUPTED", "database disk image is malformed"],
  [13, "STORE_FULL", "database or disk is full"],
  [14, "STORE_IO", "unable to open database file"],
  [26, "STORE_CORRUPTED", "file is not a database"],
])("SQLite's code %i is %s", (errcode, expected, message) => {
  const error = Object.assign(new Error(message), { errcode });
  const translated = translateSqliteError(error, "/data/eve.db");
  expect(translated).toEqual(code(expected));
  expect(String(translated)).toContain("eve.db");
  expect((translated as { action?: string }).action).toBeTruthy();
});

test("errors that aren't SQLite's pass unchanged", () => {
  const error = new TypeError("no");
  expect(translateSqliteError(error, "f")).toBe(error);
});

describe("the database file", () => {
  test("that is no database is named as such and stays as it is", () => {
    const dir = folder();
    const file = path.join(dir, "eve.db");
    writeFileSync(file, "something else entirely, and more than a page of it. ".repeat(200));
    const before = readFileSync(file);
    expect(failure(() => openSqliteStore({ dir }))).toEqual(code("STORE_CORRUPTED"));
    expect(readFileSync(file)).toEqual(before);
    expect(isFolderLocked(dir)).toBe(false);
  });

  test("of another program is left alone", () => {
    const dir = folder();
    const db = openDatabase(path.join(dir, "eve.db"));
    db.exec("CREATE TABLE theirs (a)");
    db.close();
    expect(failure(() => openSqliteStore({ dir }))).toEqual(code("STORE_FOREIGN"));
    expect(failure(() => openSqliteStore({ dir, readOnly: true }))).toEqual(code("STORE_FOREIGN"));
  });

  test("of a newer version is refused", () => {
    const dir = folder();
    const db = openDatabase(path.join(dir, "eve.db"));
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    db.close();
    const error = failure(() => openSqliteStore({ dir }));
    expect(error).toEqual(code("STORE_TOO_NEW"));
    expect(String(error)).toContain(`schema ${SCHEMA_VERSION + 1}`);
  });

  test("that lost its end is never guessed at", async () => {
    const dir = folder();
    const { store } = openSqliteStore({ dir });
    const epoch = await store.claim("r1");
    const more = Array.from({ length: 400 }, (_, index) => ({
      seq: index + 1,
      at: 1,
      event: { type: "progress", value: JSON.stringify("x".repeat(500)) } as const,
    }));
    await store.commit([{ runId: "r1", epoch, create: row, entries: [started, ...more] }]);
    await store.close();
    truncateSync(path.join(dir, "eve.db"), 64 * 1024);
    let error: unknown;
    try {
      const { store: damaged } = openSqliteStore({ dir });
      try {
        await damaged.log("r1");
      } finally {
        await damaged.close();
      }
    } catch (caught) {
      error = caught;
    }
    expect(error).toEqual(code("STORE_CORRUPTED"));
  });

  test("whose log has a gap or an unreadable entry is never guessed at", async () => {
    const dir = folder();
    const { store } = openSqliteStore({ dir });
    const epoch = await store.claim("r1");
    await store.commit([{ runId: "r1", epoch, create: row, entries: [started] }]);
    for (const seq of [1, 2]) {
      const entries = [{ seq, at: 1, event: { type: "progress", value: "1" } as const }];
      await store.commit([{ runId: "r1", epoch, entries }]);
    }
    await store.close();
    const db = openDatabase(path.join(dir, "eve.db"));
    db.exec("DELETE FROM log WHERE id & 0xffffffff = 1");
    const { store: gap } = openSqliteStore({ dir, readOnly: true });
    await expect(gap.log("r1")).rejects.toThrow(/entry 2 where 1 belongs/);
    db.exec("UPDATE log SET id = id - 1, entries = '{' WHERE id & 0xffffffff = 2");
    await expect(gap.log("r1")).rejects.toEqual(code("STORE_CORRUPTED"));
    await gap.close();
    db.close();
  });

  test("keeps every text a value can hold, and refuses what doesn't fit on the disk", async () => {
    const dir = folder();
    const { store } = openSqliteStore({ dir });
    const epoch = await store.claim("r1");
    await store.commit([{ runId: "r1", epoch, create: row, entries: [started] }]);
    await store.close();
    // A page limit makes SQLite say "full" exactly as a full disk does.
    const db = openDatabase(path.join(dir, "eve.db"));
    const pages = Number(db.prepare("PRAGMA page_count").get()?.page_count);
    db.close();
    const { store: small } = openSqliteStore({ dir, maxPages: pages + 2 });
    const big = {
      seq: 1,
      at: 1,
      event: { type: "progress", value: JSON.stringify("x".repeat(100_000)) },
    } as const;
    const next = await small.claim("r1");
    await expect(async () => small.commit([{ runId: "r1", epoch: next, entries: [big] }])).rejects.toEqual(
      code("STORE_FULL"),
    );
    expect(await small.log("r1")).toHaveLength(1);
    const little = { seq: 1, at: 1, event: { type: "progress", value: '"\\u0000 é 𝄞"' } } as const;
    await small.commit([{ runId: "r1", epoch: next, entries: [little] }]);
    expect((await small.log("r1"))[1]).toEqual(little);
    await small.close();
  });
});

test("a commit is on disk when it returns", () => {
  const db = openDatabase(path.join(folder(), "x.db"));
  configure(db);
  // FULL, in SQLite's numbers.
  expect(db.prepare("PRAGMA synchronous").get()).toMatchObject({ synchronous: 2 });
  expect(db.prepare("PRAGMA journal_mode").get()).toMatchObject({ journal_mode: "wal" });
  db.close();
});
