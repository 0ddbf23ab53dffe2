import { parse } from "@babel/parser";
import type * as t from "@babel/types";
import { childKeys, endOf, isNode, startOf, type Bag, type Node } from "../parse/nodes.js";
import type { Edit } from "./plan.js";

/**
 * Applies planned edits to a syntax tree that Babel has parsed from the same text. The twin of `applyToText`: both give
 * the same program.
 *
 * @param shift what to add to the plan's offsets to get the tree's: 1 when the text began with a byte order mark
 */
export function applyToTree(program: t.Program, edits: readonly Edit[], shift = 0): void {
  const starts = new Map<number, t.Statement>();
  for (const statement of program.body) starts.set(startOf(statement) - shift, statement);
  const statementAt = (start: number): t.Statement => found(starts.get(start), "statement", start);

  for (const edit of edits) {
    switch (edit.kind) {
      case "drop":
        program.body.splice(program.body.indexOf(statementAt(edit.start)), 1);
        break;
      case "specifiers":
        narrow(statementAt(edit.start), edit.keep);
        break;
      case "undirect": {
        const { node, parent } = locate(
          program,
          edit.start + shift,
          (candidate) => candidate.type === "Directive",
        );
        const body = parent as t.BlockStatement;
        body.directives = body.directives.filter((directive) => directive !== node);
        break;
      }
      case "function": {
        const replacement = statementsOf(edit.text)[0] as t.FunctionDeclaration;
        // A declaration that is no part of an export is the statement that later edits look for.
        if (replaceFunction(program, edit.start + shift, replacement)) starts.set(edit.start, replacement);
        break;
      }
      case "property": {
        const { node, parent } = locateProperty(program, edit.start + shift);
        replaceIn((parent as t.ObjectExpression).properties, node, propertyOf(edit.text));
        break;
      }
      case "name": {
        const { node } = locate(program, edit.start + shift, isAnonymous);
        (node as t.FunctionDeclaration | t.ClassDeclaration).id = identifierOf(edit.name);
        break;
      }
      case "after":
        insert(program, statementAt(edit.start), statementsOf(edit.text), 1);
        break;
      case "lift":
        lift(program, statementAt(edit.host.start), edit, shift);
        break;
    }
  }
}

function narrow(statement: t.Statement, keep: readonly number[]): void {
  if (statement.type === "ImportDeclaration") {
    statement.specifiers = statement.specifiers.filter((_, position) => keep.includes(position));
  } else if (statement.type === "ExportNamedDeclaration") {
    statement.specifiers = statement.specifiers.filter((_, position) => keep.includes(position));
  }
}

/** @returns whether the function was a statement of its own */
function replaceFunction(program: t.Program, start: number, replacement: t.FunctionDeclaration): boolean {
  const { node, parent } = locate(program, start, (candidate) => candidate.type === "FunctionDeclaration");
  // Errors and stack traces of the replacement point at the author's function.
  replacement.loc = node.loc ?? null;
  if (parent.type === "Program") {
    replaceIn(parent.body, node, replacement);
    return true;
  }
  (parent as t.ExportNamedDeclaration | t.ExportDefaultDeclaration).declaration = replacement;
  return false;
}

function lift(
  program: t.Program,
  host: t.Statement,
  edit: Extract<Edit, { kind: "lift" }>,
  shift: number,
): void {
  const { node, parent } = locateProperty(program, edit.start + shift);
  const object = parent as t.ObjectExpression;
  const [constant, ...registration] = statementsOf(`const ${edit.name} = {}.${edit.key};\n${edit.text}`);
  const declarator = (constant as t.VariableDeclaration).declarations[0] as t.VariableDeclarator;
  const literal = (declarator.init as t.MemberExpression).object as t.ObjectExpression;
  literal.properties.push(node as t.ObjectMember);
  insert(program, host, [constant as t.Statement, ...registration], 0);
  if (edit.hostStays) replaceIn(object.properties, node, propertyOf(edit.stub));
  else program.body.splice(program.body.indexOf(host), 1);
}

function insert(program: t.Program, beside: t.Statement, statements: t.Statement[], offset: 0 | 1): void {
  program.body.splice(program.body.indexOf(beside) + offset, 0, ...statements);
}

function replaceIn<T extends Node>(list: T[], node: Node, replacement: T): void {
  list.splice(list.indexOf(node as T), 1, replacement);
}

function isAnonymous(node: Node): boolean {
  return (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") && !node.id;
}

function locateProperty(program: t.Program, start: number): { node: Node; parent: Node } {
  return locate(program, start, (node) => node.type === "ObjectMethod" || node.type === "ObjectProperty");
}

/** The node that starts at an offset, and its parent. */
function locate(
  program: t.Program,
  start: number,
  test: (node: Node) => boolean,
): { node: Node; parent: Node } {
  const search = (parent: Node): { node: Node; parent: Node } | undefined => {
    for (const key of childKeys(parent)) {
      const value = (parent as unknown as Bag)[key];
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (!isNode(child) || startOf(child) > start || endOf(child) <= start) continue;
        if (startOf(child) === start && test(child)) return { node: child, parent };
        const inner = search(child);
        if (inner) return inner;
      }
    }
    return undefined;
  };
  return found(search(program), "node", start);
}

function found<T>(value: T | undefined, what: string, start: number): T {
  if (value !== undefined) return value;
  throw new Error(`The tree has no ${what} at offset ${start}: another plugin has changed it before eve's.`);
}

/** Statements of emitted code, without positions, which would be taken for places in the author's file. */
function statementsOf(text: string): t.Statement[] {
  const { program } = parse(text, { sourceType: "module", attachComment: false });
  return program.body.map(withoutPositions);
}

function propertyOf(text: string): t.ObjectProperty {
  const [statement] = statementsOf(`({ ${text} })`);
  const object = (statement as t.ExpressionStatement).expression as t.ObjectExpression;
  return object.properties[0] as t.ObjectProperty;
}

function identifierOf(name: string): t.Identifier {
  return (statementsOf(name)[0] as t.ExpressionStatement).expression as t.Identifier;
}

function withoutPositions<T extends Node>(node: T): T {
  node.start = null;
  node.end = null;
  node.loc = null;
  for (const key of childKeys(node)) {
    const value = (node as unknown as Bag)[key];
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(child)) withoutPositions(child);
    }
  }
  return node;
}
