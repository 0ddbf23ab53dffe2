// Transforms one module for both bundles in a process that has done nothing else: `node transform-one.mjs eve|swc`.
import { pathToFileURL } from "node:url";
import { directiveModules } from "../apps.mjs";
import { COMPILER_PARTS } from "../lib/paths.mjs";
import { resolvePeer } from "../lib/peers.mjs";
import { eveTransform, swcTransforms } from "../lib/transforms.mjs";

const modules = directiveModules(1);
if (process.argv[2] === "eve") {
  eveTransform(await import(pathToFileURL(COMPILER_PARTS).href))(modules[0]);
} else {
  const { default: swc } = await import(pathToFileURL(resolvePeer("@swc/core")).href);
  swcTransforms(swc, resolvePeer("@workflow/swc-plugin")).sync(modules);
}
