import * as babel from "@babel/types";
import { expect, test } from "vitest";
import { VISITOR_KEYS } from "./visitor-keys.js";

/** Children that are types, which no walk looks into. */
const TYPES = new Set([
  "typeAnnotation",
  "typeParameters",
  "typeArguments",
  "superTypeParameters",
  "superTypeArguments",
  "returnType",
  "predicate",
  "implements",
  "mixins",
  "variance",
  "assertions",
  "optional",
]);

test("the table says what @babel/types says, but for types", () => {
  for (const [type, keys] of Object.entries(VISITOR_KEYS)) {
    const known = (babel.VISITOR_KEYS as Record<string, string[] | undefined>)[type];
    expect({ type, keys: known?.filter((key) => !TYPES.has(key)) }).toEqual({ type, keys });
  }
});

test("every statement and expression of JavaScript is in it", () => {
  const foreign =
    /^(?:TS|Flow|Declare|Enum|Interface|Opaque|Type|Pipeline|Topic|Record|Tuple|Decimal|Do|Bind|Module|ArgumentPlaceholder|Placeholder|Noop|ParenthesizedE)/;
  const types = babel.VISITOR_KEYS as Record<string, string[]>;
  const aliases = babel.FLIPPED_ALIAS_KEYS;
  for (const type of [...(aliases["Statement"] ?? []), ...(aliases["Expression"] ?? [])]) {
    if (types[type] !== undefined && !foreign.test(type)) expect(VISITOR_KEYS, type).toHaveProperty(type);
  }
});
