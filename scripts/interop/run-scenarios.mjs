import { scenarios } from "./scenarios.mjs";

/** Retries and sleeps take about a second each; nothing here takes longer than a few. */
const LIMIT_S = 20;

/**
 * Runs the scenarios one after another on an engine and prints the outcomes as one JSON document, by name.
 *
 * @param {object} engine
 * @param {(workflowId: string, args: unknown[]) => Promise<string>} engine.start gives the run's id
 * @param {(runId: string) => Promise<{ status: string, output?: unknown, error?: { message: string } }>} engine.outcome
 * @param {(runId: string) => ReadableStream} engine.stream
 * @param {(token: string) => Promise<void>} engine.hookOpened
 * @param {(token: string, payload: unknown) => Promise<unknown>} engine.resume
 * @param {(token: string, request: Request) => Promise<Response>} engine.webhook
 */
export async function runScenarios(engine) {
  const outcomes = {};
  for (const { name, workflow, args, drive, streamed } of scenarios) {
    const { outside, dispose } = outsideOf(engine);
    const run = async () => {
      const runId = await engine.start(`workflow//${workflow}`, args);
      await drive?.(outside);
      const outcome = await engine.outcome(runId);
      return streamed ? { ...outcome, chunks: await readAll(engine.stream(runId)) } : outcome;
    };
    outcomes[name] = await orTimeout(run());
    dispose();
  }
  process.stdout.write(`\n${JSON.stringify(outcomes)}\n`);
}

async function readAll(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

/** The world that a scenario's driver acts in. */
function outsideOf(engine) {
  const symbol = Symbol.for("interop.announce");
  const said = new Map();
  const listeners = new Map();
  globalThis[symbol] = (topic, value) => {
    said.set(topic, value);
    listeners.get(topic)?.(value);
  };
  const outside = {
    async resume(token, payload) {
      await engine.hookOpened(token);
      await engine.resume(token, payload);
    },
    webhook: (token, request) => engine.webhook(token, request),
    announced: (topic) =>
      new Promise((resolve) => (said.has(topic) ? resolve(said.get(topic)) : listeners.set(topic, resolve))),
  };
  return { outside, dispose: () => delete globalThis[symbol] };
}

/** A scenario that hangs is an outcome of its own, so that the others still run. */
async function orTimeout(outcome) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(
      () => resolve({ status: "hung", error: { message: `no end within ${LIMIT_S} s` } }),
      LIMIT_S * 1000,
    );
  });
  try {
    return await Promise.race([outcome, late]);
  } finally {
    clearTimeout(timer);
  }
}
