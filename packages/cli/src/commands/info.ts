import path from "node:path";
import type { Command } from "commander";
import { invocationOf } from "../app/options.js";
import { SDK } from "../app/sdk.js";
import { printFindings } from "../app/findings.js";
import { EXIT } from "../errors.js";
import type { Io } from "../terminal/io.js";
import type { Manifest } from "@eve/compiler";

export function addInfoCommand(program: Command): void {
  program
    .command("info")
    .argument("[dir]", "app root")
    .description("what the app holds: tools, workflows, steps, agents, with their ids")
    .option("--json", "print the manifest on stdout")
    .action(async (dir: string | undefined, options: { json?: true }, command: Command) => {
      const { io, format, app } = invocationOf(command);
      const { check } = await import("@eve/compiler");
      const { ok, root, diagnostics, manifest } = await check({ root: app(dir).root, sdk: SDK });
      if (options.json) io.out(JSON.stringify(manifest, undefined, 2));
      else print(io, root, manifest);
      // The manifest may lack what the findings are about: say so.
      if (!options.json) await printFindings(io, format, root, diagnostics);
      process.exitCode = ok ? EXIT.ok : EXIT.failed;
    });
}

function print(io: Io, root: string, { tools, workflows, steps, agents }: Manifest): void {
  const { colors } = io;
  io.out(`${colors.bold("app")}  ${path.relative(io.cwd, root) || "."}`);
  section(
    io,
    "agents",
    Object.entries(agents).map(
      ([name, { file }]) => `${name === "." ? "(root)" : name}  ${colors.dim(file ?? "")}`,
    ),
  );
  section(
    io,
    "tools",
    Object.entries(tools).map(
      ([name, { file, entryPoint, description }]) =>
        `${name}  ${entryPoint ?? "tool"}  ${colors.dim(`${file}  ${description ?? ""}`.trim())}`,
    ),
  );
  const places = (functions: Record<string, { file: string; line: number }>) =>
    Object.entries(functions).map(([id, { file, line }]) => `${id}  ${colors.dim(`${file}:${line}`)}`);
  section(io, "workflows", places(workflows));
  section(io, "steps", places(steps));
}

function section(io: Io, title: string, lines: string[]): void {
  io.out(`${io.colors.bold(title)}${lines.length === 0 ? "  none" : ""}`);
  for (const line of lines) io.out(`  ${line}`);
}
