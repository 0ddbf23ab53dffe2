import { createRequire } from "node:module";
import path from "node:path";
import { ROOT } from "./paths.mjs";

/** The driver that eve's store uses on this version of Node. */
function driver() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 13))
    return process.getBuiltinModule("node:sqlite").DatabaseSync;
  const require = createRequire(path.join(ROOT, "packages", "runtime", "package.json"));
  return require("@photostructure/sqlite").DatabaseSync;
}

/**
 * The floor of durable work on this machine: single-row commits with the driver and the settings of eve's store (WAL,
 * `synchronous=FULL`), nothing around them.
 *
 * @param {string} dir empty folder, on the same disk as what it is compared with
 * @returns {{ run(count: number): number, close(): void }} `run` commits so many rows and gives the ms they took
 */
export function openRawCommits(dir) {
  const db = new (driver())(path.join(dir, "raw.db"));
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  db.exec(
    "CREATE TABLE log (run_id TEXT, seq INTEGER, at INTEGER, event TEXT, PRIMARY KEY (run_id, seq)) WITHOUT ROWID",
  );
  const insert = db.prepare("INSERT INTO log VALUES (?, ?, ?, ?)");
  // As long as the entry of a completed step with a small result.
  const event = JSON.stringify({
    type: "step-completed",
    key: "step//./agent/tools/steps//increment#1",
    value: "[1]",
  });
  let next = 0;
  return {
    run(count) {
      const start = performance.now();
      for (let n = 0; n < count; n += 1) insert.run("run", (next += 1), 1_700_000_000_000, event);
      return performance.now() - start;
    },
    close: () => db.close(),
  };
}
