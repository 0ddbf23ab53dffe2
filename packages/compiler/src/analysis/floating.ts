import { lookupFrom, type Binding, type Reference, type Scope } from "../scope/scope.js";
import type { Sink } from "../scope/sink.js";
import type { Floating, ModuleExport } from "../types.js";

/**
 * Tells of calls whether anybody may wait for what they give: a promise in a variable is nobody's when nothing reads the
 * variable afterwards. A read in another function, or in a loop around both, counts as one afterwards.
 *
 * @param references all names of the module
 * @param exports the module's own, which others may read
 */
export function floatingCalls(
  references: readonly Reference[],
  exports: readonly ModuleExport[],
): (reference: Reference) => Floating | undefined {
  const names = new Set(references.flatMap(({ site }) => site.sink?.variable?.name ?? []));
  const reads = new Map<Binding, Reference[]>();
  for (const reference of references) {
    if (reference.role === "write" || !names.has(reference.name)) continue;
    const binding = lookupFrom(reference.scope, reference.name)?.binding;
    if (binding === undefined) continue;
    const list = reads.get(binding);
    if (list === undefined) reads.set(binding, [reference]);
    else list.push(reference);
  }
  const exported = new Set(exports.map(({ local }) => local));

  return (reference) => {
    const { sink } = reference.site;
    if (sink?.variable === undefined) return sink && floatingOf(sink);
    const { name, inForEach } = sink.variable;
    const found = lookupFrom(reference.scope, name);
    if (found === undefined || isSeenOutside(found, name)) return undefined;
    const later = (reads.get(found.binding) ?? []).filter((read) =>
      mayFollow(read, reference, sink, found.scope),
    );
    if (later.length === 0) return { how: "variable", name };
    return inForEach && later.every(({ role }) => role === "await") ? { how: "for-each" } : undefined;
  };

  function isSeenOutside({ binding, scope }: { binding: Binding; scope: Scope }, name: string): boolean {
    return (binding.top && exported.has(name)) || scope.shared?.has(name) === true;
  }
}

function floatingOf({ kind, chained }: Sink): Floating {
  if (kind === "for-each") return { how: "for-each" };
  return chained === undefined ? { how: "statement" } : { how: "chain", method: chained };
}

/** Whether a read of a variable may see the promise that a call has put there. */
function mayFollow(read: Reference, call: Reference, { variable }: Sink, declaring: Scope): boolean {
  if (variable === undefined || read.start >= variable.end || variable.inLoop) return true;
  // Only within one call of one function the order of the text is that of time.
  const { hoist } = call.scope;
  return read.scope.hoist !== hoist || declaring.hoist !== hoist;
}
