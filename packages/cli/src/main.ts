import { CommanderError } from "commander";
import { EXIT, messageOf } from "./errors.js";
import { createProgram } from "./program.js";
import { outlivesReaders } from "./terminal/readers.js";

/**
 * Runs one command of `eve` and ends the process with its status (`docs/cli.md`). `argv` is `process.argv`.
 * What an app's steps left open (sockets, timers) doesn't hold the process: the command is over.
 */
export async function main(argv: readonly string[]): Promise<never> {
  guardStreams();
  try {
    await createProgram().parseAsync(argv as string[]);
  } catch (error) {
    report(error);
  }
  await flush(process.stdout);
  await flush(process.stderr);
  process.exit();
}

function report(error: unknown): void {
  if (error instanceof CommanderError) {
    // Commander printed its message already; help and version end with status 0.
    process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return;
  }
  process.stderr.write(`eve: ${messageOf(error)}\n`);
  if (process.env["EVE_DEBUG"]) process.stderr.write(`${error instanceof Error ? error.stack : ""}\n`);
  process.exitCode = EXIT.usage;
}

/**
 * A reader that closes early (`eve runs list | head`) is no fault and ends the command, unless that serves others (`eve
 * start`); nobody who reads what goes wrong changes nothing at all. Output that can't be written otherwise is a fault.
 */
function guardStreams(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") {
      if (!outlivesReaders()) process.exit(process.exitCode ?? EXIT.ok);
      return;
    }
    process.stderr.write(`eve: the output can't be written (${error.code ?? error.message}).\n`);
    process.exit(EXIT.usage);
  });
  process.stderr.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.exit(EXIT.usage);
  });
}

/** Resolves when everything written so far left the process. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()));
}
