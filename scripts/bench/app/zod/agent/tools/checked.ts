import { defineWorkflowTool } from "eve/tools";
import { z } from "zod";

const State = z.object({ value: z.number().int() });

export default defineWorkflowTool({
  description: "Counts in durable steps and checks each result in the body, which therefore holds zod.",
  inputSchema: z.object({ count: z.number().int().min(0) }),
  async execute({ count }) {
    "use workflow";
    return { value: await checked(count) };
  },
});

/** One step after another; zod reads each result in the body. */
export async function checked(count: number): Promise<number> {
  "use workflow";
  let state = State.parse({ value: 0 });
  for (let n = 0; n < count; n += 1) state = State.parse(await advance(state));
  return state.value;
}

async function advance({ value }: { value: number }): Promise<{ value: number }> {
  "use step";
  return { value: value + 1 };
}
