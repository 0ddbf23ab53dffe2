import { startOf, type Node } from "../parse/nodes.js";
import { walkField } from "./functions.js";
import { declareAliases, declareConstant, patternNames, walkPattern } from "./patterns.js";
import { createScope, declare, type Scope } from "./scope.js";
import { walkEnum, walkImportEquals, walkNamespace } from "./typescript.js";
import type { Walker } from "./walker.js";

/** Walks a node that opens a scope, declares names, or holds names that are no references; any other by its children. */
export function walkStructure(walker: Walker, node: Node): void {
  switch (node.type) {
    case "VariableDeclaration": {
      const { scope } = walker;
      const into = node.kind === "var" ? scope.hoist : scope;
      for (const declarator of node.declarations) {
        walker.inside(declarator, () => {
          walkPattern(walker, declarator.id, into);
          walker.visit(declarator.init);
        });
        if (into !== scope && into.parent === undefined) noteHoisted(walker, declarator.id, into);
        if (node.kind !== "const" || !declarator.init) continue;
        declareAliases(scope, declarator.id, declarator.init);
        declareConstant(scope, declarator.id, declarator.init);
      }
      return;
    }
    case "MemberExpression":
    case "OptionalMemberExpression":
      walker.visit(node.object);
      if (node.computed) walker.visit(node.property);
      return;
    case "ObjectProperty":
      if (node.computed) walker.visit(node.key);
      walker.visit(node.value);
      return;
    case "ClassProperty":
    case "ClassPrivateProperty":
    case "ClassAccessorProperty":
      walkField(walker, node);
      return;
    case "StaticBlock":
      walkBlock(walker, node, true);
      return;
    case "BlockStatement":
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
      walkBlock(walker, node, false);
      return;
    case "SwitchStatement":
      walker.visit(node.discriminant);
      walker.within(createScope(walker.scope, false, startOf(node)), () => node.cases.forEach(walker.visit));
      return;
    case "CatchClause": {
      const inner = createScope(walker.scope, false, startOf(node));
      walker.within(inner, () => {
        if (node.param) walkPattern(walker, node.param, inner);
        walker.visit(node.body);
      });
      return;
    }
    case "LabeledStatement":
      walker.visit(node.body);
      return;
    case "BreakStatement":
    case "ContinueStatement":
    case "ImportAttribute":
    case "MetaProperty":
    case "ExportAllDeclaration":
    case "TSParameterProperty":
      return;
    case "ImportDeclaration":
      for (const specifier of node.specifiers) {
        const type = specifier.type === "ImportSpecifier" && specifier.importKind === "type";
        if (node.importKind !== "type" && !type) declare(walker.scope, specifier.local.name);
      }
      return;
    case "ExportNamedDeclaration":
      // The names of `export { a }` are read from the statement itself: they are no uses in a unit.
      walker.visit(node.declaration);
      return;
    case "JSXAttribute":
      walker.visit(node.value);
      return;
    case "JSXMemberExpression":
      walker.visit(node.object);
      return;
    case "TSEnumDeclaration":
      walkEnum(walker, node);
      return;
    case "TSModuleDeclaration":
      walkNamespace(walker, node);
      return;
    case "TSImportEqualsDeclaration":
      walkImportEquals(walker, node);
      return;
    default:
      walker.children(node);
  }
}

/** `if (ready) { var x = 1; }` declares `x` for the whole module, though it isn't the statement's own name. */
function noteHoisted(walker: Walker, pattern: Node, module: Scope): void {
  patternNames(pattern, (name) => {
    const binding = declare(module, name);
    (binding.hoistedFrom ??= new Set()).add(walker.unit);
  });
}

function walkBlock(walker: Walker, node: Node, hoists: boolean): void {
  walker.within(createScope(walker.scope, hoists, startOf(node)), () => walker.children(node));
}
