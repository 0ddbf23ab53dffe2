import { CONTEXT_TYPES } from "../scope/context.js";
import { lookup, type Binding, type Reference, type Scope } from "../scope/scope.js";
import type { BindingUse, Floating, GlobalUse, ModuleImport, Range, Unit, ValueShape } from "../types.js";
import { constantFollower } from "./constants.js";
import { floatingCalls } from "./floating.js";
import type { Statements } from "./statements.js";

/** Names of the global object, which lead to the same globals. */
const GLOBAL_OBJECTS = new Set(["globalThis", "global", "window", "self"]);

/** How many names an alias may lead through. A longer chain is left alone. */
const ALIAS_DEPTH = 8;

/**
 * Resolves what a walk has collected: a reference to a top-level binding becomes a `BindingUse` of its unit, one that
 * nothing binds a `GlobalUse`, and one to a local constant that stands for a global both.
 *
 * @returns names that are used without being bound, sorted
 */
export function resolveUses(
  references: readonly Reference[],
  units: readonly Unit[],
  { imports, exports }: Pick<Statements, "imports" | "exports">,
): string[] {
  const unbound = new Set<string>();
  const floating = floatingCalls(references, exports);
  const follow = constantFollower(references);
  const contextTypes = importedContextTypes(imports);
  for (const reference of references) {
    const unit = units[reference.unit];
    if (unit === undefined || unit.typeOnly) continue;
    const { name, site } = reference;
    const binding = lookup(reference.scope, name);
    if (binding === undefined) {
      // A function expression's or module's own `arguments` is bound; what is left is a name of the outside.
      unbound.add(name);
      unit.globals.push(globalUse(reference, [name, ...site.path], site.aliased ? "declared" : undefined));
      continue;
    }
    if (binding.top) unit.uses.push(bindingUse(reference, floating(reference), follow));
    const fate = isAsk(reference, binding, contextTypes) ? floating(reference) : undefined;
    if (fate !== undefined) (unit.asks ??= []).push({ ...placeOfCall(reference), floating: fate });
    if (binding.alias && !site.aliased) {
      const path = globalPath(binding.alias.root, binding.alias.path, binding.alias.scope, ALIAS_DEPTH);
      if (path !== undefined) unit.globals.push(globalUse(reference, [...path, ...site.path], "used"));
    }
  }
  return [...unbound].sort();
}

/** The path of the global that an alias leads to, if it does. */
function globalPath(root: string, path: string[], scope: Scope, depth: number): string[] | undefined {
  if (depth === 0) return undefined;
  const binding = lookup(scope, root);
  if (binding === undefined) return [root, ...path];
  if (binding.alias === undefined) return undefined;
  const outer = globalPath(binding.alias.root, binding.alias.path, binding.alias.scope, depth - 1);
  return outer && [...outer, ...path];
}

function globalUse(reference: Reference, path: string[], alias: GlobalUse["alias"]): GlobalUse {
  const { site } = reference;
  const [root = "", ...rest] = path;
  const start = rest.length > 0 && GLOBAL_OBJECTS.has(root) ? rest : path;
  const use: GlobalUse = {
    path: start.join("."),
    use: site.use,
    deferred: reference.deferred,
    start: site.start,
    end: site.end,
  };
  if (site.use !== "read") use.args = site.args;
  if (site.typeofOnly) use.typeofOnly = true;
  if (alias !== undefined) use.alias = alias;
  return use;
}

function bindingUse(
  reference: Reference,
  floating: Floating | undefined,
  follow: (values: readonly ValueShape[]) => ValueShape[],
): BindingUse {
  const { site } = reference;
  const use: BindingUse = {
    name: reference.name,
    start: reference.start,
    end: reference.end,
    path: site.path,
    called: site.called,
    passed: site.passed,
    deferred: reference.deferred,
  };
  if (site.writes !== undefined) use.writes = site.writes;
  if (floating !== undefined) use.floating = floating;
  if (site.values.length > 0) use.values = follow(site.values);
  return use;
}

/** Local names of the types that say that a parameter is the context of a workflow. */
function importedContextTypes(imports: readonly ModuleImport[]): ReadonlySet<string> {
  const names = imports
    .filter(({ specifier }) => specifier === "eve/tools")
    .flatMap((link) =>
      link.names.filter(({ imported, local }) => imported === local && CONTEXT_TYPES.has(local)),
    );
  return new Set(names.map(({ local }) => local));
}

/** Whether a reference is the call `ctx.ask(…)`, by any name that `ctx` or `ask` has. */
function isAsk({ site }: Reference, binding: Binding, contextTypes: ReadonlySet<string>): boolean {
  if (site.use !== "call") return false;
  const found = contextPath(binding, site.path, ALIAS_DEPTH);
  if (found === undefined || found.path.join(".") !== "ask") return false;
  return found.type === undefined || contextTypes.has(found.type);
}

function contextPath(
  { context, alias }: Binding,
  path: string[],
  depth: number,
): { path: string[]; type: string | undefined } | undefined {
  if (context !== undefined) return { path: [...context.path, ...path], type: context.type };
  if (alias === undefined || depth === 0) return undefined;
  const outer = lookup(alias.scope, alias.root);
  return outer && contextPath(outer, [...alias.path, ...path], depth - 1);
}

/** The callee of a call: what findings about it point at. */
function placeOfCall({ start, site }: Reference): Range {
  return { start, end: site.calleeEnd };
}
