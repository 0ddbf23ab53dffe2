import path from "node:path";
import { Option, type Command } from "commander";
import type { BuildOptions, BuildResult } from "@eve/compiler";
import { printFindings, type Format } from "../app/findings.js";
import { invocationOf } from "../app/options.js";
import { SDK } from "../app/sdk.js";
import { expectShortLife } from "../app/short-lived.js";
import { EXIT, messageOf } from "../errors.js";
import type { Io } from "../terminal/io.js";

interface Options {
  out: string;
  minify?: true;
  keepNames?: true;
  external: string[];
  cache: boolean;
  evaluate: boolean;
  frozenIds?: true;
  watch?: true;
  report?: true;
}

const EXAMPLES = `
Examples:
  $ eve build                            publish to .eve/output
  $ eve build --minify --frozen-ids      for a release: small, and no id may have changed
  $ eve build --report                   look at what is in the bundles
  $ eve build --external sharp           leave a package with native parts to Node`;

/** `--external` may be given several times. */
export const collect = (value: string, previous: string[]): string[] => [...previous, value];

export function addBuildCommand(program: Command): void {
  program
    .command("build")
    .argument("[dir]", "app root")
    .description("check, compile and publish the app; an unchanged build writes nothing")
    .option("--out <dir>", "output folder, relative to the app", ".eve/output")
    .option("--minify", "shorten the bundles; ids don't change")
    .option("--keep-names", "keep function names when minifying")
    .addOption(
      new Option("--external <package>", "a package that stays an import of server.mjs (repeatable)")
        .argParser(collect)
        .default([], "none"),
    )
    .option("--no-cache", "neither read nor write .eve/cache")
    .option("--no-evaluate", "don't run the app's code; read descriptions and schemas from the sources alone")
    .option("--frozen-ids", "an id that left eve.ids.json is an error")
    .option("--report", "write .eve/report/index.html: what the bundles hold, and why")
    .option("--watch", "build again whenever something the build read changes")
    .addHelpText("after", EXAMPLES)
    .action(async (dir: string | undefined, options: Options, command: Command) => {
      const { io, format, app } = invocationOf(command);
      const { watch, ...rest } = options;
      const request = { root: app(dir).root, ...rest, sdk: SDK };
      if (watch) return await watchApp(io, format, request);
      expectShortLife();
      const result = await compileApp(request);
      await report(io, format, result);
      process.exitCode = result.ok ? EXIT.ok : EXIT.failed;
    });
}

async function report(io: Io, format: Format, result: BuildResult): Promise<void> {
  await printFindings(io, format, result.root, result.diagnostics);
  if (result.ok && format === "pretty") summary(io, result);
}

/** Builds until Ctrl-C. A build that fails is reported and the last good output stays. */
async function watchApp(io: Io, format: Format, request: BuildOptions): Promise<void> {
  const { watch } = await import("@eve/compiler");
  let reported = Promise.resolve();
  const watcher = watch(request, (event) => {
    // One report after the other, however quickly builds follow.
    reported = reported.then(() =>
      event.kind === "built" ? report(io, format, event.result) : io.err(`eve: ${messageOf(event.error)}`),
    );
  });
  await watcher.ready;
  await reported;
  io.err(io.colors.dim("watching; Ctrl-C ends it"));
  await new Promise<void>((resolve) => process.once("SIGINT", () => resolve()));
  await watcher.close();
  await reported;
}

/** Loads the compiler and builds. Shared by every command that needs a fresh output. */
export async function compileApp(options: BuildOptions): Promise<BuildResult> {
  const { build } = await import("@eve/compiler");
  return await build(options);
}

function summary(io: Io, { manifest, written, outDir, buildId, report: page }: BuildResult): void {
  const count = (n: number, word: string) => `${n} ${word}${n === 1 ? "" : "s"}`;
  const parts = [
    count(Object.keys(manifest.tools).length, "tool"),
    count(Object.keys(manifest.workflows).length, "workflow"),
    count(Object.keys(manifest.steps).length, "step"),
  ];
  const done = written.length > 0 ? `built ${parts.join(", ")}` : `unchanged: ${parts.join(", ")}`;
  const where = [buildId?.slice(0, 12), relative(io, outDir)].filter(Boolean).join(", ");
  io.err(`${io.colors.green("✓")} ${done} ${io.colors.dim(`(${where})`)}`);
  if (Object.keys(manifest.tools).length === 0)
    io.err("  The app has no tools yet: add one as agent/tools/<name>.ts.");
  if (page) io.err(`  report: ${relative(io, page)}`);
}

const relative = (io: Io, file: string) => path.relative(io.cwd, file) || ".";
