import { Command, Option } from "commander";
import { addBuildCommand } from "./commands/build.js";
import { addCheckCommand } from "./commands/check.js";
import { addIdsCommand } from "./commands/ids.js";
import { addInfoCommand } from "./commands/info.js";
import { addReplayCommand } from "./commands/replay.js";
import { addRunCommand } from "./commands/run.js";
import { addRunsCommand } from "./commands/runs.js";
import { addStartCommand } from "./commands/start.js";
import { VERSION } from "./version.js";

const EXAMPLES = `
Examples:
  $ eve check                                      find what a build would refuse, write nothing
  $ eve build                                      check, compile, publish to .eve/output
  $ eve run deploy --input '{"service":"api"}'     one tool call, questions asked in this terminal
  $ eve runs list                                  what ran, what waits
  $ eve runs answer <runId> approve                answer a waiting run

Exit status: 0 fine · 1 findings, or a run that failed · 2 wrong usage or an internal error · 130 Ctrl-C`;

/** The command line, ready to parse. Nothing heavy is loaded before a command runs. */
export function createProgram(): Command {
  const program = new Command("eve")
    .description('Durable workflow tools, compiled: check, build and run "use workflow" and "use step".')
    .version(VERSION)
    .option(
      "-C, --dir <dir>",
      "app root (default: walk up from here to a folder with agent/ or .eve/output/)",
    )
    .addOption(
      new Option("--format <format>", "how findings are printed")
        .choices(["pretty", "json", "sarif", "github"])
        .default("pretty"),
    )
    .option("--no-color", "no colours")
    .addHelpText("after", EXAMPLES)
    .showHelpAfterError("(--help after the command shows how it is used)")
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();
  addBuildCommand(program);
  addCheckCommand(program);
  addRunCommand(program);
  addStartCommand(program);
  addRunsCommand(program);
  addReplayCommand(program);
  addIdsCommand(program);
  addInfoCommand(program);
  return program;
}
