/** Whole programs as users start them: wall time from spawn to exit, and the memory of all their processes. */
import { fork, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

function start(args, { cwd, env } = {}) {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  const exit = new Promise((resolve, reject) => {
    child.on("error", reject);
    // `close` waits for the pipes, which a grandchild could keep open: the program's end is `exit`.
    child.on("exit", (code, signal) => {
      if (code === 0) resolve(performance.now());
      else
        child.on("close", () =>
          reject(new Error(`node ${args.join(" ")}: ${signal ?? `exit ${code}`}\n${output}`)),
        );
    });
  });
  return { child, exit };
}

/**
 * Runs `node <args>` to its end and gives the wall time in ms, the start of Node included.
 * @throws Error with the program's output when it doesn't exit with 0
 */
export async function wallMs(args, options) {
  const begin = performance.now();
  return (await start(args, options).exit) - begin;
}

/** Resident memory of a process and of everything below it, in bytes; processes that just ended count as 0. */
function treeRss(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const own = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return children
      .split(" ")
      .filter(Boolean)
      .reduce((sum, id) => sum + treeRss(id), own);
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ESRCH") return 0;
    throw error;
  }
}

/**
 * Runs `node <args>` to its end and gives the peak of its resident memory in MB, the processes it starts (esbuild's
 * service, say) included. Looks every 4 ms, so it is a run of its own and not one that is timed. Linux only:
 * elsewhere `undefined`.
 */
export async function peakMb(args, options) {
  if (process.platform !== "linux") return undefined;
  const { child, exit } = start(args, options);
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, treeRss(child.pid));
    await Promise.race([exit, setTimeout(4)]);
  }
  await exit;
  return peak / 1e6;
}

/** Resident memory of a running process in MB, and the CPU time in ms it has used so far. */
export function usageOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { rssMb: treeRss(pid) / 1e6, cpuMs: ticks * 10 };
}

/**
 * A module in a process of its own that answers calls (see `serve`), for subjects that hold global state or must be
 * measured from outside.
 *
 * ```js
 * const peer = await remote("peers/world-local.mjs");
 * const ms = await peer.call("sequential", 20);
 * await peer.close();
 * ```
 */
export async function remote(file, { args = [], execArgv = [], env } = {}) {
  const child = fork(file, args, {
    execArgv,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let [log, closing] = ["", false];
  child.stderr.on("data", (data) => (log = (log + data).slice(-4000)));
  const waiting = new Map();
  let last = 0;
  const exit = new Promise((resolve) =>
    child.on("exit", (code, signal) => resolve(signal ?? `exit ${code}`)),
  );
  void exit.then((how) => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended (${how})\n${log}`));
    if (!closing && waiting.size === 0) process.stderr.write(`${file} ended (${how})\n${log}`);
  });
  child.on("message", ({ id, value, error }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(value);
    else reject(new Error(`${file}: ${error}`));
  });
  const call = (name, ...values) =>
    new Promise((resolve, reject) => {
      waiting.set((last += 1), { resolve, reject });
      child.send({ id: last, name, values });
    });
  await call("ready");
  return {
    pid: child.pid,
    call,
    /** Ends the process: asks it to close what it holds, then waits until it is gone. */
    async close() {
      if (closing) return await exit;
      closing = true;
      await call("close");
      child.disconnect();
      await exit;
    },
    /** Ends it without warning, as a crash would. */
    async kill() {
      closing = true;
      child.kill("SIGKILL");
      await exit;
    },
  };
}

/**
 * Answers the calls of `remote` in a child process. `open` gives the functions by name; `close` among them is called
 * last. Values travel as JSON.
 */
export function serve(open) {
  const opened = open();
  process.on("message", async ({ id, name, values }) => {
    try {
      const functions = await opened;
      const value = name === "ready" ? null : await functions[name]?.(...values);
      process.send({ id, value });
    } catch (error) {
      process.send({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
}
