import { defineRule, type Finding } from "./rule.js";

export const nondeterminismRule = defineRule({
  code: "EVE2005",
  severity: "warning",
  title: "Clock, randomness or locale in a body",
  description:
    "Bodies are replayed, so the runtime replaces the clock and the random source by recorded or seeded ones: they agree between replays, but they aren't the time or the entropy of the moment. What depends on the machine's locale or time zone may differ between machines.",
  bad: `async execute() {\n  "use workflow";\n  return { orderedAt: Date.now() };\n}`,
  good: `async execute() {\n  "use workflow";\n  return { orderedAt: await now() };\n}\n\nasync function now() {\n  "use step";\n  return Date.now();\n}`,
});

/** @param kind what the expression reads */
export function nondeterminism(path: string, kind: "clock" | "random" | "locale"): Finding {
  const what = {
    clock: "gives the time of the run's log, not the present one",
    random: "gives numbers seeded by the run, which repeat on every replay",
    locale: "depends on the locale and time zone of the machine that replays it",
  }[kind];
  return {
    rule: nondeterminismRule,
    message: `${path} in a workflow body ${what}.`,
    help:
      kind === "locale"
        ? `Pass locale and time zone explicitly, or call it in a function with "use step".`
        : `If a real value is meant, take it in a function with "use step".`,
  };
}
