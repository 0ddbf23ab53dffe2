import type * as t from "@babel/types";
import { rangeOf, staticKey, unwrap, type Node } from "../parse/nodes.js";
import { readProperties } from "./definition.js";
import { resolveValue, type TopLevel } from "./top-level.js";

/** A property name of an input schema, and where it stands. */
export interface SchemaKey {
  name: string;
  start: number;
  end: number;
}

/** Calls that make an object schema of the object literal in their first argument: zod, valibot, arktype, typebox … */
const OBJECT_CALLS = new Set([
  "object",
  "strictObject",
  "looseObject",
  "Object",
  "type",
  "extend",
  "safeExtend",
]);

/**
 * Property names that a schema declares, read from the text: of a JSON Schema literal, and of `z.object({…})` with
 * any methods behind it. `undefined` when the schema isn't one that can be read.
 */
export function readSchemaKeys(schema: Node, top: TopLevel): SchemaKey[] | undefined {
  const node = resolveValue(schema, top);
  if (node.type === "ObjectExpression") {
    const properties = readProperties(node, top).named.get("properties");
    if (properties === undefined || properties.type === "ObjectMethod") return [];
    const object = resolveValue(properties.value, top);
    return object.type === "ObjectExpression" ? keysOf(object, top) : undefined;
  }
  return node.type === "CallExpression" ? keysOfCall(node, top) : undefined;
}

function keysOfCall(call: t.CallExpression, top: TopLevel): SchemaKey[] | undefined {
  const callee = unwrap(call.callee);
  const member = callee.type === "MemberExpression" ? staticKey(callee.property, callee.computed) : undefined;
  // What a chained method is called on: `z.object({…}).strict()`, `base.extend({…})`.
  const receiver = callee.type === "MemberExpression" ? resolveValue(callee.object, top) : undefined;
  const inherited = receiver?.type === "CallExpression" ? keysOfCall(receiver, top) : undefined;
  const name = member ?? (callee.type === "Identifier" ? callee.name : "");
  const argument = call.arguments[0];
  if (!OBJECT_CALLS.has(name) || argument === undefined) return inherited;
  const object = resolveValue(argument, top);
  if (object.type !== "ObjectExpression") return inherited;
  return [...(inherited ?? []), ...keysOf(object, top)];
}

function keysOf(object: t.ObjectExpression, top: TopLevel): SchemaKey[] {
  return [...readProperties(object, top).named].map(([name, property]) => ({
    name,
    ...rangeOf(property.key),
  }));
}

/** The value of a constant expression, or `NOT_CONSTANT`. */
export const NOT_CONSTANT: unique symbol = Symbol("not constant");

/** Evaluates literals, arrays, objects, joined texts and constants of the module; nothing that could run code. */
export function readConstant(expression: Node, top: TopLevel, depth = 0): unknown {
  if (depth > 32) return NOT_CONSTANT;
  const node = resolveValue(expression, top);
  switch (node.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
      return node.value;
    case "NullLiteral":
      return null;
    case "TemplateLiteral":
      return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? NOT_CONSTANT) : NOT_CONSTANT;
    case "UnaryExpression": {
      const value = readConstant(node.argument, top, depth + 1);
      return node.operator === "-" && typeof value === "number" ? -value : NOT_CONSTANT;
    }
    case "BinaryExpression": {
      if (node.operator !== "+") return NOT_CONSTANT;
      const left = readConstant(node.left, top, depth + 1);
      const right = readConstant(node.right, top, depth + 1);
      return typeof left === "string" && typeof right === "string" ? left + right : NOT_CONSTANT;
    }
    case "ArrayExpression": {
      const items = node.elements.map((element) =>
        element ? readConstant(element, top, depth + 1) : NOT_CONSTANT,
      );
      return items.includes(NOT_CONSTANT) ? NOT_CONSTANT : items;
    }
    case "ObjectExpression": {
      const { named, opaque } = readProperties(node, top);
      if (opaque.length > 0) return NOT_CONSTANT;
      const object: Record<string, unknown> = {};
      for (const [name, property] of named) {
        const value =
          property.type === "ObjectMethod" ? NOT_CONSTANT : readConstant(property.value, top, depth + 1);
        if (value === NOT_CONSTANT) return NOT_CONSTANT;
        Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      }
      return object;
    }
    default:
      return NOT_CONSTANT;
  }
}
