import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { RULES, ruleByCode } from "./catalogue.js";
import { renderRules } from "./document.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const repository = fileURLToPath(new URL("../../../../", import.meta.url));

test("docs/rules.md is what scripts/generate-rules-doc.mjs would write", () => {
  expect(readFileSync(`${repository}docs/rules.md`, "utf8")).toBe(renderRules(RULES));
});

test("every rule module is in the catalogue, in order and under its own code", () => {
  const modules = readdirSync(here).filter((file) => /^eve\d{4}-.*\.ts$/.test(file));
  expect(RULES.map((rule) => rule.code.toLowerCase())).toEqual(
    modules.map((file) => file.slice(0, 7)).sort(),
  );
  for (const rule of RULES) expect(ruleByCode(rule.code)).toBe(rule);
});

test("every rule has an example folder, but the one that no program can break", () => {
  const folders = readdirSync(`${repository}fixtures/rules`).filter((name) => name.startsWith("EVE"));
  const codes = RULES.map((rule) => rule.code).filter((code) => code !== "EVE3001");
  expect([...new Set(folders.map((name) => name.slice(0, 7)))].sort()).toEqual(codes);
});
