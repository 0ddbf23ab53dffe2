import { staticKey, type FunctionNode, type Node } from "../parse/nodes.js";
import { declare, type Scope } from "./scope.js";

/** Types of `eve/tools` that a parameter has which holds the context of a workflow. */
export const CONTEXT_TYPES: ReadonlySet<string> = new Set(["WorkflowToolContext", "WorkflowServeContext"]);

/**
 * Notes which parameters of a function hold the context of a workflow: the second one of a function with `"use workflow"`,
 * and those that are declared as such.
 */
export function declareContext(scope: Scope, fn: FunctionNode): void {
  // TypeScript's `this` parameter is none.
  const params = fn.params.filter((param) => !(param.type === "Identifier" && param.name === "this"));
  params.forEach((param, index) => {
    const type = typeNameOf(param);
    if (type !== undefined && CONTEXT_TYPES.has(type)) declareParts(scope, param, [], type);
    else if (index === 1 && isWorkflow(fn)) declareParts(scope, param, []);
  });
}

function isWorkflow({ body }: FunctionNode): boolean {
  return (
    body.type === "BlockStatement" && body.directives.some(({ value }) => value.value === "use workflow")
  );
}

function typeNameOf(param: Node): string | undefined {
  const annotation = "typeAnnotation" in param ? param.typeAnnotation : undefined;
  if (annotation?.type !== "TSTypeAnnotation") return undefined;
  const { typeAnnotation: type } = annotation;
  return type.type === "TSTypeReference" && type.typeName.type === "Identifier"
    ? type.typeName.name
    : undefined;
}

function declareParts(scope: Scope, pattern: Node, path: string[], type?: string): void {
  if (pattern.type === "Identifier") {
    declare(scope, pattern.name).context = type === undefined ? { path } : { path, type };
  } else if (pattern.type === "ObjectPattern") {
    for (const property of pattern.properties) {
      if (property.type === "RestElement") continue;
      const key = staticKey(property.key, property.computed);
      if (key !== undefined) declareParts(scope, property.value, [...path, key], type);
    }
  }
}
