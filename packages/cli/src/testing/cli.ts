import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../../..");
const eve = path.join(root, "bin", "eve.js");

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A command that goes on. */
export interface Started {
  child: ChildProcess;
  /** Resolves once stdout and stderr together match. */
  says(pattern: RegExp): Promise<void>;
  ended: Promise<Ended>;
}

/** A copy of an app in a folder of its own, with `eve` and `zod` installed. */
export interface TestApp {
  dir: string;
  /** Runs a command to its end. `input` is its standard input (default: empty, at its end). */
  eve(
    args: readonly string[],
    options?: { input?: string; cwd?: string; env?: Record<string, string> },
  ): Promise<Ended>;
  /** Starts a command whose standard input stays open. */
  start(args: readonly string[], env?: Record<string, string>): Started;
}

/** Copies an example of `fixtures/`, or writes `files`; removed after the test. */
export function testApp(source: string | Record<string, string>): TestApp {
  const dir = mkdtempSync(path.join(os.tmpdir(), "eve-cli-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(path.join(dir, "node_modules"));
  for (const name of ["eve", "zod"])
    symlinkSync(path.join(root, "node_modules", name), path.join(dir, "node_modules", name));
  if (typeof source === "string") {
    const from = path.join(root, "fixtures", source);
    for (const name of readdirSync(from))
      if (name !== ".eve") cpSync(path.join(from, name), path.join(dir, name), { recursive: true });
  } else {
    for (const [file, text] of Object.entries(source)) {
      mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
      writeFileSync(path.join(dir, file), text);
    }
  }
  const start = (args: readonly string[], cwd: string, env: Record<string, string> = {}) =>
    follow(args, cwd, env);
  return {
    dir,
    async eve(args, { input = "", cwd = dir, env } = {}) {
      const { child, ended } = start(args, cwd, env);
      child.stdin?.end(input);
      return await ended;
    },
    start: (args, env) => start(args, dir, env),
  };
}

function follow(args: readonly string[], cwd: string, extra: Record<string, string>): Started {
  const { FORCE_COLOR: _color, ...env } = process.env;
  const child = spawn(process.execPath, [eve, ...args], { cwd, env: { ...env, NO_COLOR: "1", ...extra } });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [stdout, stderr] = ["", ""];
  const watchers = new Set<() => void>();
  const heard = () => watchers.forEach((watch) => watch());
  child.stdout.on("data", (data: Buffer) => ((stdout += data.toString()), heard()));
  child.stderr.on("data", (data: Buffer) => ((stderr += data.toString()), heard()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  const says = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const watch = () => {
        if (!pattern.test(stdout + stderr)) return;
        watchers.delete(watch);
        resolve();
      };
      watchers.add(watch);
      watch();
      void ended.then(({ code }) =>
        reject(new Error(`ended with ${code} before it said ${pattern}: ${stdout}${stderr}`)),
      );
    });
  return { child, says, ended };
}

/** The source of a workflow tool: its body and, besides, the module's other code. */
export function toolSource(
  body: string,
  rest = "",
  options: { entry?: string; schema?: string; extra?: string } = {},
): string {
  const {
    entry = "async execute(input: any, ctx: any)",
    schema = '{ type: "object" }',
    extra = "",
  } = options;
  return `import { defineWorkflowTool } from "eve/tools";
import { createHook, createWebhook, FatalError, getWritable, RetryableError, sleep } from "workflow";
void [createHook, createWebhook, FatalError, getWritable, RetryableError, sleep];
export default defineWorkflowTool({
  description: "A tool of a test.",
  inputSchema: ${schema},
  ${extra}
  ${entry} {
    "use workflow";
    ${body}
  },
});
${rest}
`;
}

/** The files of an app with these tools. */
export function appWith(
  tools: Record<string, string>,
  more: Record<string, string> = {},
): Record<string, string> {
  const files: Record<string, string> = {
    "package.json": '{ "name": "app", "private": true, "type": "module" }',
  };
  for (const [name, source] of Object.entries(tools)) files[`agent/tools/${name}.ts`] = source;
  return { ...files, ...more };
}
