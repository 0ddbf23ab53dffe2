import path from "node:path";
import { diagnosticAt } from "../diagnostics/diagnostic.js";
import { externalsWithDirectives, awaitsAtLoad, unresolvedImports } from "../findings/imports.js";
import { findingsOfMessages } from "../findings/messages.js";
import { duplicateIds, nameFindings } from "../findings/names.js";
import { stubFindings } from "../findings/stubs.js";
import { functionId, moduleId } from "../ids/index.js";
import { stepNotRegistered } from "../rules/index.js";
import type { Diagnostic } from "../types.js";
import { CompilerError } from "./compiler-error.js";
import type { Bundles } from "./bundles.js";
import type { BuildContext } from "./context.js";

/** All findings of both bundles and of the modules they were made from. */
export async function findingsOf(context: BuildContext, bundles: Bundles): Promise<Diagnostic[]> {
  const { session, discovery, nameOf } = context;
  const { root, store, scan, external } = session;
  const { graph, workflow, server } = bundles;
  const modules = store.analysed();
  const messages = [...errorsOf(workflow), ...errorsOf(server)];
  const { diagnostics: fromMessages, rest } = await findingsOfMessages(messages, store);
  const found = [
    ...nameFindings(discovery.problems, root),
    ...modules.flatMap(({ analysis }) => analysis.diagnostics),
    ...duplicateIds(modules),
    ...(await unresolvedImports(graph, root)),
    ...externalsWithDirectives(graph, external, scan),
    ...awaitsAtLoad(graph),
    ...(workflow.bundle === undefined
      ? []
      : stubFindings({ graph, metafile: workflow.bundle.metafile, workingDir: root, nameOf })),
    ...fromMessages,
  ];
  if (!found.some(({ severity }) => severity === "error")) {
    const [first] = rest;
    if (first !== undefined)
      throw new CompilerError("INTERNAL", `Bundling failed: ${first.text}`, { cause: first.detail });
    found.push(...unregisteredSteps(context, bundles));
  }
  return found;
}

function errorsOf({ bundle, messages }: Bundles["workflow"]): typeof messages {
  return bundle === undefined ? messages : [];
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
