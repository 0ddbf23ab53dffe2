import type * as t from "@babel/types";
import { declarationOf, endOf, rangeOf, startOf, unwrap, type Node } from "../parse/nodes.js";
import { skipToken } from "../parse/scan.js";
import { classHalfSerialisable, classOutOfReach } from "../rules/index.js";
import type { SerialisableClass, Unit } from "../types.js";
import type { Located } from "./definition.js";
import { importedValue, resolveValue, type TopLevel } from "./top-level.js";

type ClassNode = t.ClassDeclaration | t.ClassExpression;

/** Names by which `@workflow/serde` and its like export the two symbols. */
const CONSTANTS: Record<string, string> = {
  WORKFLOW_SERIALIZE: "workflow-serialize",
  WORKFLOW_DESERIALIZE: "workflow-deserialize",
};
const SYMBOLS: ReadonlySet<string> = new Set(Object.values(CONSTANTS));

/** Whether a text may hold a class that says how it is serialised; `false` is certain. */
export function mayHoldSerialisableClass(text: string): boolean {
  return text.includes("workflow-serialize") || text.includes("WORKFLOW_SERIALIZE");
}

/** A class of the module, and the name of the binding that holds it. */
interface TopClass {
  node: ClassNode;
  local: string | undefined;
  unit: number;
}

/**
 * Finds the classes that can be written to the log: `static [Symbol.for("workflow-serialize")]` and its counterpart,
 * directly, by a constant, or by the constants of `@workflow/serde`. A subclass inherits them from a base class in the same
 * module. The two symbols anywhere else, or one without the other, are findings.
 *
 * @param candidates all classes of the module with static members that have computed keys
 */
export function serialisableClasses(
  program: t.Program,
  top: TopLevel,
  candidates: readonly ClassNode[],
  units: readonly Unit[],
  text: string,
): { list: SerialisableClass[]; findings: Located[] } {
  const findings: Located[] = [];
  const list: SerialisableClass[] = [];
  if (!mayHoldSerialisableClass(text)) return { list, findings };
  const classes = topClasses(program);
  const byName = new Map(
    classes.flatMap((found) => (found.local === undefined ? [] : [[found.local, found]])),
  );

  const symbolsOf = (node: ClassNode, depth = 0): Set<string> => {
    const own = ownSymbols(node, top);
    const base = node.superClass ? unwrap(node.superClass) : undefined;
    const inherited = base?.type === "Identifier" && depth < 16 ? byName.get(base.name) : undefined;
    return inherited === undefined ? own : new Set([...own, ...symbolsOf(inherited.node, depth + 1)]);
  };

  for (const { node, local, unit } of classes) {
    const symbols = symbolsOf(node);
    if (symbols.size === 0) continue;
    const name = local ?? "default";
    if (symbols.size < SYMBOLS.size) {
      const [has = ""] = symbols;
      const lacks = [...SYMBOLS].find((symbol) => symbol !== has) ?? "";
      findings.push({ range: headOf(node), finding: classHalfSerialisable(name, has, lacks) });
      continue;
    }
    const found: SerialisableClass = { name, unit, ...rangeOf(node) };
    const nameAt = local === undefined ? skipToken(text, startOf(node), "class") : undefined;
    if (local !== undefined) found.local = local;
    else if (nameAt !== undefined) found.nameAt = nameAt;
    else {
      findings.push({ range: headOf(node), finding: classOutOfReach(undefined) });
      continue;
    }
    list.push(found);
  }
  const known = new Set<Node>(classes.map(({ node }) => node));
  for (const node of candidates) {
    if (known.has(node) || ownSymbols(node, top).size === 0) continue;
    findings.push({ range: headOf(node), finding: classOutOfReach(node.id?.name) });
  }
  return { list: list.filter(({ unit }) => units[unit]?.typeOnly === false), findings };
}

/** Declarations and constants at the top level that are classes. */
function topClasses(program: t.Program): TopClass[] {
  return program.body.flatMap((statement, unit): TopClass[] => {
    const node = declarationOf(statement);
    if (node.type === "ClassDeclaration") return [{ node, local: node.id?.name, unit }];
    if (node.type !== "VariableDeclaration" || node.kind !== "const") return [];
    return node.declarations.flatMap(({ id, init }) => {
      const value = init ? unwrap(init) : undefined;
      return id.type === "Identifier" && value?.type === "ClassExpression"
        ? [{ node: value, local: id.name, unit }]
        : [];
    });
  });
}

/** Which of the two symbols are keys of static members. */
function ownSymbols(node: ClassNode, top: TopLevel): Set<string> {
  const found = new Set<string>();
  for (const member of node.body.body) {
    if (member.type !== "ClassMethod" && member.type !== "ClassProperty") continue;
    const name = member.static === true && member.computed === true ? symbolName(member.key, top) : undefined;
    if (name !== undefined && SYMBOLS.has(name)) found.add(name);
  }
  return found;
}

/** The name of the registered symbol that an expression gives. */
function symbolName(key: Node, top: TopLevel): string | undefined {
  const imported = importedValue(key, top)?.imported;
  if (imported !== undefined) return CONSTANTS[imported];
  const value = resolveValue(key, top);
  if (value.type !== "CallExpression") return undefined;
  const { callee } = value;
  const [argument] = value.arguments;
  const isSymbolFor =
    callee.type === "MemberExpression" &&
    callee.object.type === "Identifier" &&
    callee.object.name === "Symbol" &&
    callee.property.type === "Identifier" &&
    callee.property.name === "for";
  return isSymbolFor && argument?.type === "StringLiteral" ? argument.value : undefined;
}

/** Whether a class has static members with computed keys, as only symbols need them. */
export function hasComputedStatics(node: ClassNode): boolean {
  return node.body.body.some(
    (member) =>
      "static" in member && member.static === true && "computed" in member && member.computed === true,
  );
}

/** The name of a class, or the word `class`. */
function headOf(node: ClassNode): { start: number; end: number } {
  if (node.id) return rangeOf(node.id);
  const start = startOf(node);
  return { start, end: Math.min(start + "class".length, endOf(node)) };
}
