import { createRequire } from "node:module";
import type * as Babel from "@babel/parser";
import type * as t from "@babel/types";

/** A parsed module. `problems` is empty unless the text isn't a valid program. */
export interface Parsed {
  ast: t.File | undefined;
  problems: SyntaxProblem[];
  format: "esm" | "commonjs";
}

export interface SyntaxProblem {
  message: string;
  offset: number;
}

type Dialect = "ts" | "tsx" | "js";

const EXTENSION = /\.([cm]?)(ts|tsx|js|jsx)$/;

/** Parses one module by the dialect that its extension says. Never throws for a fault of the text. */
export function parseModule(text: string, file: string): Parsed {
  const [, kind = "", name = "js"] = EXTENSION.exec(file) ?? [];
  const dialect: Dialect = name === "ts" ? "ts" : name === "tsx" ? "tsx" : "js";
  const strictArrows = dialect === "ts" && kind !== "";

  if (dialect === "js" && kind === "c") return attempt(text, plugins(dialect, false, false), "commonjs");
  const modern = attempt(text, plugins(dialect, strictArrows, false), "esm");
  if (modern.problems.length === 0) return modern;

  // Decorators on parameters and before `export` are grammar of the older proposal only, which TypeScript's
  // `experimentalDecorators` follows; the tsconfig that says which one is meant isn't known here.
  if (text.includes("@")) {
    const legacy = attempt(text, plugins(dialect, strictArrows, true), "esm");
    if (legacy.problems.length < modern.problems.length) return legacy;
  }
  // A `.js` file of a package without `"type": "module"` is a script: `with`, octal literals, top-level return.
  if (dialect === "js" && kind === "") {
    const script = attempt(text, plugins(dialect, false, false), "commonjs");
    if (script.problems.length === 0) return script;
  }
  return modern;
}

function plugins(dialect: Dialect, disallowAmbiguousJSXLike: boolean, legacy: boolean): Babel.ParserPlugin[] {
  const list: Babel.ParserPlugin[] = [
    legacy ? "decorators-legacy" : "decorators",
    "decoratorAutoAccessors",
    "explicitResourceManagement",
    ["importAttributes", { deprecatedAssertSyntax: true }],
    "deferredImportEvaluation",
    "sourcePhaseImports",
  ];
  if (dialect !== "js") list.push(["typescript", { disallowAmbiguousJSXLike }]);
  if (dialect !== "ts") list.push("jsx");
  return list;
}

let babel: typeof Babel | undefined;

/**
 * The parser, loaded when the first text needs it: a build whose analyses are all cached never does. By `require`, since
 * an `import` of CommonJS makes Node scan its half megabyte for export names first, which takes longer than running it.
 */
function parser(): typeof Babel {
  babel ??= createRequire(import.meta.url)("@babel/parser") as typeof Babel;
  return babel;
}

function attempt(text: string, pluginList: Babel.ParserPlugin[], format: "esm" | "commonjs"): Parsed {
  const options: Babel.ParserOptions = {
    sourceType: format === "esm" ? "module" : "commonjs",
    plugins: pluginList,
    attachComment: false,
    errorRecovery: true,
    allowUndeclaredExports: true,
  };
  try {
    const ast = parser().parse(text, options);
    return { ast, problems: (ast.errors ?? []).filter(isSyntactic).map(problemOf), format };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ast: undefined, problems: [problemOf(error)], format };
  }
}

/**
 * Whether a fault that the parser recovered from is one of syntax. It also reports what TypeScript's checker would say
 * (an `override` without a base class) and redeclarations that TypeScript may allow; bundling judges the latter.
 */
function isSyntactic(error: object): boolean {
  const { syntaxPlugin, reasonCode } = error as { syntaxPlugin?: string; reasonCode?: string };
  return syntaxPlugin !== "typescript" && reasonCode !== "VarRedeclaration";
}

/** Babel says the position twice: as `pos`, and as ` (line:column)` at the end of the message. */
function problemOf(error: object): SyntaxProblem {
  const { message, pos } = error as { message?: string; pos?: number };
  return { message: (message ?? "invalid syntax").replace(/\s*\(\d+:\d+\)\s*$/, ""), offset: pos ?? 0 };
}
