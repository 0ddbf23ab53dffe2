import { readFile, writeFile } from "node:fs/promises";
import { formatTable } from "./rows.mjs";

const opening = (name) => `<!-- ${name} -->`;
const closing = (name) => `<!-- /${name} -->`;

/**
 * Puts the tables of results into a Markdown text, each between the comments `<!-- name -->` and `<!-- /name -->`.
 *
 * @param {string} text
 * @param {{ name: string, title: string, load: [number, number], rows: import("./rows.mjs").Row[] }[]} results
 * @throws Error when the text has no place for one of them
 */
export function withResults(text, results) {
  let out = text;
  for (const { name, title, load, rows } of results) {
    const [start, end] = [out.indexOf(opening(name)), out.indexOf(closing(name))];
    if (start < 0 || end < start) {
      throw new Error(
        `There is no place for "${name}": write ${opening(name)} and ${closing(name)} where it belongs.`,
      );
    }
    const sentence = `${title[0].toUpperCase()}${title.slice(1)}. Load while it ran: ${load[0]} to ${load[1]}.`;
    out = [
      out.slice(0, start),
      opening(name),
      "\n\n",
      sentence,
      "\n\n",
      formatTable(rows),
      "\n\n",
      out.slice(end),
    ].join("");
  }
  return out;
}

/** The same in a file. */
export async function writeResults(file, results) {
  await writeFile(file, withResults(await readFile(file, "utf8"), results));
}
