import type * as t from "@babel/types";
import { endOf, moduleExportName, rangeOf, startOf, type Node } from "../parse/nodes.js";
import { declaredNames } from "../scope/declared-names.js";
import type { ImportedName, ModuleImport, Unit } from "../types.js";
import type { Statements } from "./statements.js";

/** Imports and exports of one statement. */
export function readLinks(statement: Node, index: number, unit: Unit, result: Statements): void {
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
    case "TSExportAssignment": {
      const { expression } = statement;
      const local = expression.type === "Identifier" ? { local: expression.name } : {};
      result.exports.push({
        exported: "export=",
        ...local,
        typeOnly: false,
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
