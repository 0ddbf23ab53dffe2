import { spawn, type ChildProcess } from "node:child_process";
import type { ToolFacts } from "./describe.js";

const LIMIT_MS = 10_000;

/** What a child answered, or why it didn't. */
export type ChildAnswer =
  | { kind: "facts"; facts: [key: string, facts: ToolFacts][] }
  | { kind: "timeout" }
  | { kind: "crash"; reason: string };

/**
 * A Node.js process that waits for a module on its standard input. It runs in the app root, so that the
 * module finds the app's packages; nothing is written, and what it prints is dropped.
 *
 * `preload` names packages that the child loads while it waits, those that the module will most likely import.
 */
export class EvaluationChild {
  readonly #process: ChildProcess;
  readonly #answer: Promise<ChildAnswer>;
  #complaint = "";

  constructor(cwd: string, preload: readonly string[] = []) {
    const imports = preload.flatMap((name) => ["--import", name]);
    this.#process = spawn(process.execPath, [...imports, "--input-type=module", "-"], {
      cwd,
      stdio: ["pipe", "ignore", "pipe", "ipc"],
      windowsHide: true,
    });
    this.#answer = this.#listen();
  }

  /** Evaluates the module; may be called once. `onFed` is called when the child has got all of it. */
  async evaluate(code: string, onFed?: () => void): Promise<ChildAnswer> {
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), LIMIT_MS);
    this.#process.stdin?.end(code, onFed);
    if (onFed !== undefined) void this.#answer.then(onFed);
    const answer = await this.#answer;
    clearTimeout(timer);
    return answer.kind === "crash" && this.#process.signalCode === "SIGKILL" ? { kind: "timeout" } : answer;
  }

  /** Ends a child that isn't needed. */
  dispose(): void {
    if (this.#process.exitCode === null) this.#process.kill("SIGKILL");
  }

  #listen(): Promise<ChildAnswer> {
    const child = this.#process;
    child.stdin?.on("error", (error) => {
      this.#complaint ||= error.message; // the child ended before it read everything; its exit says why
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-4000);
    });
    return new Promise((resolve) => {
      child.once("message", (facts) => {
        resolve({ kind: "facts", facts: facts as [string, ToolFacts][] });
      });
      child.once("error", (error) => resolve({ kind: "crash", reason: error.message }));
      child.once("close", (code, signal) => {
        resolve({ kind: "crash", reason: reasonOf(this.#complaint) ?? `it ended with ${signal ?? code}` });
      });
    });
  }
}

/** The line of a Node.js error report that says what happened. */
function reasonOf(stderr: string): string | undefined {
  const lines = stderr.split(/\r?\n/).map((line) => line.trim());
  return (
    lines.find((line) => /^(?:\w*Error|\w*Exception)\b.*:/.test(line)) ?? lines.find((line) => line !== "")
  );
}
