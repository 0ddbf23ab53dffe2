import type { Node } from "../parse/nodes.js";
import type { Scope } from "./scope.js";

/** What a walk over a module hands to its caller, besides the references it collects. */
export interface WalkHooks {
  /** Unit that a node starts (an inline entry point), when it isn't the one of the surrounding statement. */
  unitOf(node: Node): number | undefined;
  /** Called for every node in a value position, before its children. `ancestors` is only valid during the call. */
  enter(node: Node, context: WalkContext): void;
}

/** Where a node stands. */
export interface WalkContext {
  ancestors: readonly Node[];
  unit: number;
  /** Number of functions around the node. */
  depth: number;
  deferred: boolean;
}

/** The state of one walk and what the parts of it call of each other. */
export interface Walker extends WalkContext {
  ancestors: Node[];
  scope: Scope;
  /** Visits a node in a value position; types, `undefined` and `null` are passed over. */
  visit(node: unknown): void;
  /** Visits all children of a node. */
  children(node: Node): void;
  /** Runs with a node as the nearest ancestor. */
  inside(node: Node, run: () => void): void;
  /** Runs in a scope. */
  within(scope: Scope, run: () => void): void;
  /** Tells the caller of the walk about a node that isn't visited the usual way. */
  enter(node: Node): void;
  /** Notes a use of a name. */
  refer(node: Node, name: string): void;
}
