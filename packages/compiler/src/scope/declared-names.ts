import type * as t from "@babel/types";
import type { Node } from "../parse/nodes.js";
import { patternNames } from "./patterns.js";

/** Whether a namespace holds anything besides types. */
export function isInstantiated(node: t.TSModuleDeclaration): boolean {
  if (node.declare === true) return false;
  if (node.body.type !== "TSModuleBlock") return isInstantiated(node.body);
  return node.body.body.some((statement) => {
    const inner =
      statement.type === "ExportNamedDeclaration" ? (statement.declaration ?? statement) : statement;
    if ((inner as { declare?: boolean }).declare === true) return false;
    if (inner.type === "TSModuleDeclaration") return isInstantiated(inner);
    return inner.type !== "TSInterfaceDeclaration" && inner.type !== "TSTypeAliasDeclaration";
  });
}

/** Names that a declaration statement binds. */
export function declaredNames(node: Node, found: (name: string, node: Node) => void): void {
  switch (node.type) {
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "TSDeclareFunction":
      if (node.id) found(node.id.name, node.id);
      return;
    case "TSEnumDeclaration":
    case "TSImportEqualsDeclaration":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      found(node.id.name, node.id);
      return;
    case "TSModuleDeclaration":
      if (node.id.type === "Identifier") found(node.id.name, node.id);
      return;
    case "VariableDeclaration":
      for (const declarator of node.declarations) patternNames(declarator.id, found);
      return;
    default:
      return;
  }
}
