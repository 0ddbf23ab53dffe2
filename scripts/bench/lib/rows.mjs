import { median } from "./stats.mjs";

/**
 * One line of a result.
 *
 * @typedef {object} Row
 * @property {string} work what was done
 * @property {number} median
 * @property {string} unit `ms`, `µs`, `MB`, `KB`, `%` …
 * @property {[number, number]} range smallest and largest sample
 * @property {number} rounds
 * @property {{ name: string, median: number }} [reference] what it was compared with, in the same unit and run
 * @property {number} [ratio] median ÷ reference: below 1 is better than the reference
 * @property {Reach} [reach]
 * @property {boolean} [reached]
 *
 * @typedef {{ of: "median" | "ratio" | "speedup", atMost?: number, atLeast?: number }} Reach
 */

/**
 * Makes a row of samples.
 *
 * @param {{ work: string, unit: string, samples: number[], reference?: { name: string, samples: number[] }, reach?: Reach }} from
 * @returns {Row}
 */
export function row({ work, unit, samples, reference, reach }) {
  const out = {
    work,
    median: median(samples),
    unit,
    range: [Math.min(...samples), Math.max(...samples)],
    rounds: samples.length,
  };
  if (reference) {
    out.reference = { name: reference.name, median: median(reference.samples) };
    out.ratio = out.median / out.reference.median;
  }
  if (reach) Object.assign(out, { reach, reached: isReached(out, reach) });
  return out;
}

function isReached({ median: middle, ratio }, { of, atMost = Infinity, atLeast = -Infinity }) {
  const value = of === "median" ? middle : of === "ratio" ? ratio : 1 / ratio;
  return value <= atMost && value >= atLeast;
}

const number = (value) =>
  value.toLocaleString("en-US", { maximumSignificantDigits: value >= 1000 ? 4 : 3, useGrouping: true });

const measure = (value, unit) => `${number(value)} ${unit}`;

/** `1.4 ×`, or `820 × faster` where the reach is a speed-up. */
function ratioText({ ratio, reach }) {
  if (ratio === undefined) return "";
  return reach?.of === "speedup" ? `${number(1 / ratio)} × faster` : `${number(ratio)} ×`;
}

function reachText({ reach, reached, unit }) {
  if (!reach) return "";
  const sign = reach.atMost === undefined ? "≥" : "≤";
  const limit = number(reach.atMost ?? reach.atLeast);
  const suffix = reach.of === "median" ? unit : reach.of === "ratio" ? "×" : "× faster";
  return `${reached ? "✓" : "✗"} ${sign} ${limit} ${suffix}`;
}

const HEAD = ["work", "median", "range", "reference", "ratio", "reach"];

const cells = (one) => [
  one.work,
  measure(one.median, one.unit),
  one.rounds === 1 ? "one round" : `${number(one.range[0])}–${number(one.range[1])}`,
  one.reference ? `${measure(one.reference.median, one.unit)} (${one.reference.name})` : "",
  ratioText(one),
  reachText(one),
];

/**
 * The rows as a Markdown table, padded so that it reads in a terminal too.
 * @param {Row[]} rows
 */
export function formatTable(rows) {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const format = (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [format(lines[0]), rule, ...lines.slice(1).map(format)].join("\n");
}
