import path from "node:path";
import type { BabelFile, ConfigAPI, PluginObj, PluginPass } from "@babel/core";
import { analyseModule, mayNeedCompiler } from "../analysis/index.js";
import { judgeSlice } from "../determinism/index.js";
import { applySuppressions } from "../diagnostics/suppressions.js";
import { compareDiagnostics, diagnosticAt } from "../diagnostics/diagnostic.js";
import { moduleId, relativePath } from "../ids/index.js";
import { withoutBom } from "../parse/lines.js";
import type { Node } from "../parse/nodes.js";
import { identify } from "../resolve/identity.js";
import { PackageIndex } from "../resolve/packages.js";
import { sliceModule } from "../slicing/index.js";
import { applyToTree } from "../transform/apply-to-tree.js";
import { planEdits } from "../transform/plan.js";
import { assertEveryDirectiveCompiled } from "../transform/index.js";
import type { Diagnostic, Mode, ModuleAnalysis, ModuleRole } from "../types.js";

export type { Diagnostic, Mode } from "../types.js";

/** Options of the Babel plugin. */
export interface EveBabelOptions {
  /** Which bundle the module is compiled for: replayed bodies, or steps. */
  mode: Mode;
  /** Root of the application, which ids are relative to. Default: Babel's `root`. */
  root?: string;
  /**
   * The `<module>` part of the ids, when the pipeline knows better than the file's path. Takes the absolute file name.
   */
  moduleId?: (filename: string) => string;
  /** Gets all findings of a file, sorted, before an error is thrown. Default: warnings go to `console.warn`. */
  onDiagnostics?: (diagnostics: readonly Diagnostic[]) => void;
}

/**
 * The eve compiler as a Babel plugin: compiles `"use workflow"` and `"use step"` in any Babel pipeline, on the same plan
 * as `eve build`. Put it first, before plugins and presets that change the tree.
 *
 * In workflow mode a module keeps its workflow functions and exports and what they use; the tool definition goes.
 * What only other modules can tell (a builtin that a body reaches, two functions with one id) is not judged.
 *
 * Throws Babel's own code frame error for the first finding of severity error, with its rule as `code`, its place as `loc`
 * and all findings as `diagnostics`; the text names every error.
 *
 * ```js
 * // babel.config.js
 * export default { plugins: [["eve/babel", { mode: "step", root: import.meta.dirname }]] };
 * ```
 */
export default function eveBabelPlugin(_api: ConfigAPI | object, options: EveBabelOptions): PluginObj {
  if (options?.mode !== "workflow" && options?.mode !== "step") {
    throw new TypeError(
      `eve/babel: the option "mode" must be "workflow" or "step", not ${JSON.stringify(options?.mode)}. ` +
        `Write ["eve/babel", { mode: "step" }].`,
    );
  }
  const packages = new PackageIndex();
  return {
    name: "eve",
    visitor: {
      Program: {
        enter(program, pass: PluginPass) {
          const { file } = pass;
          // A tool without any directive is a fault, too.
          if (!mayNeedCompiler(file.code) && !file.code.includes("eve/tools")) return;
          compile(file, options, packages, (range, text) => program.hub.buildError(range, text, SyntaxError));
          program.scope.crawl();
        },
      },
    },
  };
}

/** Makes Babel's own error for a place in the file. */
type BuildError = (range: Node, text: string) => Error;

function compile(
  file: BabelFile,
  options: EveBabelOptions,
  packages: PackageIndex,
  buildError: BuildError,
): void {
  const { filename, root: babelRoot } = file.opts as { filename?: string; root?: string };
  if (filename === undefined) {
    throw new Error(
      "eve/babel: this code has directives but no file name, and ids come from it. " +
        'Pass one to Babel: transformSync(code, { filename: "/app/agent/tools/deploy.js" }).',
    );
  }
  const root = path.resolve(options.root ?? babelRoot ?? process.cwd());
  const shown = relativePath(root, filename);
  const analysis = analyseModule(file.code, { file: shown, role: roleOf(shown) });
  report(findings(analysis, options.mode), options, buildError);

  const id = options.moduleId?.(filename) ?? moduleId(identify(filename, root, packages));
  const shift = file.code.length - withoutBom(file.code).length;
  applyToTree(file.ast.program, planEdits(analysis, { mode: options.mode, moduleId: id }), shift);
}

/** By where the file lies: a file below `tools/` that defines no tool is a fault. */
function roleOf(file: string): ModuleRole {
  return /(?:^|\/)agent\/(?:.*\/)?tools\//.test(file) ? "tool" : "module";
}

function findings(analysis: ModuleAnalysis, mode: Mode): Diagnostic[] {
  const found = [...analysis.diagnostics, ...assertEveryDirectiveCompiled(analysis)];
  if (mode === "step" || found.some((finding) => finding.severity === "error"))
    return found.sort(compareDiagnostics);
  // Exports may be meant for steps elsewhere; only what the module's own bodies use can be judged.
  const slice = sliceModule(analysis, { workflows: "all", exports: new Set() });
  for (const { range, finding } of judgeSlice(analysis, slice, { importedStep: () => undefined })) {
    found.push(diagnosticAt(analysis.file, analysis.lines, range, finding));
  }
  return applySuppressions(found, [analysis]);
}

function report(diagnostics: readonly Diagnostic[], options: EveBabelOptions, buildError: BuildError): void {
  if (options.onDiagnostics) options.onDiagnostics(diagnostics);
  else {
    for (const finding of diagnostics) if (finding.severity === "warning") console.warn(headerOf(finding));
  }
  const [first, ...others] = diagnostics.filter((finding) => finding.severity === "error");
  if (first === undefined) return;
  const text = [
    `${first.code}: ${first.message}`,
    ...(first.help === undefined ? [] : [`help: ${first.help}`]),
    ...others.map((finding) => headerOf(finding)),
  ].join("\n");
  // As the parser's own errors carry it, for tools that show the place themselves.
  const loc = { line: first.line, column: first.column - 1 };
  throw Object.assign(buildError({ loc: locOf(first) } as Node, text), {
    code: first.code,
    loc,
    diagnostics,
  });
}

function headerOf({ file, line, column, severity, code, message }: Diagnostic): string {
  return `${file}:${line}:${column} ${severity} ${code}: ${message}`;
}

/** Babel counts columns from 0. */
function locOf({ line, column, endLine, endColumn }: Diagnostic): object {
  return { start: { line, column: column - 1 }, end: { line: endLine, column: endColumn - 1 } };
}
