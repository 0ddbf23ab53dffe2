import type * as t from "@babel/types";
import { declarationOf, rangeOf, type Node } from "../parse/nodes.js";
import { declaredNames, isInstantiated } from "../scope/declared-names.js";
import type { ModuleExport, ModuleImport, Unit, UnitShape } from "../types.js";
import { hasEffects, stateNames } from "./effects.js";
import { readLinks } from "./links.js";

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
