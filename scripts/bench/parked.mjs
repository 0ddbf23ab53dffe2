import { setTimeout } from "node:timers/promises";
import { WORKFLOWS } from "./lib/app.mjs";
import { usageOf } from "./lib/child.mjs";
import { row } from "./lib/rows.mjs";
import { withSubjects } from "./lib/subjects.mjs";

export const title = "10,000 runs wait for a payload";

const IDLE_S = 5;

/** Share of one core that a process uses while nothing happens, in percent. */
async function idleCpu(pid) {
  const before = usageOf(pid).cpuMs;
  await setTimeout(IDLE_S * 1000);
  return (usageOf(pid).cpuMs - before) / (IDLE_S * 10);
}

export async function run({ rounds, quick, log }) {
  if (process.platform !== "linux") throw new Error("This benchmark reads /proc: it runs on Linux only.");
  const count = quick ? 500 : 10_000;
  const named = (what) => `${count.toLocaleString("en-US")} parked runs: ${what}`;
  return await withSubjects({ log }, async (subjects) => {
    log(`parking ${count} runs`);
    const first = await subjects.eve();
    const parkMs = await first.call("parkMany", WORKFLOWS.parked, count);
    await setTimeout(1000);
    const live = usageOf(first.pid).rssMb;
    const liveCpu = await idleCpu(first.pid);
    await first.close();
    const [boots, memory, cpu] = [[], [], []];
    for (let round = 0; round < Math.min(rounds, 3); round += 1) {
      log(`restart ${round + 1}`);
      const again = await subjects.eve();
      boots.push(await again.call("bootMs"));
      cpu.push(await idleCpu(again.pid));
      memory.push(usageOf(again.pid).rssMb);
      await again.close();
    }
    const resident = { of: "median", atMost: 200 };
    // The kernel counts CPU time in ticks of 10 ms: one tick in five seconds is 0.2 %.
    const noCpu = { of: "median", atMost: 0.2 };
    return [
      row({ work: named("start one and park it"), unit: "ms", samples: [parkMs / count] }),
      row({ work: named("memory where they were started"), unit: "MB", samples: [live], reach: resident }),
      row({ work: named("CPU there"), unit: "%", samples: [liveCpu], reach: noCpu }),
      row({
        work: named("boot"),
        unit: "ms",
        samples: boots,
        reach: { of: "median", atMost: 2000 },
      }),
      row({ work: named("memory after a boot"), unit: "MB", samples: memory, reach: resident }),
      row({ work: named("CPU after a boot"), unit: "%", samples: cpu, reach: noCpu }),
    ];
  });
}
