import { expect, test } from "vitest";
import { createTestClock } from "../testing/clock.js";
import { Alarms, LONGEST_WAIT } from "./alarms.js";

test("alarms ring in order of time, then of setting, on one timer", async () => {
  const clock = createTestClock(0);
  const alarms = new Alarms(clock);
  const rung: string[] = [];
  for (const [name, at] of [
    ["c", 30],
    ["a", 10],
    ["b1", 20],
    ["b2", 20],
    ["past", -5],
  ] as const) {
    alarms.set(at, () => rung.push(name));
  }
  expect(clock.timers).toBe(1);
  await clock.advance(15);
  expect(rung).toEqual(["past", "a"]);
  await clock.advance(100);
  expect(rung).toEqual(["past", "a", "b1", "b2", "c"]);
  expect(clock.timers).toBe(0);
});

test("a due time months away needs no timer longer than a minute", async () => {
  const clock = createTestClock(0);
  const waits: number[] = [];
  const alarms = new Alarms({
    ...clock,
    now: () => clock.now(),
    setTimer: (ms, fire) => (waits.push(ms), clock.setTimer(ms, fire)),
  });
  let rung = false;
  alarms.set(3 * LONGEST_WAIT, () => (rung = true));
  await clock.advance(3 * LONGEST_WAIT - 1);
  expect(rung).toBe(false);
  await clock.advance(1);
  expect(rung).toBe(true);
  expect(Math.max(...waits)).toBeLessThanOrEqual(LONGEST_WAIT);
});

test("an alarm may set the next one for now without starving anybody, and closing ends all", async () => {
  const clock = createTestClock(0);
  const alarms = new Alarms(clock);
  let count = 0;
  const again = () => {
    count += 1;
    if (count < 5) alarms.set(0, again);
  };
  alarms.set(0, again);
  await clock.settle();
  expect(count).toBe(5);
  alarms.set(10, again);
  alarms.close();
  await clock.advance(100);
  expect(count).toBe(5);
});
