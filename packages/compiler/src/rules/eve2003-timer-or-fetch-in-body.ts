import { defineRule, type Finding } from "./rule.js";

export const timerOrFetchRule = defineRule({
  code: "EVE2003",
  severity: "error",
  title: "Timers or `fetch` in a body",
  description:
    "A timer doesn't survive a restart and a request would be repeated by every replay, so neither exists in a body.",
  bad: `async execute() {\n  "use workflow";\n  await new Promise((done) => setTimeout(done, 60_000));\n}`,
  good: `import { sleep } from "workflow";\n\nasync execute() {\n  "use workflow";\n  await sleep("1m");\n}`,
});

/** @param path \`setTimeout\`, \`fetch\`, … */
export function timerOrFetch(path: string): Finding {
  const request = /^(?:fetch|XMLHttpRequest|WebSocket|EventSource)$/.test(path);
  return {
    rule: timerOrFetchRule,
    message: request
      ? `${path} is used by a workflow body: every replay would send the request again.`
      : `${path} is used by a workflow body: a timer doesn't survive a restart.`,
    help: request
      ? `Call it in a top-level async function with "use step".`
      : `Use sleep("…") from "workflow", or do the waiting in a function with "use step".`,
    ...(request ? { fitsStep: true } : {}),
  };
}
