/**
 * Reserves stdout for one document: whatever else is written there from now on (by steps, by libraries) goes to
 * stderr. The returned function writes to the real stdout.
 */
export function reserveStdout(): (text: string) => void {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return (text) => void write(`${text}\n`);
}
