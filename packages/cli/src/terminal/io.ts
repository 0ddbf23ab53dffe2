import pc from "picocolors";

type Colors = ReturnType<typeof pc.createColors>;

/** Where a command reads and writes. Colours only where a person looks on. */
export interface Io {
  cwd: string;
  stdin: NodeJS.ReadStream;
  out(text: string): void;
  err(text: string): void;
  /** For stderr and stdout alike: both are a terminal or colours are off. */
  colors: Colors;
  /** A person sits at the terminal and can be asked. */
  interactive: boolean;
}

/** The process's own streams. `color: false` (from `--no-color`) and `NO_COLOR` switch colours off. */
export function processIo({ color = true }: { color?: boolean } = {}): Io {
  const { stdin, stdout, stderr, env } = process;
  const colored = color && !env["NO_COLOR"] && stdout.isTTY && stderr.isTTY;
  return {
    cwd: process.cwd(),
    stdin,
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    colors: pc.createColors(colored),
    interactive: Boolean(stdin.isTTY && stderr.isTTY && !env["CI"]),
  };
}
