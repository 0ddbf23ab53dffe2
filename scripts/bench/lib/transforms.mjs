/** The two transforms of a module with directives, each for both of its bundles. */

/** eve: one analysis, then both texts. TypeScript stays in them for esbuild to erase while it bundles. */
export function eveTransform({ analyseModule, sliceModule, emitModule }) {
  return ({ file, source }) => {
    const analysis = analyseModule(source, { file });
    const moduleId = `./${file.replace(/\.ts$/, "")}`;
    const slice = sliceModule(analysis, { workflows: "all", exports: "all" });
    const workflow = emitModule(source, analysis, { mode: "workflow", moduleId, slice });
    const step = emitModule(source, analysis, { mode: "step", moduleId });
    return [workflow.code, step.code];
  };
}

const swcOptions = (plugin, { file }, mode) => ({
  filename: file,
  swcrc: false,
  jsc: {
    parser: { syntax: "typescript", tsx: false },
    target: "es2022",
    experimental: { plugins: [[plugin, { mode, moduleSpecifier: `./${file.replace(/\.ts$/, "")}` }]] },
    transform: { react: { runtime: "preserve" } },
  },
  sourceMaps: false,
  minify: false,
});

/**
 * The Workflow SDK: SWC with its plugin, with the options its own builder passes (no source maps). `transform` is what
 * the builder calls; `transformSync` is faster on few cores, so the reference is whichever wins.
 */
export function swcTransforms({ transform, transformSync }, plugin) {
  const modes = ["workflow", "step"];
  return {
    sync: (modules) => {
      for (const module of modules)
        for (const mode of modes) transformSync(module.source, swcOptions(plugin, module, mode));
    },
    async: (modules) =>
      Promise.all(
        modules.flatMap((module) =>
          modes.map((mode) => transform(module.source, swcOptions(plugin, module, mode))),
        ),
      ),
  };
}
