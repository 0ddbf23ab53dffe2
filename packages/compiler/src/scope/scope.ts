import type { ValueShape } from "../types.js";
import type { Sink } from "./sink.js";

/** A lexical scope. Hoisting needs no second pass: references are resolved after the whole walk. */
export interface Scope {
  parent: Scope | undefined;
  /** Offset of the node that opens it. */
  start: number;
  /** Where `var` lands: the nearest function body, namespace or module scope (maybe this one). */
  hoist: Scope;
  bindings: Map<string, Binding>;
  /** Members of merged namespaces and enums, which see each other's exported names without a qualifier. */
  shared: Map<string, Binding> | undefined;
  /** Merged namespaces and enums declared in this scope, by name. */
  merged: Map<string, Map<string, Binding>> | undefined;
}

export interface Binding {
  name: string;
  /** Declared at the top level of the module. */
  top: boolean;
  /** Units whose blocks and loops declare it with `var`; other declarations stand at the top of their unit. */
  hoistedFrom?: Set<number>;
  /** `const now = Date.now`: the expression it stands for, to be resolved in `scope`. */
  alias?: Alias;
  /** A constant that holds an instance of a class, or a function. */
  constant?: Constant;
  /** A parameter that holds the context of a workflow, or a part of it. */
  context?: Context;
}

export type Constant = { kind: "function" } | { kind: "new"; className: string; scope: Scope };

export interface Context {
  /** `{ ask }` → `["ask"]`; empty for the context itself. */
  path: string[];
  /** Name of the type that says so, where it isn't the parameter's place. */
  type?: string;
}

export interface Alias {
  root: string;
  path: string[];
  scope: Scope;
}

/** One occurrence of a name in a value position. */
export interface Reference {
  name: string;
  start: number;
  end: number;
  scope: Scope;
  unit: number;
  deferred: boolean;
  /** Whether the name is only written here (`a = 1`), or read, and then maybe awaited at once. */
  role: "write" | "await" | "read";
  /** The node itself and its ancestors, nearest last, as far as classification looks. */
  site: Site;
}

/** How the expression around a name uses it. */
export interface Site {
  /** Static member path read from the name on. */
  path: string[];
  use: "call" | "new" | "read";
  args: number;
  /** The whole member expression (and call, when there is one). */
  start: number;
  end: number;
  /** End of the member expression alone. */
  calleeEnd: number;
  typeofOnly: boolean;
  writes: "assign" | "mutate" | "call" | undefined;
  /** The name itself, without a member, is called. */
  called: boolean;
  passed: boolean;
  /** It is the whole initialiser of a constant, which then stands for it. */
  aliased: boolean;
  /** Where the promise of the call goes, if nothing may come to wait for it; see `BindingUse.floating`. */
  sink: Sink | undefined;
  /** Arguments of the call that may not be serialisable. */
  values: ValueShape[];
}

export function createScope(parent: Scope | undefined, hoists: boolean, start: number): Scope {
  const scope: Scope = {
    parent,
    start,
    hoist: undefined as unknown as Scope,
    bindings: new Map(),
    shared: undefined,
    merged: undefined,
  };
  scope.hoist = hoists || parent === undefined ? scope : parent.hoist;
  return scope;
}

export function declare(scope: Scope, name: string): Binding {
  let binding = scope.bindings.get(name);
  if (binding === undefined) {
    binding = { name, top: scope.parent === undefined };
    scope.bindings.set(name, binding);
  }
  return binding;
}

/** The members that all declarations of namespace or enum `name` in `scope` have in common. */
export function mergedMembers(scope: Scope, name: string): Map<string, Binding> {
  scope.merged ??= new Map();
  let members = scope.merged.get(name);
  if (members === undefined) {
    members = new Map();
    scope.merged.set(name, members);
  }
  return members;
}

export function lookup(scope: Scope, name: string): Binding | undefined {
  return lookupFrom(scope, name)?.binding;
}

/** Like `lookup`, with the scope that the binding was found in. */
export function lookupFrom(scope: Scope, name: string): { binding: Binding; scope: Scope } | undefined {
  for (let current: Scope | undefined = scope; current !== undefined; current = current.parent) {
    const binding = current.bindings.get(name) ?? current.shared?.get(name);
    if (binding !== undefined) return { binding, scope: current };
  }
  return undefined;
}
