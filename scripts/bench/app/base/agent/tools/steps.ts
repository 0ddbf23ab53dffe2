import { defineWorkflowTool } from "eve/tools";
import { createHook } from "workflow";
import { z } from "zod";

export default defineWorkflowTool({
  description: "Counts in durable steps.",
  inputSchema: z.object({ count: z.number().int().min(0) }),
  async execute({ count }) {
    "use workflow";
    return { value: await sequential(count) };
  },
});

/** One step after another, each with the result of the one before. */
export async function sequential(count: number): Promise<number> {
  "use workflow";
  let value = 0;
  for (let n = 0; n < count; n += 1) value = await increment(value);
  return value;
}

/** All steps at once. */
export async function parallel(count: number): Promise<number> {
  "use workflow";
  const values = await Promise.all(Array.from({ length: count }, (_, n) => increment(n)));
  return values.length;
}

/** Some steps, then a wait for one payload, then one more step. */
export async function parked(count: number, token: string): Promise<number> {
  "use workflow";
  let value = 0;
  for (let n = 0; n < count; n += 1) value = await increment(value);
  const added = await createHook<number>({ token });
  return await increment(value + added);
}

async function increment(value: number): Promise<number> {
  "use step";
  return value + 1;
}

/** Gives the moment at which its only step ran, on the process's own clock. */
export async function firstStep(): Promise<number> {
  "use workflow";
  return await now();
}

async function now(): Promise<number> {
  "use step";
  return performance.now();
}
