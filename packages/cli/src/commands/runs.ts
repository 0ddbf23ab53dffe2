import type { Command } from "commander";
import { invocationOf } from "../app/options.js";
import { UsageError } from "../errors.js";
import { isIdle, openForReading, requireRuns } from "../app/runtime.js";
import { changeRun } from "../run/change.js";
import { formatReport, formatRuns } from "../run/format.js";

const EXAMPLES = `
Examples:
  $ eve runs list
  $ eve runs show wrun_01J…
  $ eve runs answer wrun_01J… approve
  $ eve runs export wrun_01J… > run.json      for eve replay --from in CI`;

export function addRunsCommand(program: Command): void {
  const runs = program
    .command("runs")
    .description("look at the runs of this app, answer, cancel and export them")
    .addHelpText("after", EXAMPLES);
  runs
    .command("list")
    .description("runs, newest first")
    .option("--json", "an array on stdout")
    .action(async (options: { json?: true }, command: Command) => {
      const { io, format, app } = invocationOf(command);
      const { listRuns } = await import("@eve/runtime");
      const place = app();
      const opened = await openForReading(place);
      const list = opened ? await listRuns(opened.store) : [];
      await opened?.close();
      if (options.json || format === "json") io.out(JSON.stringify(list));
      else io.out(formatRuns(io, list, { idle: await isIdle(place) }));
    });
  runs
    .command("show")
    .argument("<runId>", "as eve runs list shows it")
    .description("one run: steps, attempts, waits, and what happened when")
    .option("--json", "the report on stdout")
    .action(async (runId: string, options: { json?: true }, command: Command) => {
      const { io, format, app } = invocationOf(command);
      const { showRun } = await import("@eve/runtime");
      const place = app();
      const { store, builds, close } = await requireRuns(place);
      try {
        const report = await showRun(store, runId, { builds });
        if (options.json || format === "json") io.out(JSON.stringify(report));
        else io.out(formatReport(io, report, { idle: await isIdle(place) }));
      } finally {
        await close();
      }
    });
  runs
    .command("export")
    .argument("<runId>", "as eve runs list shows it")
    .description("the run with its whole log, as JSON on stdout")
    .action(async (runId: string, _options: object, command: Command) => {
      const { io, app } = invocationOf(command);
      const { exportRun } = await import("@eve/runtime");
      const { store, builds, close } = await requireRuns(app());
      try {
        io.out(JSON.stringify(await exportRun(store, runId, { builds })));
      } finally {
        await close();
      }
    });
  runs
    .command("answer")
    .argument("<runId>", "as eve runs list shows it")
    .argument(
      "<answer...>",
      "an option's id, label or number, or a text; before it, the request's id when several are open",
    )
    .usage("[options] <runId> [requestId] <answer>")
    .description("answer a question and let the run go on as far as it can")
    .action(async (runId: string, words: string[], _options: object, command: Command) => {
      const { io, app } = invocationOf(command);
      if (words.length > 2)
        throw new UsageError(
          "Give one answer; quote a text with spaces: eve runs answer <runId> [requestId] <answer>.",
        );
      const [answer = "", requestId] = words.toReversed();
      process.exitCode = await changeRun(app(), io, { change: "answer", runId, requestId, answer });
    });
  runs
    .command("cancel")
    .argument("<runId>", "as eve runs list shows it")
    .option("--reason <text>", "why; the body sees it on its signal")
    .option("--json", "print { runId, status } on stdout")
    .description("abort the call's signal and end the run once the body has cleaned up (at most 30 s)")
    .action(async (runId: string, { reason, json }: { reason?: string; json?: true }, command: Command) => {
      const { io, app } = invocationOf(command);
      process.exitCode = await changeRun(app(), io, { change: "cancel", runId, reason }, json);
    });
}
