import type * as t from "@babel/types";
import { endOf, moduleExportName, rangeOf, startOf, unwrap, type Node } from "../parse/nodes.js";
import { patternNames } from "../scope/scope.js";
import { declaredNames, isInstantiated } from "../scope/walk.js";
import type { ImportedName, ModuleExport, ModuleImport, Unit, UnitShape } from "../types.js";

/** What the top-level statements say of themselves, before anything is resolved. */
export interface Statements {
  units: Unit[];
  imports: ModuleImport[];
  exports: ModuleExport[];
}

/** Reads units, imports and exports off the top-level statements. */
export function readStatements(program: t.Program): Statements {
  const result: Statements = { units: [], imports: [], exports: [] };
  program.body.forEach((statement, index) => {
    const shape = shapeOf(statement);
    const unit: Unit = {
      index,
      shape,
      ...rangeOf(statement),
      declares: [],
      uses: [],
      globals: [],
      effects: hasEffects(statement),
      typeOnly: shape === "type",
      directives: [],
      jsx: false,
    };
    if (!unit.typeOnly) declaredNames(declarationOf(statement), (name) => unit.declares.push(name));
    const state = stateNames(declarationOf(statement));
    if (state.length > 0 && !unit.typeOnly) unit.state = state;
    readLinks(statement, index, unit, result);
    result.units.push(unit);
  });
  return result;
}

/** `export const a = 1` → `const a = 1`. */
export function declarationOf(statement: Node): Node {
  if (statement.type === "ExportNamedDeclaration") return statement.declaration ?? statement;
  if (statement.type === "ExportDefaultDeclaration") return statement.declaration;
  return statement;
}

function shapeOf(statement: Node): UnitShape {
  switch (statement.type) {
    case "ImportDeclaration":
      return "import";
    case "TSImportEqualsDeclaration":
      return statement.importKind === "type" ? "type" : "variable";
    case "ExportAllDeclaration":
      return "export-from";
    case "ExportNamedDeclaration":
      if (statement.declaration) return shapeOf(statement.declaration);
      return statement.source ? "export-from" : "export-list";
    case "ExportDefaultDeclaration": {
      const inner = shapeOf(statement.declaration);
      return inner === "function" || inner === "class" || inner === "type" ? inner : "export-default";
    }
    case "FunctionDeclaration":
      return statement.declare === true ? "type" : "function";
    case "ClassDeclaration":
      return statement.declare === true ? "type" : "class";
    case "VariableDeclaration":
      return statement.declare === true ? "type" : "variable";
    case "TSEnumDeclaration":
      return statement.declare === true ? "type" : "enum";
    case "TSModuleDeclaration":
      return statement.id.type !== "Identifier" || statement.kind === "global" || !isInstantiated(statement)
        ? "type"
        : "namespace";
    case "TSDeclareFunction":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "TSNamespaceExportDeclaration":
      return "type";
    case "ExpressionStatement":
    case "EmptyStatement":
    case "TSExportAssignment":
      return "expression";
    default:
      return "block";
  }
}

/** Variables that may hold state: everything but functions and constants with a primitive value. */
function stateNames(node: Node): string[] {
  if (node.type !== "VariableDeclaration") return [];
  const names: string[] = [];
  for (const { id, init } of node.declarations) {
    if (id.type !== "Identifier") patternNames(id, (name) => names.push(name));
    else if (node.kind !== "const" || !init || !isStateless(init)) names.push(id.name);
  }
  return names;
}

function isStateless(init: Node): boolean {
  const { type } = unwrap(init);
  return /^(?:(?:String|Numeric|Boolean|Null|BigInt|RegExp|Template)Literal|FunctionExpression|ArrowFunctionExpression)$/.test(
    type,
  );
}

/** Whether evaluating a statement can do anything besides creating bindings. */
function hasEffects(statement: Node): boolean {
  const node = declarationOf(statement);
  switch (node.type) {
    case "ImportDeclaration":
      return node.specifiers.length === 0;
    case "VariableDeclaration":
      return node.declarations.some(
        ({ id, init }) => id.type !== "Identifier" || (init ? !isInert(init) : false),
      );
    case "ClassDeclaration":
      return !isInertClass(node);
    case "FunctionDeclaration":
    case "TSEnumDeclaration":
    case "TSDeclareFunction":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
    case "EmptyStatement":
      return false;
    default:
      return statement.type === "ExportDefaultDeclaration" ? !isInert(node) : true;
  }
}

function isInert(expression: Node): boolean {
  const node = unwrap(expression);
  switch (node.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
    case "NullLiteral":
    case "BigIntLiteral":
    case "RegExpLiteral":
    case "Identifier":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return true;
    case "TemplateLiteral":
      return node.expressions.length === 0;
    case "UnaryExpression":
      return node.operator !== "delete" && isInert(node.argument);
    case "ClassExpression":
      return isInertClass(node);
    case "ArrayExpression":
      return node.elements.every((element) => element === null || isInert(element));
    case "ObjectExpression":
      return node.properties.every((property) => {
        if (property.type === "SpreadElement" || property.computed) return false;
        return property.type === "ObjectMethod" || isInert(property.value);
      });
    default:
      return false;
  }
}

