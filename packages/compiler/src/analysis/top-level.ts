import type * as t from "@babel/types";
import { positionAt } from "../parse/lines.js";
import {
  declarationOf,
  rangeOf,
  startOf,
  staticKey,
  unwrap,
  type FunctionNode,
  type Node,
} from "../parse/nodes.js";
import { hasComputedStatics } from "./classes.js";
import type { ModuleImport, TopLevelFunction } from "../types.js";

/** What the top-level names of a module stand for, as far as it can be read without running anything. */
export interface TopLevel {
  imports: Map<string, { specifier: string; imported: string }>;
  constants: Map<string, Node>;
  functions: Map<string, t.FunctionDeclaration>;
  /** The expression or declaration behind `export default` and `export { x as default }`. */
  defaultExport: Node | undefined;
  /** `export { default } from "…"` */
  defaultFrom: { specifier: string; imported: string } | undefined;
}

/** Following constants further than this means going in circles. */
const DEPTH = 16;

export function readTopLevel(program: t.Program, imports: readonly ModuleImport[]): TopLevel {
  const top: TopLevel = {
    imports: new Map(),
    constants: new Map(),
    functions: new Map(),
    defaultExport: undefined,
    defaultFrom: undefined,
  };
  for (const link of imports) {
    if (link.kind !== "import") continue;
    for (const name of link.names) {
      top.imports.set(name.local, { specifier: link.specifier, imported: name.imported });
    }
  }
  for (const statement of program.body) readStatement(statement, top);
  return top;
}

function readStatement(statement: t.Statement, top: TopLevel): void {
  const node = declarationOf(statement);
  if (node.type === "FunctionDeclaration" && node.id) top.functions.set(node.id.name, node);
  if (node.type === "VariableDeclaration" && node.kind === "const") {
    for (const { id, init } of node.declarations) {
      if (id.type === "Identifier" && init) top.constants.set(id.name, init);
    }
  }
  if (statement.type === "ExportDefaultDeclaration") top.defaultExport = statement.declaration;
  if (statement.type !== "ExportNamedDeclaration" || statement.exportKind === "type") return;
  for (const specifier of statement.specifiers) {
    if (specifier.type !== "ExportSpecifier" || staticKey(specifier.exported, false) !== "default") continue;
    if (statement.source) {
      top.defaultFrom = {
        specifier: statement.source.value,
        imported: staticKey(specifier.local, false) ?? "",
      };
    } else top.defaultExport = specifier.local;
  }
}

/** Follows casts and constants of the module to the expression that a value comes from. */
export function resolveValue(node: Node, top: TopLevel): Node {
  let current = unwrap(node);
  for (let depth = 0; depth < DEPTH; depth++) {
    if (current.type !== "Identifier") return current;
    const init = top.constants.get(current.name);
    if (init === undefined) return current;
    current = unwrap(init);
  }
  return current;
}

/** The import that an expression is: `define`, `tools.define`, or a constant that holds one of them. */
export function importedValue(
  node: Node,
  top: TopLevel,
): { specifier: string; imported: string; local: string } | undefined {
  const value = resolveValue(node, top);
  if (value.type === "Identifier") {
    const link = top.imports.get(value.name);
    return link && { ...link, local: value.name };
  }
  if (value.type !== "MemberExpression") return undefined;
  const object = resolveValue(value.object, top);
  const link = object.type === "Identifier" ? top.imports.get(object.name) : undefined;
  const member = staticKey(value.property, value.computed);
  if (object.type !== "Identifier" || link?.imported !== "*" || member === undefined) return undefined;
  return { specifier: link.specifier, imported: member, local: object.name };
}

/** The constant name of a property, a constant that holds it included: `const KEY = "execute"; { [KEY]() {} }`. */
export function propertyName(property: t.ObjectMember, top: TopLevel): string | undefined {
  const name = staticKey(property.key, property.computed);
  if (name !== undefined || !property.computed) return name;
  const value = resolveValue(property.key, top);
  return value.type === "StringLiteral" ? value.value : undefined;
}

export function isFunctionValue(node: Node): node is FunctionNode {
  return node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression";
}

/** Top-level functions: declarations, and constants that hold one. */
export function topLevelFunctions(program: t.Program, lines: readonly number[]): TopLevelFunction[] {
  const found: TopLevelFunction[] = [];
  const add = (fn: FunctionNode, name: string, at: Node): void => {
    const { line, column } = positionAt(lines, startOf(at));
    const declaration = fn.type === "FunctionDeclaration";
    found.push({
      name,
      async: fn.async === true,
      generator: fn.generator === true,
      declaration,
      line,
      column,
      ...rangeOf(fn),
    });
  };
  for (const statement of program.body) {
    const node = declarationOf(statement);
    if (node.type === "FunctionDeclaration") add(node, node.id?.name ?? "default", node.id ?? node);
    if (node.type !== "VariableDeclaration") continue;
    for (const { id, init } of node.declarations) {
      const value = init ? unwrap(init) : undefined;
      if (id.type === "Identifier" && value && isFunctionValue(value)) add(value, id.name, id);
    }
  }
  return found;
}

/** Names of top-level classes that don't say how to be serialised, which is done by static members with symbol keys. */
export function plainClasses(program: t.Program): string[] {
  const names: string[] = [];
  for (const statement of program.body) {
    const node = declarationOf(statement);
    if (node.type !== "ClassDeclaration" || !node.id) continue;
    const serialisable = hasComputedStatics(node);
    // A subclass inherits the static members of its base, which may be anywhere.
    if (!serialisable && !node.superClass) names.push(node.id.name);
  }
  return names.sort();
}
