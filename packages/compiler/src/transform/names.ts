import type { ModuleAnalysis } from "../types.js";

/** Gives names that neither the module nor any global it uses has. */
export type FreshName = (base: string) => string;

export function freshNames(analysis: ModuleAnalysis): FreshName {
  const taken = new Set(analysis.names);
  return (base) => {
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base}${count}`;
    taken.add(name);
    return name;
  };
}

/** How emitted code refers to a global: plainly, or through `globalThis` where the module has a binding of that name. */
export type GlobalName = (name: string) => string;

export function globalNames(analysis: ModuleAnalysis): GlobalName {
  const known = new Map<string, string>();
  return (name) => {
    let text = known.get(name);
    if (text === undefined) {
      const declared = analysis.units.some((unit) => unit.declares.includes(name));
      text = declared ? `globalThis.${name}` : name;
      known.set(name, text);
    }
    return text;
  };
}
