/**
 * Applications to build, made up from numbers alone: the same call writes the same files on every machine.
 * They are shaped like the real thing: tools with two steps and a helper of the body, services that use Node
 * builtins and each other, domain types, a shared pure module.
 */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./lib/paths.mjs";

const pad = (n, width = 3) => String(n).padStart(width, "0");

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: "ES2022",
    module: "NodeNext",
    moduleResolution: "NodeNext",
    strict: true,
    noEmit: true,
  },
});

const agentFiles = (name) => ({
  "package.json": JSON.stringify({ name, version: "1.0.0", private: true, type: "module" }),
  "tsconfig.json": TSCONFIG,
  "agent/agent.ts": `import { defineAgent } from "eve";\n\nexport default defineAgent({ model: "test/model" });\n`,
  "agent/instructions.md": `You are the agent of ${name}.\n`,
});

/** A module of the pure part: what bodies import. */
const domain = () => `export interface Order {
  id: string;
  lines: { sku: string; quantity: number; unitPrice: number }[];
  region: "eu" | "us" | "apac";
}

export enum Level {
  Low = 1,
  Middle = 2,
  High = 3,
}

export const limits = { eu: 5_000, us: 8_000, apac: 3_000 } as const satisfies Record<Order["region"], number>;

export function total(order: Order): number {
  return order.lines.reduce((sum, line) => sum + line.quantity * line.unitPrice, 0);
}

export function level(order: Order): Level {
  const share = total(order) / limits[order.region];
  return share > 1 ? Level.High : share > 0.5 ? Level.Middle : Level.Low;
}

export function* batches<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
`;

/** A module that only steps use: Node builtins, a class, imports of two other services with higher numbers. */
function service(index, count) {
  const others = [index * 2 + 1, index * 2 + 2].filter((other) => other < count);
  const imports = others.map((n) => `import { Service${pad(n)} } from "./service-${pad(n)}";`).join("\n");
  const parts = others.map((n) => `  readonly part${pad(n)} = new Service${pad(n)}("part-${n}");`).join("\n");
  const calls = others.map((n) => `    out.push(...(await this.part${pad(n)}.load(key)));`).join("\n");
  return `import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
${imports}

export interface Record${pad(index)} {
  readonly key: string;
  readonly value: number;
  readonly tags: readonly string[];
  readonly at?: Date;
}

type Parsed = { ok: true; record: Record${pad(index)} } | { ok: false; reason: string };

const pattern = /^(?<key>[a-z][a-z0-9-]*)=(?<value>\\d+)(?:#(?<tags>.*))?$/u;

/** Reads and keeps records of kind ${index}. */
export class Service${pad(index)} {
  readonly #cache = new Map<string, Record${pad(index)}>();
  static readonly kind = "kind-${index}" as const;
${parts}

  constructor(readonly name: string) {}

  async load(key: string): Promise<string[]> {
    const out: string[] = [];
    const cached = this.#cache.get(key);
    if (cached) return [cached.key];
    try {
      const text = await readFile(path.join("/nonexistent", this.name, \`\${key}.txt\`), "utf8");
      for (const line of text.split("\\n")) {
        const parsed = this.parse(line);
        if (parsed.ok) {
          this.#cache.set(parsed.record.key, parsed.record);
          out.push(parsed.record.key);
        }
      }
    } catch (error) {
      out.push(error instanceof Error ? error.message : String(error));
    }
${calls}
    return out;
  }

  parse(line: string): Parsed {
    const match = pattern.exec(line);
    if (!match?.groups) return { ok: false, reason: \`line without a key: \${line.slice(0, 20)}\` };
    const { key = "", value = "0", tags = "" } = match.groups;
    return { ok: true, record: { key, value: Number(value) * ${index + 1}, tags: tags.split(",") } };
  }

  sign(key: string): string {
    return createHash("sha256").update(\`\${Service${pad(index)}.kind}:\${this.name}:\${key}\`).digest("hex");
  }
}
`;
}

/** A workflow tool with two steps on services of its own, a progress `yield` and a choice in its body. */
function tool(index, services) {
  const [first, second] = [index % services, (index * 7 + 3) % services];
  const other = second === first ? (first + 1) % services : second;
  return `import { defineWorkflowTool } from "eve/tools";
import { sleep } from "workflow";
import { z } from "zod";
import { batches, level, Level, type Order } from "../../lib/domain";
import { Service${pad(first)} } from "../../lib/service-${pad(first)}";
import { Service${pad(other)} } from "../../lib/service-${pad(other)}";

const size = ${(index % 5) + 2};

export default defineWorkflowTool({
  description: "Handles orders of kind ${index}.",
  inputSchema: z.object({
    orders: z.array(
      z.object({
        id: z.string(),
        region: z.enum(["eu", "us", "apac"]),
        lines: z.array(z.object({ sku: z.string(), quantity: z.number(), unitPrice: z.number() })),
      }),
    ),
    note: z.string().optional(),
  }),
  async *execute({ orders, note }: { orders: Order[]; note?: string }, ctx) {
    "use workflow";
    const done: string[] = [];
    for (const batch of batches(orders, size)) {
      const loaded = await Promise.all(batch.map((order) => loadOrder${index}(order.id)));
      for (const order of batch) {
        if (level(order) === Level.High) {
          const answer = await ctx.ask({ prompt: \`Release \${order.id}?\`, options: [{ id: "yes", label: "Yes" }] });
          if (answer.status !== "answered") continue;
        }
        done.push(await settleOrder${index}({ order, note: note ?? "", keys: loaded.flat() }));
      }
      yield { done: done.length, of: orders.length };
      await sleep(1);
    }
    return { done };
  },
});

async function loadOrder${index}(id: string): Promise<string[]> {
  "use step";
  return new Service${pad(first)}("orders-${index}").load(id);
}

async function settleOrder${index}(job: { order: Order; note: string; keys: string[] }): Promise<string> {
  "use step";
  const service = new Service${pad(other)}("settlements-${index}");
  return service.sign(\`\${job.order.id}:\${job.note}:\${job.keys.length}\`);
}
`;
}

