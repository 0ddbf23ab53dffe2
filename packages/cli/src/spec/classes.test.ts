// Instances of the application's classes cross between body, steps and the tool's result.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testApp } from "../testing/cli.js";
import { compiledApp, type CompiledApp } from "../testing/compiled.js";

const FILES = {
  "package.json": JSON.stringify({ name: "till", version: "1.0.0", private: true, type: "module" }),
  "agent/agent.ts": `import { defineAgent } from "eve";\nexport default defineAgent({ model: "none/none" });\n`,
  "agent/instructions.md": "Be exact.",
  // Only steps import this module: bodies get its instances out of the log.
  "lib/receipt.ts": `
import { WORKFLOW_DESERIALIZE as READ, WORKFLOW_SERIALIZE as WRITE } from "@workflow/serde";
import { Money } from "./money";
export class Receipt {
  constructor(readonly lines: string[], readonly total: Money) {}
  get text() { return this.lines.join("+") + "=" + this.total.cents; }
  static [WRITE](receipt: Receipt) { return { lines: receipt.lines, total: receipt.total }; }
  static [READ](data: { lines: string[]; total: Money }) { return new Receipt(data.lines, data.total); }
}
`,
  "lib/money.ts": `
const WRITE = Symbol.for("workflow-serialize");
export class Money {
  constructor(readonly cents: number) {}
  plus(other: Money) { return new (this.constructor as typeof Money)(this.cents + other.cents); }
  static [WRITE](money: Money) { return { cents: money.cents }; }
  static [Symbol.for("workflow-deserialize")](data: { cents: number }) { return new this(data.cents); }
}
export class Tip extends Money { readonly thanks = true; }
`,
  "lib/till.ts": `
import { Money, Tip } from "./money";
import { Receipt } from "./receipt";
export async function price(name: string) {
  "use step";
  return new Money(name.length * 100);
}
export async function bill(lines: Map<string, Money>, tip: Tip) {
  "use step";
  if (!(tip instanceof Tip)) throw new Error("no tip");
  const total = [...lines.values()].reduce((sum, line) => sum.plus(line), new Money(tip.cents));
  return new Receipt([...lines.keys()], total);
}
`,
  "agent/tools/pay.ts": `
import { defineWorkflowTool } from "eve/tools";
import { sleep } from "workflow";
import { z } from "zod";
import { Money, Tip } from "../../lib/money";
import { bill, price } from "../../lib/till";
export default defineWorkflowTool({
  description: "Adds things up.",
  inputSchema: z.object({ names: z.array(z.string()) }),
  async execute({ names }) {
    "use workflow";
    const lines = new Map<string, Money>();
    for (const name of names) lines.set(name, await price(name));
    await sleep("1h");
    const receipt = await bill(lines, new Tip(5));
    const all = [...lines.values()].every((line) => line instanceof Money);
    return { all, text: receipt.text, cents: receipt.total.plus(new Money(1)).cents, money: receipt.total instanceof Money };
  },
});
`,
  // Its body names no class at all.
  "agent/tools/look.ts": `
import { defineWorkflowTool } from "eve/tools";
import { z } from "zod";
import { bill } from "../../lib/till";
import { Tip } from "../../lib/money";
export default defineWorkflowTool({
  description: "Looks at a receipt.",
  inputSchema: z.object({}),
  async execute() {
    "use workflow";
    const receipt = await empty();
    return [receipt.text, receipt.total.plus(receipt.total).cents];
  },
});
async function empty() {
  "use step";
  return bill(new Map(), new Tip(7));
}
`,
};

const PAID = { all: true, text: "ab+c=305", cents: 306, money: true };

describe("classes that say how they are serialised", () => {
  let app: CompiledApp & { dispose(): Promise<void> };
  beforeAll(async () => {
    app = await compiledApp(FILES);
  });
  afterAll(() => app.dispose());

  it("cross from steps to the body and back, live and after a restart", async () => {
    const runId = await app.call("pay", { names: ["ab", "c"] });
    await app.restart();
    await app.clock.advance(3_600_000);
    expect(await app.result(runId)).toMatchObject({ status: "completed", output: PAID });
  });

  it("are known to a body that never names them", async () => {
    const runId = await app.call("look");
    expect(await app.result(runId)).toMatchObject({ status: "completed", output: ["=7", 14] });
  });
});

it("cross in a built application too", async () => {
  const app = testApp({ ...FILES, "agent/tools/pay.ts": FILES["agent/tools/pay.ts"].replace('"1h"', "1") });
  for (const options of [[], ["--minify"]]) {
    expect(await app.eve(["build", ...options])).toMatchObject({ code: 0 });
    const input = JSON.stringify({ names: ["ab", "c"] });
    const ran = await app.eve(["run", "pay", "--no-build", "--json", "--input", input]);
    expect(JSON.parse(ran.stdout), ran.stderr).toMatchObject({ status: "completed", output: PAID });
    const { runId } = JSON.parse(ran.stdout) as { runId: string };
    const replayed = await app.eve(["replay", runId, "--json"]);
    expect(JSON.parse(replayed.stdout)).toMatchObject({ status: "identical" });
  }
});
