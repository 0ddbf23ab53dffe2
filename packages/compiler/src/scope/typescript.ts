import type * as t from "@babel/types";
import { startOf, staticKey } from "../parse/nodes.js";
import { declaredNames, isInstantiated } from "./declared-names.js";
import { createScope, declare, mergedMembers } from "./scope.js";
import type { Walker } from "./walker.js";

export function walkEnum(walker: Walker, node: t.TSEnumDeclaration): void {
  const { scope } = walker;
  declare(scope, node.id.name);
  const members = mergedMembers(scope, node.id.name);
  const inner = createScope(scope, false, startOf(node));
  inner.shared = members;
  walker.within(inner, () => {
    const list = node.members ?? [];
    for (const member of list) {
      const name = staticKey(member.id, false);
      if (name !== undefined) members.set(name, { name, top: false });
    }
    for (const member of list) walker.visit(member.initializer);
  });
}

export function walkNamespace(walker: Walker, node: t.TSModuleDeclaration): void {
  // `declare module "x"`, `declare global` and augmentations leave nothing at run time.
  if (node.id.type !== "Identifier" || node.kind === "global" || !isInstantiated(node)) return;
  const { scope } = walker;
  declare(scope, node.id.name);
  const members = mergedMembers(scope, node.id.name);
  const inner = createScope(scope, true, startOf(node));
  inner.shared = members;
  walker.within(inner, () => {
    if (node.body.type !== "TSModuleBlock") {
      walker.visit(node.body);
      return;
    }
    const { body } = node;
    walker.enter(body);
    walker.inside(body, () => {
      for (const statement of body.body) {
        if (statement.type === "ExportNamedDeclaration" && statement.declaration) {
          declaredNames(statement.declaration, (name) => members.set(name, { name, top: false }));
        }
        walker.visit(statement);
      }
    });
  });
}

/** `import fs = require("node:fs")`, `import short = Some.Name.Space` */
export function walkImportEquals(walker: Walker, node: t.TSImportEqualsDeclaration): void {
  if (node.importKind === "type") return;
  declare(walker.scope, node.id.name);
  if (node.moduleReference.type !== "TSExternalModuleReference") walkEntityName(walker, node.moduleReference);
}

function walkEntityName(walker: Walker, node: t.TSEntityName): void {
  if (node.type === "Identifier") walker.refer(node, node.name);
  else if (node.type === "TSQualifiedName") walkEntityName(walker, node.left);
}
