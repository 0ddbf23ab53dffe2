/** The body's console: lines collected for the host, which prints them once and drops them while replaying. */
import type { PumpResult } from "../../replay/protocol.js";
import { format, inspect } from "./inspect.js";
import { run } from "../state.js";

type Level = PumpResult["console"][number]["level"];

const counts = new Map<string, number>();
const timers = new Map<string, number>();
let indent = "";

function write(level: Level, args: readonly unknown[]): void {
  if (run.replaying) return;
  let text: string;
  try {
    text = format(args);
  } catch (error) {
    // A getter of the author's value threw; logging must not change what the body does.
    text = `(a value that can't be shown: ${error instanceof Error ? error.message : "its inspection failed"})`;
  }
  run.console.push({ level, text: indent + text.replaceAll("\n", `\n${indent}`) });
}

const at =
  (level: Level) =>
  (...args: unknown[]): void =>
    write(level, args);

function elapsed(label: string): string {
  return `${label}: ${run.now - (timers.get(label) ?? run.now)}ms`;
}

const replayConsole = {
  log: at("log"),
  info: at("info"),
  warn: at("warn"),
  error: at("error"),
  debug: at("debug"),
  dir: (value: unknown) => write("log", [inspect(value, 1)]),
  dirxml: at("log"),
  table: at("log"),
  trace(...args: unknown[]) {
    const [, ...frames] = (new Error("trace").stack ?? "").split("\n");
    write("error", [[`Trace: ${format(args)}`, ...frames].join("\n")]);
  },
  assert(condition: unknown, ...args: unknown[]) {
    if (!condition) write("error", args.length > 0 ? ["Assertion failed:", ...args] : ["Assertion failed"]);
  },
  count(label = "default") {
    counts.set(label, (counts.get(label) ?? 0) + 1);
    write("log", [`${label}: ${counts.get(label)}`]);
  },
  countReset: (label = "default") => void counts.delete(label),
  group(...args: unknown[]) {
    if (args.length > 0) write("log", args);
    indent += "  ";
  },
  groupCollapsed: (...args: unknown[]) => replayConsole.group(...args),
  groupEnd() {
    indent = indent.slice(2);
  },
  time: (label = "default") => void timers.set(label, run.now),
  timeLog: (label = "default", ...args: unknown[]) => write("log", [elapsed(label), ...args]),
  timeEnd(label = "default") {
    write("log", [elapsed(label)]);
    timers.delete(label);
  },
};

export { replayConsole as console };
