import { importedStep } from "../graph/imported-step.js";
import type { WorkflowGraph } from "../graph/workflow-graph.js";
import { BUILTIN_FILTER } from "../resolve/builtins.js";
import { resolveSdk, SDK_FILTER } from "../resolve/sdk.js";
import { emitWorkflowModule } from "./emit.js";
import type { Plugin } from "./esbuild.js";
import { PASS } from "./resolver.js";
import type { BundleSession } from "./session.js";
import { loadStubs, stubFor } from "./stub.js";

/**
 * The esbuild plugin of workflow mode: loads each module of the graph as its slice, answers eve's own modules,
 * and puts stubs in place of what a body can't have.
 */
export function workflowPlugin(session: BundleSession, graph: WorkflowGraph): Plugin {
  return {
    name: "eve-workflow",
    setup(build) {
      loadStubs(build);
      build.onResolve({ filter: BUILTIN_FILTER }, (args) => stubFor("builtin", args));
      build.onResolve({ filter: SDK_FILTER }, (args) => {
        if (args.pluginData === PASS) return undefined;
        const answer = resolveSdk(session.sdk, args.path, "workflow");
        if ("file" in answer) return { path: answer.file };
        return answer.fault === "host-api" ? stubFor("host-api", args) : undefined;
      });
      build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: "file" }, (args) => {
        const module = graph.modules.get(args.path);
        if (module === undefined) return undefined;
        return emitWorkflowModule(module, {
          file: session.nameOf(args.path),
          isImportedStep: (local, member) => importedStep(graph, module, local, member) !== undefined,
        });
      });
    },
  };
}