function isInertClass(node: t.ClassDeclaration | t.ClassExpression): boolean {
  if (node.superClass || (node.decorators ?? []).length > 0) return false;
  return node.body.body.every((member) => {
    if (member.type === "StaticBlock") return false;
    if ("decorators" in member && (member.decorators ?? []).length > 0) return false;
    if ("computed" in member && member.computed === true) return false;
    return !("value" in member && member.static === true && member.value && !isInert(member.value));
  });
}

/** Imports and exports of one statement. */
function readLinks(statement: Node, index: number, unit: Unit, result: Statements): void {
  switch (statement.type) {
    case "ImportDeclaration": {
      const typeOnly = statement.importKind === "type" || statement.importKind === "typeof";
      const names = statement.specifiers.map((specifier): ImportedName => {
        const inline = specifier.type === "ImportSpecifier" && specifier.importKind === "type";
        return {
          imported:
            specifier.type === "ImportSpecifier"
              ? moduleExportName(specifier.imported)
              : specifier.type === "ImportDefaultSpecifier"
                ? "default"
                : "*",
          local: specifier.local.name,
          typeOnly: typeOnly || inline,
          ...rangeOf(specifier),
        };
      });
      const allTypes = typeOnly || (names.length > 0 && names.every((name) => name.typeOnly));
      unit.declares = names.filter((name) => !name.typeOnly).map((name) => name.local);
      unit.typeOnly = allTypes;
      result.imports.push({
        kind: "import",
        ...link(statement, statement.source, index),
        names,
        typeOnly: allTypes,
      });
      return;
    }
    case "TSImportEqualsDeclaration":
      if (statement.moduleReference.type === "TSExternalModuleReference") {
        const source = statement.moduleReference.expression;
        const typeOnly = statement.importKind === "type";
        const names = [{ imported: "*", local: statement.id.name, typeOnly, ...rangeOf(statement.id) }];
        result.imports.push({ kind: "require", ...link(statement, source, index), names, typeOnly });
      }
      if (statement.isExport) {
        const name = statement.id.name;
        result.exports.push({
          exported: name,
          local: name,
          typeOnly: unit.typeOnly,
          unit: index,
          ...rangeOf(statement),
        });
      }
      return;
    case "ExportAllDeclaration": {
      const typeOnly = statement.exportKind === "type";
      unit.typeOnly = typeOnly;
      result.imports.push({
        kind: "export-all",
        ...link(statement, statement.source, index),
        names: [],
        typeOnly,
      });
      return;
    }
    case "ExportNamedDeclaration":
      if (statement.declaration) {
        const typeOnly = unit.typeOnly;
        declaredNames(statement.declaration, (name, node) =>
          result.exports.push({ exported: name, local: name, typeOnly, unit: index, ...rangeOf(node) }),
        );
      } else readExportList(statement, index, unit, result);
      return;
    case "ExportDefaultDeclaration": {
      const { declaration } = statement;
      const named =
        "id" in declaration && declaration.id?.type === "Identifier" ? declaration.id.name : undefined;
      const local = named ?? (declaration.type === "Identifier" ? declaration.name : undefined);
      result.exports.push({
        exported: "default",
        ...(local === undefined ? {} : { local }),
        typeOnly: unit.typeOnly,
        unit: index,
        ...rangeOf(statement),
      });
      return;
    }
    default:
      return;
  }
}

function readExportList(
  statement: t.ExportNamedDeclaration,
  index: number,
  unit: Unit,
  result: Statements,
): void {
  const { source, specifiers } = statement;
  const names: ImportedName[] = [];
  const typeStatement = statement.exportKind === "type";
  for (const specifier of specifiers) {
    const inline = specifier.type === "ExportSpecifier" && specifier.exportKind === "type";
    const typeOnly = typeStatement || inline;
    const exported = moduleExportName(specifier.exported);
    const imported = specifier.type === "ExportSpecifier" ? moduleExportName(specifier.local) : "*";
    if (source) {
      names.push({ imported, local: exported, typeOnly, ...rangeOf(specifier) });
      const from = { specifier: source.value, imported, import: result.imports.length };
      result.exports.push({ exported, from, typeOnly, unit: index, ...rangeOf(specifier) });
    } else {
      result.exports.push({ exported, local: imported, typeOnly, unit: index, ...rangeOf(specifier) });
    }
  }
  const allTypes =
    typeStatement ||
    (specifiers.length > 0 &&
      specifiers.every(
        (specifier) => specifier.type === "ExportSpecifier" && specifier.exportKind === "type",
      ));
  unit.typeOnly = allTypes;
  if (source) {
    result.imports.push({ kind: "reexport", ...link(statement, source, index), names, typeOnly: allTypes });
  }
}

type Link = Pick<
  ModuleImport,
  "specifier" | "specifierStart" | "specifierEnd" | "attributes" | "unit" | "start" | "end"
>;

function link(node: Node, source: t.StringLiteral, unit: number): Link {
  const attributes: Record<string, string> = {};
  const list = "attributes" in node ? node.attributes : undefined;
  for (const attribute of Array.isArray(list) ? list : []) {
    if (attribute?.type !== "ImportAttribute" || attribute.value.type !== "StringLiteral") continue;
    attributes[moduleExportName(attribute.key)] = attribute.value.value;
  }
  return {
    specifier: source.value,
    specifierStart: startOf(source),
    specifierEnd: endOf(source),
    attributes,
    unit,
    ...rangeOf(node),
  };
}