/**
 * Modules with a workflow and two steps each, in the form that both eve and the SWC plugin of the Workflow SDK compile:
 * exported functions with directives, no tool definition.
 *
 * @param {number} count
 * @returns {{ file: string, source: string }[]}
 */
export function directiveModules(count) {
  return Array.from({ length: count }, (_, index) => ({
    file: `workflows/orders-${pad(index)}.ts`,
    source: `import { FatalError, sleep } from "workflow";
import { batches, level, Level, type Order } from "../lib/domain";
import { Service${pad(index)} } from "../lib/service-${pad(index)}";
import { Service${pad(index + 1)} } from "../lib/service-${pad(index + 1)}";

const size = ${(index % 5) + 2};

export interface Settled${index} {
  readonly order: string;
  readonly signature: string;
  readonly at?: Date;
}

const isHigh = (order: Order): boolean => level(order) === Level.High;

/** Handles orders of kind ${index}: loads and settles them batch by batch. */
export async function handleOrders${index}(input: { orders: Order[]; note?: string }) {
  "use workflow";
  const { orders, note } = input;
  const done: Settled${index}[] = [];
  const failed: { order: string; reason: string }[] = [];
  for (const batch of batches(orders, size)) {
    const loaded = await Promise.all(batch.map((order) => loadOrder${index}(order.id)));
    for (const [at, order] of batch.entries()) {
      if (isHigh(order)) await sleep("1h");
      try {
        const signature = await settleOrder${index}({ order, note: note ?? "", keys: loaded[at] ?? [] });
        done.push({ order: order.id, signature });
      } catch (error) {
        failed.push({ order: order.id, reason: (error as Error).message });
      }
    }
    await sleep(1_000);
  }
  return { done, failed };
}

async function loadOrder${index}(id: string): Promise<string[]> {
  "use step";
  const keys = await new Service${pad(index)}("orders-${index}").load(id);
  if (keys.length === 0) throw new FatalError(\`nothing known of order \${id}\`);
  return keys;
}

async function settleOrder${index}(job: { order: Order; note: string; keys: string[] }): Promise<string> {
  "use step";
  const service = new Service${pad(index + 1)}("settlements-${index}");
  return service.sign(\`\${job.order.id}:\${job.note}:\${job.keys.length}\`);
}
`,
  }));
}

async function write(dir, files) {
  const folders = new Set(Object.keys(files).map((file) => path.dirname(path.join(dir, file))));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  await Promise.all(Object.entries(files).map(([file, text]) => writeFile(path.join(dir, file), text)));
}

/** The application's own packages: the one library that its tools use. */
async function linkPackages(dir) {
  await mkdir(path.join(dir, "node_modules"), { recursive: true });
  await symlink(path.join(ROOT, "node_modules", "zod"), path.join(dir, "node_modules", "zod"), "dir");
}

/**
 * Writes an application of workflow tools into an empty folder.
 *
 * @param {string} dir
 * @param {{ tools: number, modules: number }} size `modules` counts the tools and what they import
 * @returns {Promise<{ tools: string[] }>} the tool modules, relative to `dir`
 */
export async function workflowApp(dir, { tools, modules }) {
  const services = modules - tools - 1;
  const files = { ...agentFiles("bench-orders"), "lib/domain.ts": domain() };
  for (let n = 0; n < services; n += 1) files[`lib/service-${pad(n)}.ts`] = service(n, services);
  const names = Array.from({ length: tools }, (_, n) => `agent/tools/orders-${pad(n)}.ts`);
  for (const [n, name] of names.entries()) files[name] = tool(n, services);
  await write(dir, files);
  await linkPackages(dir);
  return { tools: names };
}

/**
 * Writes an application without any directive into an empty folder: one ordinary tool that reaches every module.
 *
 * @param {string} dir
 * @param {{ modules: number }} size counts the tool too
 */
export async function plainApp(dir, { modules }) {
  const services = modules - 1;
  const files = agentFiles("bench-plain");
  for (let n = 0; n < services; n += 1) files[`lib/service-${pad(n)}.ts`] = service(n, services);
  files["agent/tools/lookup.ts"] = `import { defineTool } from "eve/tools";
import { z } from "zod";
import { Service000 } from "../../lib/service-000";

export default defineTool({
  description: "Looks a key up.",
  inputSchema: z.object({ key: z.string() }),
  async execute({ key }: { key: string }) {
    return await new Service000("lookup").load(key);
  },
});
`;
  await write(dir, files);
  await linkPackages(dir);
  return { tools: ["agent/tools/lookup.ts"] };
}
