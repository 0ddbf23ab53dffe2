import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import type { ReplayReport } from "@eve/runtime";
import type { App } from "../app/locate.js";
import { invocationOf } from "../app/options.js";
import { openBuilds, requireRuns } from "../app/runtime.js";
import { EXIT, messageOf, UsageError } from "../errors.js";
import type { Io } from "../terminal/io.js";

interface Options {
  all?: true;
  from?: string;
  json?: true;
}

const EXAMPLES = `
Examples:
  $ eve replay wrun_01J…             would this run still fit the code as built now?
  $ eve replay --all                 every run of the store
  $ eve replay --from run.json       a log that eve runs export wrote, as a CI step`;

export function addReplayCommand(program: Command): void {
  program
    .command("replay")
    .argument("[runIds...]")
    .description(
      "run recorded runs again on the present build, without effects, and report the first divergence",
    )
    .option("--all", "every run of the store")
    .option("--from <file>", "an exported run instead of the store")
    .option("--json", "the reports on stdout: one document, or an array for several runs")
    .addHelpText("after", EXAMPLES)
    .action(async (runIds: string[], options: Options, command: Command) => {
      const { io, app } = invocationOf(command);
      const ways = [runIds.length > 0, options.all, options.from !== undefined].filter(Boolean).length;
      if (ways !== 1) throw new UsageError("Name runs to replay, or use --all, or --from <file>.");
      const reports = await replay(app(), io, runIds, options);
      if (options.json) io.out(JSON.stringify(reports.length === 1 && !options.all ? reports[0] : reports));
      else for (const report of reports) print(io, report);
      process.exitCode = reports.every(({ status }) => status === "identical") ? EXIT.ok : EXIT.failed;
    });
}

/** A run whose log can't be read or replayed at all: the others are looked at all the same. */
interface Unreadable {
  status: "unreadable";
  runId: string;
  message: string;
}

type Report = ReplayReport | Unreadable;

async function replay(app: App, io: Io, runIds: string[], { all, from }: Options): Promise<Report[]> {
  const { listRuns, parseExportedRun, replayEntries, replayRun } = await import("@eve/runtime");
  if (from !== undefined) {
    const { run, entries } = parseExportedRun(await readExport(path.resolve(io.cwd, from)));
    const build = await (await openBuilds(app)).current();
    return [
      replayEntries(run.runId, entries, {
        build,
        ...(build.id === run.buildId ? {} : { replaces: run.buildId }),
      }),
    ];
  }
  const { store, builds, close } = await requireRuns(app);
  try {
    const ids = all ? (await listRuns(store)).map(({ runId }) => runId) : runIds;
    const reports: Report[] = [];
    for (const [index, runId] of ids.entries()) {
      if (io.interactive && ids.length > 20 && index % 20 === 0) io.err(`${index} of ${ids.length}`);
      reports.push(
        await replayRun(store, builds, runId).catch((error: unknown) => unreadable(runId, error, all)),
      );
    }
    return reports;
  } finally {
    await close();
  }
}

/** With `--all` a run that can't be read is a line of the report; a run that was asked for by name is an error. */
function unreadable(runId: string, error: unknown, all: true | undefined): Unreadable {
  if (!all) throw error;
  return { status: "unreadable", runId, message: messageOf(error) };
}

async function readExport(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(
      `--from: can't read ${path.relative(process.cwd(), file)} (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
      { cause: error },
    );
  }
}

function print(io: Io, report: Report): void {
  const { colors } = io;
  const mark = report.status === "identical" ? colors.green("✓") : colors.red("✗");
  io.out(`${mark} ${report.runId} ${report.status}`);
  if (report.status !== "identical")
    io.out(
      report.message
        .split("\n")
        .map((line) => `  ${line}`)
        .join("\n"),
    );
}
