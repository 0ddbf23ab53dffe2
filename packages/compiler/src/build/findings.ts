import path from "node:path";
import { isParsed } from "../bundle/emit.js";
import { diagnosticAt } from "../diagnostics/diagnostic.js";
import { applySuppressions } from "../diagnostics/suppressions.js";
import { bodyFindings } from "../findings/bodies.js";
import { foreignIds, importedEntryPoints } from "../findings/entry-points.js";
import {
  externalsWithDirectives,
  awaitsAtLoad,
  missingExports,
  unresolvedImports,
} from "../findings/imports.js";
import { findingsOfMessages } from "../findings/messages.js";
import { findingsOfWarnings } from "../findings/warnings.js";
import { moduleFindings } from "../findings/modules.js";
import { nameFindings } from "../findings/names.js";
import { stubFindings } from "../findings/stubs.js";
import { lostImports } from "../findings/unresolved.js";
import { survivorsOf, type Survives } from "../findings/survivors.js";
import { functionId, moduleId } from "../ids/index.js";
import { stepNotRegistered } from "../rules/index.js";
import { sortDiagnostics } from "../reporters/order.js";
import type { SourceModule } from "../graph/source-module.js";
import type { Diagnostic, ModuleAnalysis, Place } from "../types.js";
import { CompilerError } from "./compiler-error.js";
import type { Bundles } from "./bundles.js";
import type { BuildContext } from "./context.js";

/** All findings of both bundles and of the modules they were made from. */
export async function findingsOf(context: BuildContext, bundles: Bundles): Promise<Diagnostic[]> {
  const { session, discovery, nameOf } = context;
  const { root, store, scan, external } = session;
  const { graph, workflow, server } = bundles;
  const modules = store.analysed();
  const errors = [...workflow.errors, ...server.errors];
  const { diagnostics: fromMessages, lost, rest } = await findingsOfMessages(errors, store);
  let decoded: Survives | undefined;
  const survivors = (): Survives =>
    (decoded ??= workflow.bundle === undefined ? () => true : survivorsOf(workflow.bundle.map));
  const found = [
    ...nameFindings(discovery.problems, root),
    ...moduleFindings(modules),
    ...foreignIds(modules),
    ...lostImports([...(await unresolvedImports(graph, root)), ...lost]),
    ...externalsWithDirectives(graph, external, scan),
    ...missingExports(graph),
    ...awaitsAtLoad(graph),
    ...(workflow.bundle === undefined
      ? []
      : stubFindings({ graph, metafile: workflow.bundle.metafile, workingDir: root, nameOf })),
    ...bodyFindings(graph, scan, nameOf, survivors),
    ...fromMessages,
  ];
  found.push(...findingsOfWarnings([...workflow.warnings, ...server.warnings], session, found));
  found.push(...importedEntryPoints(modules, bundles.entryPoints, found));
  if (!found.some(({ severity }) => severity === "error")) {
    const [first] = rest;
    if (first !== undefined)
      throw new CompilerError("INTERNAL", `Bundling failed: ${first.text}`, { cause: first.detail });
    found.push(...unregisteredSteps(context, bundles));
  }
  const sorted = sortDiagnostics(withoutConsequences(found, modules));
  return applySuppressions(
    sorted,
    modules.map(({ analysis }) => analysis),
  );
}

/**
 * Drops what only follows from a fault that is reported: a function whose directive isn't understood is ordinary
 * code to the checks of bodies, which would then find fault with it and with what it reaches. Of a file that the
 * compiler couldn't parse, what the bundler says of the same fault is dropped.
 */
function withoutConsequences(found: readonly Diagnostic[], modules: readonly SourceModule[]): Diagnostic[] {
  const misread = new Map(modules.map(({ file, analysis }) => [file, misreadPlaces(analysis)]));
  const isMisread = ({ file, line, column }: Partial<Place>): boolean =>
    file !== undefined && misread.get(file)?.some((holds) => holds(line ?? 0, column ?? 0)) === true;
  // What eve no longer has, and what a tool file lacks, can't be imported either.
  const place = ({ file, line, column }: Diagnostic): string => `${file}:${line}:${column}`;
  const removed = new Set(found.filter(({ code }) => code === "EVE1010" || code === "EVE1011").map(place));
  const unparsed = new Map(
    modules.filter((module) => !isParsed(module)).map(({ file, analysis }) => [file, analysis.diagnostics]),
  );
  return found.filter((finding) => {
    const { code, notes } = finding;
    if (code === "EVE1000" && unparsed.get(finding.file)?.includes(finding) === false) return false;
    if (code === "EVE1201" && removed.has(place(finding))) return false;
    return !code.startsWith("EVE2") || !(isMisread(finding) || notes.some(isMisread));
  });
}

/** Tests whether a position is in a function whose directive isn't understood. */
function misreadPlaces({ misread, lines }: ModuleAnalysis): ((line: number, column: number) => boolean)[] {
  return misread.map(({ start, end }) => (line, column) => {
    const offset = (lines[line - 1] ?? 0) + column - 1;
    return start <= offset && offset < end;
  });
}

/** Steps that bodies call and the server bundle doesn't hold: a fault of the compiler, found before it is shipped. */
function unregisteredSteps({ session }: BuildContext, { graph, server }: Bundles): Diagnostic[] {
  const loaded = new Set<string>();
  for (const output of Object.values(server.bundle?.metafile.outputs ?? {})) {
    for (const input of Object.keys(output.inputs)) loaded.add(path.resolve(session.root, input));
  }
  const found: Diagnostic[] = [];
  for (const { module, slice } of graph.modules.values()) {
    if (loaded.has(module.path)) continue;
    for (const index of slice.steps) {
      const step = module.analysis.directives[index];
      if (step === undefined) continue;
      const id = functionId("step", moduleId(module.identity), step.name);
      found.push(diagnosticAt(module.file, module.analysis.lines, step, stepNotRegistered(id)));
    }
  }
  return found;
}
