import { describe, expect, it } from "vitest";
import { RULES } from "../rules/index.js";
import { temporaryFolder } from "../testing/temporary.js";
import type { Diagnostic } from "../types.js";
import { formatCount, formatGithub, formatJson, formatPretty, formatSarif } from "./index.js";

const finding = (fields: Partial<Diagnostic> = {}): Diagnostic => ({
  code: "EVE1002",
  severity: "error",
  message: 'Did you mean "use step"?',
  file: "lib/a.ts",
  line: 2,
  column: 3,
  endLine: 2,
  endColumn: 13,
  notes: [],
  docs: "docs/rules.md#eve1002",
  ...fields,
});

describe("formatPretty", () => {
  it("prints header, frame, notes, help and count", () => {
    const root = temporaryFolder({ "lib/a.ts": 'async function a() {\n  "use-step";\n}\n' });
    const text = formatPretty(
      [
        finding({
          notes: [{ message: "via a", file: "agent/x.ts", line: 1, column: 2 }],
          help: "Write it so.",
        }),
      ],
      { root },
    );
    expect(text).toBe(`lib/a.ts:2:3 error EVE1002: Did you mean "use step"?
    1 | async function a() {
  > 2 |   "use-step";
      |   ^^^^^^^^^^
    3 | }
  via a (agent/x.ts:1:2)
  help: Write it so.

1 error
`);
  });

  it("counts neither a byte order mark nor the halves of line breaks", () => {
    const root = temporaryFolder({ "lib/a.ts": '\uFEFFone();\r\n  "use-step";\r\nthree();\r\n' });
    const text = formatPretty([finding()], { root });
    expect(text).toContain('> 2 |   "use-step";\n');
    expect(text).toContain("    |   ^^^^^^^^^^\n");
  });

  it("shows paths from the folder the command runs in, sorted, each finding once", () => {
    const root = temporaryFolder();
    const found = [
      finding({ file: "lib/b.ts" }),
      finding({ line: 10 }),
      finding({ severity: "warning", code: "EVE2005" }),
      finding(),
      finding(),
    ];
    const lines = formatPretty(found, { root, cwd: `${root}/lib` })
      .split("\n")
      .filter((line) => line !== "");
    expect(lines.map((line) => line.split(":").slice(0, 3).join(":"))).toEqual([
      "a.ts:2:3 error EVE1002",
      "a.ts:2:3 warning EVE2005",
      "a.ts:10:3 error EVE1002",
      "b.ts:2:3 error EVE1002",
      "3 errors, 1 warning",
    ]);
    expect(formatPretty([], { root })).toBe("");
  });

  it("colours on demand only", () => {
    const root = temporaryFolder({ "lib/a.ts": "x\ny\n" });
    const escape = String.fromCharCode(27);
    expect(formatPretty([finding()], { root, color: true })).toContain(`${escape}[`);
    expect(formatPretty([finding()], { root })).not.toContain(escape);
  });
});

it("counts in words", () => {
  expect(formatCount({ errors: 0, warnings: 0 })).toBe("no findings");
  expect(formatCount({ errors: 1, warnings: 2 })).toBe("1 error, 2 warnings");
});

it("gives one JSON document", () => {
  const report = JSON.parse(
    formatJson([finding({ help: "h" }), finding({ line: 9, severity: "warning" })], { root: "/app" }),
  );
  expect(report.summary).toEqual({ errors: 1, warnings: 1 });
  expect(Object.keys(report.diagnostics[0])).toEqual([
    "code",
    "severity",
    "message",
    "file",
    "line",
    "column",
    "endLine",
    "endColumn",
    "notes",
    "help",
    "docs",
  ]);
});

it("escapes what GitHub reads as syntax", () => {
  expect(
    formatGithub([finding({ file: "a,b:c.ts", message: "50% of\nit", help: "h" })], { root: "/app" }),
  ).toBe(
    "::error file=a%2Cb%3Ac.ts,line=2,endLine=2,col=3,endColumn=13,title=eve EVE1002::50%25 of%0Ait%0Ahelp: h\n",
  );
  expect(formatGithub([finding({ endLine: 4 })], { root: "/app" })).not.toContain("col=");
});

it("links SARIF results to rules and related places", () => {
  const log = JSON.parse(
    formatSarif(
      [
        finding({
          file: "lib/a b#.ts",
          notes: [{ message: "via a", file: "x.ts", line: 1 }, { message: "w" }],
        }),
      ],
      {
        root: "/app",
        version: "1.2.3",
        rules: RULES,
      },
    ),
  );
  const [run] = log.runs;
  const [result] = run.results;
  expect(run.tool.driver.rules[result.ruleIndex].id).toBe("EVE1002");
  expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe("lib/a%20b%23.ts");
  expect(result.relatedLocations).toHaveLength(1);
});
