import { lookup, type Reference, type Scope } from "../scope/scope.js";
import type { BindingUse, GlobalUse, Unit } from "../types.js";

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
export function resolveUses(references: readonly Reference[], units: readonly Unit[]): string[] {
  const unbound = new Set<string>();
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
    if (binding.top) unit.uses.push(bindingUse(reference));
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
  const called = site.use !== "read";
  return {
    path: start.join("."),
    use: site.use,
    ...(called ? { args: site.args } : {}),
    ...(site.typeofOnly ? { typeofOnly: true } : {}),
    ...(alias === undefined ? {} : { alias }),
    deferred: reference.deferred,
    start: site.start,
    end: site.end,
  };
}

function bindingUse(reference: Reference): BindingUse {
  const { site } = reference;
  return {
    name: reference.name,
    start: reference.start,
    end: reference.end,
    path: site.path,
    ...(site.writes === undefined ? {} : { writes: site.writes }),
    called: site.called,
    passed: site.passed,
    ...(site.floating ? { floating: true } : {}),
    ...(site.values.length > 0 ? { values: site.values } : {}),
    deferred: reference.deferred,
  };
}
