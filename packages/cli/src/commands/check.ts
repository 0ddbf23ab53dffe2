import { Option, type Command } from "commander";
import { printFindings } from "../app/findings.js";
import { invocationOf } from "../app/options.js";
import { SDK } from "../app/sdk.js";
import { expectShortLife } from "../app/short-lived.js";
import { EXIT, UsageError } from "../errors.js";

interface Options {
  evaluate: boolean;
  frozenIds?: true;
  baseline?: string;
  writeBaseline?: string;
  maxWarnings?: number;
}

const EXAMPLES = `
Examples:
  $ eve check                                    every finding, for people
  $ eve check --format github                    annotations in a pull request
  $ eve check --format sarif > eve.sarif         for a code scanning upload
  $ eve check --write-baseline eve.baseline.json    start with a clean slate in an old code base,
  $ eve check --baseline eve.baseline.json --max-warnings 0    then let nothing new in`;

export function addCheckCommand(program: Command): void {
  program
    .command("check")
    .argument("[dir]", "app root")
    .description("do all checks of a build and write nothing")
    .option("--no-evaluate", "don't run the app's code")
    .option("--frozen-ids", "an id that left eve.ids.json is an error")
    .option("--baseline <file>", "leave out the findings that this file knows, so that only new ones count")
    .option("--write-baseline <file>", "write the present findings to a file for --baseline")
    .addOption(new Option("--max-warnings <n>", "fail above so many warnings").argParser(readCount))
    .addHelpText("after", EXAMPLES)
    .action(async (dir: string | undefined, options: Options, command: Command) => {
      const { io, format, app } = invocationOf(command);
      expectShortLife();
      const { check } = await import("@eve/compiler");
      const { maxWarnings = Infinity, ...rest } = options;
      const result = await check({ root: app(dir).root, ...rest, sdk: SDK });
      await printFindings(io, format, result.root, result.diagnostics);
      if (format === "pretty") {
        const known = result.known ? ` besides ${result.known} known` : "";
        if (result.diagnostics.length === 0) io.err(`${io.colors.green("✓")} no findings${known}`);
        if (options.writeBaseline) io.err(`wrote ${options.writeBaseline}`);
      }
      const tooMany = result.summary.warnings > maxWarnings;
      if (tooMany) io.err(`eve: ${result.summary.warnings} warnings; --max-warnings allows ${maxWarnings}.`);
      process.exitCode = result.ok && !tooMany ? EXIT.ok : EXIT.failed;
    });
}

function readCount(value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  throw new UsageError(`--max-warnings takes a number from 0 on, got ${JSON.stringify(value)}.`);
}
