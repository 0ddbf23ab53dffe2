import type * as t from "@babel/types";
import { editDistance } from "../directives/spelling.js";
import { type FunctionNode, type Node, rangeOf, unwrap } from "../parse/nodes.js";
import {
  definitionNotLiteral,
  entryPointBehindSpread,
  entryPointNotReadable,
  executionOption,
  noEntryPoint,
  severalEntryPoints,
  type Finding,
} from "../rules/index.js";
import type { EntryPointName, Range } from "../types.js";
import { importedValue, isFunctionValue, propertyName, resolveValue, type TopLevel } from "./top-level.js";

/** A finding and the range it is about. */
export interface Located {
  range: Range;
  finding: Finding;
}

export const ENTRY_POINTS: readonly EntryPointName[] = ["execute", "task", "serve"];

/** One property of a tool definition that gives an entry point. */
export interface EntryProperty {
  name: EntryPointName;
  property: t.ObjectMember;
  target:
    | { kind: "inline"; fn: FunctionNode }
    | { kind: "local"; fn: t.FunctionDeclaration; name: string }
    | { kind: "constant"; fn: FunctionNode; name: string }
    | { kind: "imported"; local: string; member?: string; specifier: string; imported: string }
    | { kind: "unreadable" };
}

/** The properties of an object literal, with those of the constant objects that it spreads. */
export interface Properties {
  /** By name; the last one wins, as at run time. */
  named: Map<string, t.ObjectMember>;
  /** Spreads and computed keys whose names aren't known. */
  opaque: Node[];
}

export function readProperties(object: t.ObjectExpression, top: TopLevel, depth = 0): Properties {
  const result: Properties = { named: new Map(), opaque: [] };
  for (const property of object.properties) {
    if (property.type === "SpreadElement") {
      const spread = resolveValue(property.argument, top);
      if (spread.type !== "ObjectExpression" || depth > 8) {
        result.opaque.push(property);
        continue;
      }
      const inner = readProperties(spread, top, depth + 1);
      for (const [name, member] of inner.named) result.named.set(name, member);
      result.opaque.push(...inner.opaque);
      continue;
    }
    const name = propertyName(property, top);
    if (name === undefined) result.opaque.push(property);
    else result.named.set(name, property);
  }
  return result;
}

/** Reads the argument of `defineWorkflowTool`, and judges its entry points. */
export function readDefinition(
  call: t.CallExpression | t.OptionalCallExpression,
  top: TopLevel,
): { entries: EntryProperty[]; properties: Properties | undefined; findings: Located[] } {
  const argument = call.arguments[0];
  const object =
    argument && argument.type !== "ArgumentPlaceholder" ? resolveValue(argument, top) : undefined;
  if (object?.type !== "ObjectExpression") {
    return {
      entries: [],
      properties: undefined,
      findings: [{ range: rangeOf(argument ?? call), finding: definitionNotLiteral() }],
    };
  }
  const properties = readProperties(object, top);
  const entries = readEntries(properties, top);
  const findings: Located[] = [];

  const execution = properties.named.get("execution");
  if (execution) findings.push({ range: rangeOf(execution), finding: executionOption() });

  const [first, second] = entries;
  if (first && second) {
    findings.push({
      range: rangeOf(second.property.key),
      finding: severalEntryPoints(entries.map((e) => e.name)),
    });
  } else if (first === undefined) {
    const opaque = properties.opaque[0];
    if (opaque) findings.push({ range: rangeOf(opaque), finding: entryPointBehindSpread() });
    else findings.push({ range: rangeOf(call), finding: noEntryPoint(nearEntryPoint(properties)) });
  }
  for (const entry of entries) {
    if (entry.target.kind !== "unreadable") continue;
    findings.push({ range: rangeOf(entry.property.key), finding: entryPointNotReadable(entry.name) });
  }
  return { entries, properties, findings };
}

/** A property whose name is at most two edits away from that of an entry point. */
function nearEntryPoint({ named }: Properties): { written: string; wanted: string } | undefined {
  for (const written of named.keys()) {
    for (const wanted of ENTRY_POINTS) {
      const close =
        written !== wanted &&
        editDistance(written.toLowerCase(), wanted, 3) <= Math.min(2, wanted.length - 3);
      if (close) return { written, wanted };
    }
  }
  return undefined;
}

/** Entry points in source order. */
function readEntries(properties: Properties, top: TopLevel): EntryProperty[] {
  const entries: EntryProperty[] = [];
  for (const name of ENTRY_POINTS) {
    const property = properties.named.get(name);
    if (property === undefined || isUndefined(property)) continue;
    entries.push({ name, property, target: readTarget(property, top) });
  }
  return entries.sort((a, b) => (a.property.start ?? 0) - (b.property.start ?? 0));
}

/** `execute: undefined` defines nothing. */
function isUndefined(property: t.ObjectMember): boolean {
  if (property.type === "ObjectMethod") return false;
  const value = unwrap(property.value);
  return value.type === "Identifier" && value.name === "undefined";
}

export function readTarget(property: t.ObjectMember, top: TopLevel): EntryProperty["target"] {
  if (property.type === "ObjectMethod") {
    return property.kind === "method" ? { kind: "inline", fn: property } : { kind: "unreadable" };
  }
  const value = unwrap(property.value);
  if (isFunctionValue(value)) return { kind: "inline", fn: value };
  const resolved = resolveValue(value, top);
  if (resolved.type === "Identifier") {
    const fn = top.functions.get(resolved.name);
    if (fn) return { kind: "local", fn, name: resolved.name };
  }
  if (isFunctionValue(resolved)) {
    return { kind: "constant", fn: resolved, name: value.type === "Identifier" ? value.name : property.type };
  }
  const link = importedValue(value, top);
  if (link === undefined) return { kind: "unreadable" };
  const namespace = top.imports.get(link.local)?.imported === "*";
  return {
    kind: "imported",
    local: link.local,
    specifier: link.specifier,
    imported: link.imported,
    ...(namespace ? { member: link.imported } : {}),
  };
}
