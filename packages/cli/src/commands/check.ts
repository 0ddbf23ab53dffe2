import type { Command } from "commander";
import { printFindings } from "../app/findings.js";
import { invocationOf } from "../app/options.js";
import { SDK } from "../app/sdk.js";
import { EXIT } from "../errors.js";

interface Options {
  evaluate: boolean;
  frozenIds?: true;
}

const EXAMPLES = `
Examples:
  $ eve check                                    every finding, for people
  $ eve check --format github                    annotations in a pull request
  $ eve check --format sarif > eve.sarif         for a code scanning upload`;

export function addCheckCommand(program: Command): void {
  program
    .command("check")
    .argument("[dir]", "app root")
    .description("do all checks of a build and write nothing")
    .option("--no-evaluate", "don't run the app's code")
    .option("--frozen-ids", "an id that left eve.ids.json is an error")
    .addHelpText("after", EXAMPLES)
    .action(async (dir: string | undefined, options: Options, command: Command) => {
      const { io, format, app } = invocationOf(command);
      const { check } = await import("@eve/compiler");
      const result = await check({ root: app(dir).root, ...options, sdk: SDK });
      await printFindings(io, format, result.root, result.diagnostics);
      if (result.diagnostics.length === 0 && format === "pretty")
        io.err(`${io.colors.green("✓")} no findings`);
      process.exitCode = result.ok ? EXIT.ok : EXIT.failed;
    });
}
