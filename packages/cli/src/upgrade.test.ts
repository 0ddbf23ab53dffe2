import { createRequire } from "node:module";
import path from "node:path";
import { expect, it } from "vitest";
import { appWith, testApp, toolSource, type TestApp } from "./testing/cli.js";

interface Database {
  exec(sql: string): void;
  close(): void;
}

/** The driver of the store, which only the runtime depends on. */
function openDatabase(file: string): Database {
  const require = createRequire(new URL("../../runtime/package.json", import.meta.url));
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const name = major > 22 || (major === 22 && minor >= 13) ? "node:sqlite" : "@photostructure/sqlite";
  const { DatabaseSync } = require(name) as { DatabaseSync: new (file: string) => Database };
  return new DatabaseSync(file);
}

/** Makes the database what the first version of its schema was. */
function downgrade(app: TestApp): void {
  const db = openDatabase(path.join(app.dir, ".eve/data/eve.db"));
  db.exec(`BEGIN;
    CREATE TABLE log_1 (run_id TEXT NOT NULL, seq INTEGER NOT NULL, entries TEXT NOT NULL, PRIMARY KEY (run_id, seq)) WITHOUT ROWID;
    INSERT INTO log_1 SELECT run_id, log.id & 0xffffffff, entries FROM log JOIN runs ON number = log.id >> 32;
    DROP TABLE log;
    ALTER TABLE log_1 RENAME TO log;
    ALTER TABLE runs DROP COLUMN number;
    ALTER TABLE runs DROP COLUMN moved_to;
    PRAGMA user_version = 1;
    COMMIT;`);
  db.close();
}

async function waiting(): Promise<{ app: TestApp; runId: string }> {
  const app = testApp(appWith({ asks: toolSource('return await ctx.ask({ prompt: "Go?" });') }));
  const { stdout } = await app.eve(["run", "asks", "--json"]);
  return { app, runId: (JSON.parse(stdout) as { runId: string }).runId };
}

it("after an upgrade of eve, commands that only look say what to do, and those that change a run do it", async () => {
  const { app, runId } = await waiting();
  downgrade(app);
  for (const args of [
    ["runs", "list"],
    ["runs", "show", runId],
    ["replay", runId],
  ]) {
    const { code, stderr } = await app.eve(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining("schema 1")]);
  }
  expect(await app.eve(["runs", "answer", runId, "yes"])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("is completed"),
  });
  expect((await app.eve(["runs", "list"])).stdout).toContain(runId);
});

it("a run that an older version left waiting goes on with --resume", async () => {
  const { app, runId } = await waiting();
  downgrade(app);
  const { stdout } = await app.eve(["run", "--resume", runId, "--answer", "yes", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ status: "completed" });
});

it("while a process of an older version works on the runs, it is named", async () => {
  const { app, runId } = await waiting();
  downgrade(app);
  const lock = openDatabase(path.join(app.dir, ".eve/data/lock.db"));
  lock.exec("BEGIN EXCLUSIVE");
  const { code, stderr } = await app.eve(["runs", "cancel", runId]);
  lock.close();
  expect([code, stderr]).toEqual([2, expect.stringContaining("is of an older version of eve")]);
});
