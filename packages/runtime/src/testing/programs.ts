/** Random workflow programs as plain data, and the build each of them stands for. */
import type { EveHost } from "eve/internal/host-api";
import { HOST } from "eve/internal/symbols";
import type { Build } from "../builds/types.js";
import { testBuild } from "./build.js";

export type Program =
  | { kind: "step"; n: number }
  /** A step that throws on its first attempts and then succeeds. */
  | { kind: "flaky"; n: number; failures: number }
  /** A step that fails for good; caught. */
  | { kind: "fatal"; n: number }
  | { kind: "sleep"; ms: number }
  | { kind: "hook" }
  | { kind: "ask" }
  /** A hook raced against a deadline that passes first, several times, and then awaited. */
  | { kind: "deadline"; rounds: number }
  | { kind: "all"; items: Program[] }
  | { kind: "settled"; items: Program[] }
  /** Whoever comes first; only that somebody did is kept. */
  | { kind: "race"; items: Program[] }
  | { kind: "sequence"; items: Program[] }
  | { kind: "loop"; times: number; item: Program }
  | { kind: "guarded"; item: Program; n: number };

/** Places of the program being rendered that ask for hooks. */
let places = 0;

/** Source of an async generator that runs the programs one after the other and yields after each. */
function renderProgram(programs: readonly Program[]): string {
  places = 0;
  const statements = programs.map(
    (program, index) => `out.push(await ${expression(program)}); yield { at: ${index} };`,
  );
  return `async function* (input, ctx) {
      const out = [];
      // Named by the place that asks: what lost a race goes on meanwhile, and asks for its own at no certain time.
      const hooks = {};
      const nextHook = (place) => createHook({ token: [ctx.session.id, place, (hooks[place] = (hooks[place] ?? -1) + 1)].join("-") });
      ${statements.join("\n")}
      return { out, random: Math.random(), now: typeof Date.now() };
    }`;
}

/** The step functions that rendered programs call, counting executions. */
export function programBuild(programs: readonly Program[], executions: Map<string, number>): Build {
  const counted =
    (work: (attempt: number, ...args: number[]) => unknown) =>
    (...args: unknown[]) => {
      const { stepId = "", attempt = 0 } = host().currentStep() ?? {};
      executions.set(stepId, (executions.get(stepId) ?? 0) + 1);
      return work(attempt, ...(args as number[]));
    };
  const failures = new Map<string, number>();
  return testBuild({
    workflows: { program: renderProgram(programs) },
    tools: { program: { workflowId: "program" } },
    steps: {
      double: Object.assign(
        counted(async (_attempt, n = 0) => {
          if (n % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
          return n * 2;
        }),
        { maxRetries: 100 },
      ),
      flaky: Object.assign(
        counted((_attempt, n = 0, times = 1) => {
          const key = host().currentStep()?.stepId ?? "";
          const failed = failures.get(key) ?? 0;
          if (failed >= times) return n;
          failures.set(key, failed + 1);
          throw new Error(`flaky ${n}`);
        }),
        { maxRetries: 100 },
      ),
      fatal: Object.assign(
        counted((_attempt, n) => {
          throw Object.assign(new Error(`fatal ${n}`), { name: "FatalError", fatal: true });
        }),
        // A crash counts as an attempt: with the usual three retries a few crashes in a row would be the outcome.
        { maxRetries: 100 },
      ),
    },
  });
}

const host = () => (globalThis as unknown as { [HOST]: EveHost })[HOST];

function expression(program: Program): string {
  switch (program.kind) {
    case "step":
      return `step("double")(${program.n})`;
    case "flaky":
      return `step("flaky")(${program.n}, ${program.failures})`;
    case "fatal":
      return `step("fatal")(${program.n}).catch((error) => error.name + ":" + error.message)`;
    case "sleep":
      return `sleep(${program.ms}).then(() => "slept")`;
    case "hook":
      return `nextHook(${(places += 1)})`;
    case "ask":
      return `ctx.ask({ prompt: "?", options: [{ id: "yes", label: "Yes" }] }).then((answer) => answer.optionId)`;
    case "deadline":
      return `(async () => {
        const hook = nextHook(${(places += 1)});
        for (let i = 0; i < ${program.rounds}; i++) await Promise.race([hook, sleep(10)]);
        return "raced";
      })()`;
    case "all":
      return `Promise.all([${program.items.map(started).join(", ")}])`;
    case "settled":
      return `Promise.allSettled([${program.items.map(started).join(", ")}]).then((all) => all.map((one) => one.status))`;
    case "race":
      return `Promise.race([${program.items.map(started).join(", ")}]).then(() => "won")`;
    case "sequence":
      return `(async () => { const list = []; ${program.items.map((item) => `list.push(await ${expression(item)});`).join(" ")} return list; })()`;
    case "loop":
      return `(async () => { const list = []; for (let i = 0; i < ${program.times}; i++) list.push(await ${expression(program.item)}); return list; })()`;
    case "guarded":
      return `(async () => { try { await ${expression(program.item)}; throw new RangeError("n${program.n}"); } catch (error) { return error.message; } finally { await step("double")(${program.n}); } })()`;
    default:
      return program satisfies never;
  }
}

const started = (program: Program) => `(async () => await ${expression(program)})()`;

/** A small, fast generator of pseudo-random numbers in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A program of a seed, with a few top-level statements. */
export function randomPrograms(random: () => number): Program[] {
  return Array.from({ length: 1 + Math.floor(random() * 4) }, () => randomProgram(random, 2));
}

const LEAVES = ["step", "step", "step", "flaky", "fatal", "sleep", "hook", "ask", "deadline"] as const;
const BRANCHES = ["all", "settled", "race", "sequence", "loop", "guarded"] as const;

function randomProgram(random: () => number, depth: number): Program {
  const int = (below: number) => Math.floor(random() * below);
  const pick = <T>(list: readonly T[]): T => list[int(list.length)] as T;
  if (depth === 0 || random() < 0.4) {
    const kind = pick(LEAVES);
    switch (kind) {
      case "step":
      case "fatal":
        return { kind, n: int(100) };
      case "flaky":
        return { kind, n: int(100), failures: 1 + int(2) };
      case "sleep":
        return { kind, ms: int(5_000) };
      case "deadline":
        return { kind, rounds: 1 + int(3) };
      default:
        return { kind };
    }
  }
  const kind = pick(BRANCHES);
  const items = () => Array.from({ length: 1 + int(3) }, () => randomProgram(random, depth - 1));
  switch (kind) {
    case "loop":
      return { kind, times: 1 + int(3), item: randomProgram(random, depth - 1) };
    case "guarded":
      return { kind, item: randomProgram(random, depth - 1), n: int(100) };
    default:
      return { kind, items: items() };
  }
}
