import { CommanderError } from "commander";
import { EXIT, messageOf } from "./errors.js";
import { createProgram } from "./program.js";

/**
 * Runs one command of `eve`. `argv` is `process.argv`. Sets `process.exitCode`; a command that has to stop the
 * process itself (Ctrl-C) does so after it put its things in order.
 */
export async function main(argv: readonly string[]): Promise<void> {
  // A reader that closes early (`eve runs list | head`) is no fault.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? EXIT.ok);
    throw error;
  });
  try {
    await createProgram().parseAsync(argv as string[]);
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander printed its message already; help and version end with status 0.
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      return;
    }
    process.stderr.write(`eve: ${messageOf(error)}\n`);
    if (process.env["EVE_DEBUG"]) process.stderr.write(`${error instanceof Error ? error.stack : ""}\n`);
    process.exitCode = EXIT.usage;
  }
}
