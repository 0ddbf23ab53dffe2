/** The middle of the samples (the mean of the two middle ones when their number is even). */
export function median(samples) {
  if (samples.length === 0) throw new RangeError("median of no samples");
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Takes samples of several subjects in turns, so that whatever else the machine does falls on all of them alike:
 * a b c, c b a, a b c … The first turn warms up and is dropped when `warmUp` is set.
 *
 * ```js
 * const { eve, plain } = await interleave({ eve: () => buildMs(), plain: () => esbuildMs() }, { rounds: 7 });
 * ```
 *
 * @param {Record<string, () => number | Promise<number>>} subjects each call gives one sample
 * @returns {Promise<Record<string, number[]>>}
 */
export async function interleave(subjects, { rounds, warmUp = false }) {
  const names = Object.keys(subjects);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = warmUp ? -1 : 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await subjects[name]();
      if (round >= 0) samples[name].push(value);
    }
  }
  return samples;
}

/** Milliseconds that `work` takes; a promise is awaited. */
export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
