/**
 * What is run on both engines. `drive` plays the world outside: it gets `resume(token, payload)`, which waits until a
 * hook with that token is open, `webhook(token, request)`, and `announced(topic)`, which waits for what a step
 * announces.
 *
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} workflow path and name within the id
 * @property {unknown[]} args
 * @property {unknown} [expect] the run's output, on either engine
 * @property {unknown[]} [streamed] the chunks of the run's stream
 * @property {string} [expectError] the failed run's message
 * @property {(outside: { resume(token: string, payload: unknown): Promise<void>,
 *   webhook(token: string, request: Request): Promise<Response>,
 *   announced(topic: string): Promise<string> }) => Promise<void>} [drive]
 */

const tool = (name, fn = "execute") => `./agent/tools/${name}//${fn}`;

/** @type {Scenario[]} */
export const scenarios = [
  {
    name: "values of many kinds",
    workflow: tool("values"),
    args: [{ n: 7 }],
    expect: {
      day: "2026-01-01T00:00:00.000Z",
      big: "12345678901234567890",
      map: [["one", 7]],
      set: [1, 2, 3],
      bytes: [1, 2, 255],
      hasNothing: true,
      nan: true,
      minusZero: true,
      host: "example.com",
      deep: "[[[null]]]",
      loop: true,
      many: [2, 4, 6],
      settled: ["fulfilled", "rejected"],
    },
  },
  {
    name: "retries, exhaustion, FatalError",
    workflow: tool("retries"),
    args: [],
    expect: { once: 2, later: 2, exhausted: true, fatal: { is: true, message: "for good", stack: true } },
  },
  {
    name: "closures over module state, barrels, default steps",
    workflow: tool("closures"),
    args: [{ keys: ["a", "bb", "c"] }],
    expect: {
      prints: ["5c47f50a31eb", "9613bde344b1", "4085d6176ebe"],
      lengths: [1, 2, 1],
      weight: 4,
      inStep: 400,
      grades: ["Low", "Low", "Low"],
      seen: [
        ["start", 0],
        ["a", 1],
        ["bb", 2],
        ["c", 3],
      ],
    },
  },
  {
    name: "hooks: one payload, many, typed, in a race",
    workflow: tool("hooks"),
    args: [{ name: "hooks" }],
    async drive({ resume }) {
      await resume("hooks:first", { text: "hello" });
      await resume("hooks:many", { text: "one" });
      await resume("hooks:many", { text: "two", last: true });
      await resume("hooks:decision", { approved: true });
    },
    expect: { text: "hello", texts: ["ONE", "TWO"], approved: true, winner: "timer" },
  },
  {
    name: "sleep, clock, randomness, metadata",
    workflow: tool("sleeps"),
    args: [],
    expect: {
      waitedLongEnough: true,
      still: true,
      random: false,
      uuid: true,
      run: true,
      name: "execute",
      startedBefore: true,
    },
  },
  {
    name: "step references",
    workflow: tool("references"),
    args: [{ op: "multiply" }],
    expect: {
      folded: 24,
      ids: ["step//./agent/tools/references//add", "step//./agent/tools/references//multiply"],
      inStep: 42,
      arity: 3,
      facts: { name: "facts", attempt: 1, started: true, id: true },
    },
  },
  {
    name: "webhook",
    workflow: tool("webhook"),
    args: [],
    async drive({ announced, webhook }) {
      const token = await announced("webhook");
      const response = await webhook(
        token,
        new Request("http://localhost/hook", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ event: "paid" }),
        }),
      );
      if (response.status !== 202) throw new Error(`the webhook answered ${response.status}`);
    },
    expect: { method: "POST", event: "paid", type: "application/json", path: true },
  },
  {
    name: "streams",
    workflow: tool("streams"),
    args: [{ words: ["one", "two"] }],
    expect: { own: 2, handed: true },
    streamed: [
      { word: "one", at: 0 },
      { word: "two", at: 1 },
      { word: "end", at: 2 },
    ],
  },
  {
    name: "a failing body",
    workflow: tool("failing"),
    args: [{ reason: "nothing left" }],
    expectError: "gave up: nothing left",
  },
  {
    name: "a run started by a step",
    workflow: tool("children"),
    args: [{ n: 5 }],
    expect: { result: 15 },
  },
];
