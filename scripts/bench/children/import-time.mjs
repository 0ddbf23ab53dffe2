// Prints how long importing modules takes in a process that has loaded nothing else, in ms: `node import-time.mjs <URL…>`.
const start = performance.now();
for (const url of process.argv.slice(2)) await import(url);
console.log(performance.now() - start);
