import { Option, type Command } from "commander";
import type { RunEnd } from "@eve/runtime";
import { invocationOf } from "../app/options.js";
import { openRuntime } from "../app/runtime.js";
import { EXIT, UsageError } from "../errors.js";
import type { Io } from "../terminal/io.js";
import { outliveReaders } from "../terminal/readers.js";
import { formatDuration } from "../run/format.js";

const EXAMPLES = `
Examples:
  $ eve build && eve start                            webhooks and answers on http://127.0.0.1:3000
  $ EVE_PUBLIC_URL=https://hooks.example.com eve start    behind a proxy: webhook URLs name it

While it runs, eve runs answer and eve runs cancel in the same folder go through it.`;

const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

export function addStartCommand(program: Command): void {
  program
    .command("start")
    .description("serve webhooks and answers of this app's runs, and keep the runs going")
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .addOption(
      new Option("--port <port>", "port to listen on; 0 for any free one").default(3000).argParser(readPort),
    )
    .addHelpText("after", EXAMPLES)
    .action(async ({ host, port }: { host: string; port: number }, command: Command) => {
      const { io, app } = invocationOf(command);
      if (!LOOPBACK.has(host)) {
        throw new UsageError(
          `Listening on ${host} needs an auth configuration, which this version doesn't offer. Put a proxy in front of 127.0.0.1 and name it in EVE_PUBLIC_URL.`,
        );
      }
      outliveReaders();
      const onRunEnd = (end: RunEnd) => io.err(endLine(io, end));
      const runtime = await openRuntime(app(), io, { host, port, print: io.out, onRunEnd });
      try {
        await runtime.builds.current(); // a missing or broken output is said now, not at the first request
        const url = await runtime.server.open();
        const taken = await runtime.engine.recover();
        io.err(
          `${io.colors.green("✓")} serving ${url}${taken > 0 ? `, ${taken} run${taken === 1 ? "" : "s"} taken up` : ""} (Ctrl-C ends it)`,
        );
        await stopSignal();
        io.err("Stopping; what waits goes on with the next start.");
      } finally {
        await runtime.close();
      }
      process.exitCode = EXIT.ok;
    });
}

/** What the log of a server says of a run's end. Why one failed may hold what isn't meant for a log. */
function endLine({ colors }: Io, { runId, tool, workflowId, status, durationMs }: RunEnd): string {
  const mark = { completed: colors.green("✓"), failed: colors.red("✗"), cancelled: colors.yellow("–") }[
    status
  ];
  const more = status === "failed" ? `; eve runs show ${runId} tells why` : "";
  return `${mark} ${new Date().toISOString()} run ${runId} (${tool ?? workflowId}) ${status} after ${formatDuration(durationMs)}${more}`;
}

function readPort(value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new UsageError(`--port takes a number from 0 to 65535, got ${JSON.stringify(value)}.`);
}

/** Resolves at Ctrl-C or when the process is asked to end. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}
