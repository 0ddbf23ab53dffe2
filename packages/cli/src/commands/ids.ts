import path from "node:path";
import type { Command } from "commander";
import type { IdsResult } from "@eve/compiler";
import { printFindings } from "../app/findings.js";
import { invocationOf } from "../app/options.js";
import { SDK } from "../app/sdk.js";
import { EXIT } from "../errors.js";
import type { Io } from "../terminal/io.js";

export function addIdsCommand(program: Command): void {
  const ids = program
    .command("ids")
    .description("lock the ids of workflows and steps, so that a rename can't strand runs in flight");
  ids
    .command("lock")
    .argument("[dir]", "app root")
    .description("write eve.ids.json; commit it")
    .action(async (dir: string | undefined, _options: object, command: Command) => {
      const { io, format, app } = invocationOf(command);
      const { lockIds } = await import("@eve/compiler");
      const result = await lockIds({ root: app(dir).root, sdk: SDK });
      await printFindings(io, format, result.root, result.diagnostics);
      if (result.ok && format === "pretty") {
        listIds(io, result);
        io.err(`${io.colors.green("✓")} wrote ${path.relative(io.cwd, result.file)}`);
      }
      process.exitCode = result.ok ? EXIT.ok : EXIT.failed;
    });
  ids
    .command("check")
    .argument("[dir]", "app root")
    .description("compare the ids of the sources with eve.ids.json; new ids are fine and listed")
    .action(async (dir: string | undefined, _options: object, command: Command) => {
      const { io, format, app } = invocationOf(command);
      const { checkIds } = await import("@eve/compiler");
      const result = await checkIds({ root: app(dir).root, sdk: SDK });
      await printFindings(io, format, result.root, result.diagnostics);
      if (format === "pretty") {
        listIds(io, result);
        if (result.ok) io.err(`${io.colors.green("✓")} no locked id is missing`);
      }
      process.exitCode = result.ok ? EXIT.ok : EXIT.failed;
    });
}

function listIds(io: Io, { added, removed }: IdsResult): void {
  for (const id of added) io.err(`${io.colors.green("+")} ${id}`);
  for (const id of removed) io.err(`${io.colors.red("-")} ${id}`);
}
