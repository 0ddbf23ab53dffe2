import type * as t from "@babel/types";
import { readCandidate, type Candidate } from "../directives/candidates.js";
import {
  isFunction,
  rangeOf,
  startOf,
  staticKey,
  unwrap,
  type FunctionNode,
  type Node,
} from "../parse/nodes.js";
import { removedDismissible } from "../rules/index.js";
import { readSite } from "../scope/site.js";
import { walkModule, type Walked } from "../scope/walk.js";
import type { WalkContext } from "../scope/walker.js";
import type { GlobalUse, ModuleImport, Range, Unit } from "../types.js";
import { hasComputedStatics } from "./classes.js";
import type { Located } from "./definition.js";

/** Everything one walk over a module collects. */
export interface Facts extends Walked {
  candidates: Candidate[];
  topLevelAwait: Range | undefined;
  /** `import()` and `require()` with a constant argument. */
  loads: ModuleImport[];
  /** Classes with static members that have computed keys. */
  classes: (t.ClassDeclaration | t.ClassExpression)[];
  /** Uses of `this`, `super` and `new.target`, with the function whose they are. */
  receivers: Receiver[];
  findings: Located[];
}

/** `this`, `super` or `new.target`, which a function has by how it is called. */
export interface Receiver {
  owner: FunctionNode;
  word: string;
  range: Range;
}

/** Methods that follow the machine's locale or time zone unless told otherwise, and the arguments that tell it. */
const LOCALE_METHODS = new Set([
  "toLocaleString",
  "toLocaleDateString",
  "toLocaleTimeString",
  "toLocaleUpperCase",
  "toLocaleLowerCase",
  "localeCompare",
]);

/**
 * Walks a module and collects its facts; uses of globals that aren't names (`import.meta`, methods that depend on the
 * locale) go straight to their unit.
 */
export function collectFacts(
  program: t.Program,
  source: string,
  units: readonly Unit[],
  entryUnits: ReadonlyMap<Node, number>,
): Facts {
  const candidates: Candidate[] = [];
  const loads: ModuleImport[] = [];
  const receivers: Receiver[] = [];
  const classes: Facts["classes"] = [];
  const findings: Located[] = [];
  let topLevelAwait: Range | undefined;

  function enter(node: Node, context: WalkContext): void {
    switch (node.type) {
      case "Directive":
      case "ExpressionStatement": {
        const candidate = readCandidate(node, context.ancestors, source);
        if (candidate) candidates.push(candidate);
        return;
      }
      case "AwaitExpression":
        awaits(node, context);
        return;
      case "ForOfStatement":
        if (node.await) awaits(node, context);
        return;
      case "VariableDeclaration":
        if (node.kind === "await using") awaits(node, context);
        return;
      case "JSXElement":
      case "JSXFragment": {
        const unit = units[context.unit];
        if (unit) unit.jsx = true;
        return;
      }
      case "ClassDeclaration":
      case "ClassExpression":
        if (hasComputedStatics(node)) classes.push(node);
        return;
      case "MetaProperty":
        metaProperty(node, context);
        return;
      case "CallExpression":
      case "OptionalCallExpression":
        call(node, context);
        return;
      case "ImportExpression":
        load(node, "dynamic", node.source, context);
        return;
      case "ThisExpression":
        receiver(node, "this", context);
        return;
      case "Super":
        receiver(node, "super", context);
        return;
      default:
        return;
    }
  }

  function awaits(node: Node, context: WalkContext): void {
    if (context.depth === 0) topLevelAwait ??= { start: startOf(node), end: startOf(node) + "await".length };
  }

  function metaProperty(node: t.MetaProperty, context: WalkContext): void {
    if (node.meta.name === "new") {
      receiver(node, "new.target", context);
      return;
    }
    const site = readSite(node, context.ancestors);
    const path = ["import", "meta", ...site.path].join(".");
    push(context, { path, use: "read", deferred: context.deferred, start: site.start, end: site.end });
  }

  function call(node: t.CallExpression | t.OptionalCallExpression, context: WalkContext): void {
    const callee = unwrap(node.callee);
    const [argument] = node.arguments;
    if (callee.type === "Import" || (callee.type === "Identifier" && callee.name === "require")) {
      load(node, callee.type === "Import" ? "dynamic" : "require", argument, context);
      return;
    }
    if (callee.type !== "MemberExpression" && callee.type !== "OptionalMemberExpression") return;
    const method = staticKey(callee.property, callee.computed);
    if (method === undefined) return;
    if (LOCALE_METHODS.has(method)) {
      push(context, {
        path: `*.${method}`,
        use: "call",
        args: node.arguments.length,
        deferred: context.deferred,
        ...rangeOf(node),
      });
    }
    if (method === "ask" && argument?.type === "ObjectExpression") {
      const key = argument.properties.find(
        (p) => p.type !== "SpreadElement" && staticKey(p.key, p.computed) === "dismissible",
      );
      if (key) findings.push({ range: rangeOf(key), finding: removedDismissible() });
    }
  }

  function load(
    node: Node,
    kind: "dynamic" | "require",
    argument: Node | undefined,
    context: WalkContext,
  ): void {
    const specifier = argument && unwrap(argument);
    const text =
      specifier?.type === "StringLiteral"
        ? specifier.value
        : specifier?.type === "TemplateLiteral" && specifier.expressions.length === 0
          ? specifier.quasis[0]?.value.cooked
          : undefined;
    if (specifier === undefined || (text ?? undefined) === undefined) {
      if (kind === "dynamic")
        push(context, { path: "import()", use: "call", deferred: context.deferred, ...rangeOf(node) });
      return;
    }
    const place = rangeOf(specifier);
    loads.push({
      kind,
      specifier: text ?? "",
      specifierStart: place.start,
      specifierEnd: place.end,
      names: [],
      typeOnly: false,
      attributes: {},
      unit: context.unit,
      deferred: context.deferred,
      ...rangeOf(node),
    });
  }

  function receiver(node: Node, word: string, context: WalkContext): void {
    for (let index = context.ancestors.length - 1; index >= 0; index--) {
      const ancestor = context.ancestors[index] as Node;
      if (ancestor.type === "ClassBody") return;
      if (ancestor.type === "ArrowFunctionExpression" || !isFunction(ancestor)) continue;
      receivers.push({ owner: ancestor, word, range: rangeOf(node) });
      return;
    }
  }

  function push(context: WalkContext, use: GlobalUse): void {
    units[context.unit]?.globals.push(use);
  }

  const walked = walkModule(program, { enter, unitOf: (node) => entryUnits.get(node) });
  return { ...walked, candidates, loads, classes, receivers, findings, topLevelAwait };
}
