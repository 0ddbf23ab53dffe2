import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { transform } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { plainApp, workflowApp } from "./apps.mjs";

const dirs: string[] = [];
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true }))));

async function folder() {
  const dir = await mkdtemp(path.join(tmpdir(), "eve-apps-"));
  dirs.push(dir);
  return dir;
}

async function modules(dir: string) {
  const names = (await readdir(dir, { recursive: true }))
    .filter((name) => name.endsWith(".ts") && !name.startsWith("node_modules"))
    .sort();
  return await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(path.join(dir, name), "utf8") })),
  );
}

test("a workflow application has the asked size, valid modules, and is the same every time", async () => {
  const [one, two] = [await folder(), await folder()];
  const size = { tools: 4, modules: 20 };
  const { tools } = await workflowApp(one, size);
  await workflowApp(two, size);
  const files = await modules(one);
  expect(files).toEqual(await modules(two));
  expect(files.length).toBe(size.modules + 1); // and agent.ts
  expect(tools).toEqual(files.map(({ name }) => name).filter((name) => name.startsWith("agent/tools/")));
  for (const { text } of files) await transform(text, { loader: "ts" });
});

test("an application without directives holds none", async () => {
  const dir = await folder();
  await plainApp(dir, { modules: 30 });
  const files = await modules(dir);
  expect(files.length).toBe(31);
  expect(files.filter(({ text }) => /use (workflow|step)/.test(text))).toEqual([]);
});
