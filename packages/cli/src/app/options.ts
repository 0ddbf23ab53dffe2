import type { Command } from "commander";
import { processIo, type Io } from "../terminal/io.js";
import type { Format } from "./findings.js";
import { locateApp, type App } from "./locate.js";

/** The options every command has. */
export interface GlobalOptions {
  dir?: string;
  format: Format;
  color: boolean;
}

/** What a command's action starts from. */
export interface Invocation {
  io: Io;
  format: Format;
  /** The app: `dir` argument, else `--dir`, else found from the working directory. */
  app(dir?: string): App;
}

/** Reads the global options of a command. */
export function invocationOf(command: Command): Invocation {
  const { dir, format, color } = command.optsWithGlobals<GlobalOptions>();
  const io = processIo({ color });
  return { io, format, app: (argument) => locateApp(io.cwd, argument ?? dir) };
}
