// Reads the documentation for the tests that compare it with what it describes.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../../..");

/** A fenced block: ```` ```ts title="agent/tools/x.ts" ````, or with `part` after it when it shows some lines only. */
export interface Block {
  place: string;
  language: string;
  title: string | undefined;
  part: boolean;
  text: string;
}

/** The blocks of a document, named by its path from the root of the repository. */
export function blocksOf(document: string): Block[] {
  const blocks: Block[] = [];
  const text = readFileSync(path.join(root, document), "utf8");
  for (const match of text.matchAll(/^```(\S*)(.*)\n([^]*?)^```$/gm)) {
    const [, language = "", info = "", body = ""] = match;
    const line = text.slice(0, match.index).split("\n").length;
    const title = /title="([^"]+)"/.exec(info)?.[1];
    blocks.push({ place: `${document}:${line}`, language, title, part: / part\b/.test(info), text: body });
  }
  return blocks;
}

/** Whether `text` holds these lines one after the other, at whatever indentation. */
export function holdsLines(text: string, lines: string): boolean {
  return [0, 2, 4, 6, 8].some((indent) => {
    const moved = lines.replace(/^(?=.)/gm, " ".repeat(indent));
    return `\n${text}`.includes(`\n${moved}`);
  });
}

/** Whether a relative link leads to a file, and its anchor to a heading or a named place of it. */
export function isThere(document: string, target: string): boolean {
  const [file = "", anchor] = target.split("#");
  const to = file === "" ? path.join(root, document) : path.resolve(root, path.dirname(document), file);
  if (!existsSync(to)) return false;
  if (anchor === undefined) return true;
  const text = readFileSync(to, "utf8");
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
  return headings.includes(anchor) || text.includes(`<a id="${anchor}">`);
}

/** The commands of a `console` block (lines with `$ `), each with the lines that follow it. */
export function commandsOf({ text }: Block): { command: string; output: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((entry) => {
      const [command = "", ...output] = entry.trimEnd().split("\n");
      return { command, output: output.join("\n") };
    });
}

/** `…` stands for anything in a line. */
export const pattern = (output: string) =>
  new RegExp(`^${output.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", "[^\\n]*")}$`);
