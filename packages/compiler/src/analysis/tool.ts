import type * as t from "@babel/types";
import { rangeOf, unwrap, type FunctionNode, type Node } from "../parse/nodes.js";
import { noDefaultExport, notATool, taskIdTaken } from "../rules/index.js";
import type { EntryPointName, ModuleRole, ToolFactory, ToolReading } from "../types.js";
import {
  readDefinition,
  readProperties,
  readTarget,
  type EntryProperty,
  type Located,
} from "./definition.js";
import { NOT_CONSTANT, readConstant, readSchemaKeys } from "./schema.js";
import { importedValue, resolveValue, type TopLevel } from "./top-level.js";

/** What a module's default export defines. */
export interface DefaultExport {
  reading: ToolReading | undefined;
  /** The entry points of a workflow tool, in source order; exactly one unless there are findings. */
  entries: EntryProperty[];
  /** Functions that a definition other than a workflow tool refers to by name, with that definition's factory. */
  handlers: { fn: t.FunctionDeclaration; owner: string }[];
  /** The range within which `"use workflow"` means EVE1008, and whose it is. */
  plain: { owner: string; nodes: Node[] } | undefined;
  findings: Located[];
}

const FACTORIES: Record<string, Record<string, ToolFactory>> = {
  "eve/tools": {
    defineWorkflowTool: "defineWorkflowTool",
    defineTool: "defineTool",
    disableTool: "disableTool",
    defineDynamic: "defineDynamic",
  },
  "eve/tools/workflow": { workflow: "workflow" },
  "eve/tools/agent-router": { agentRouter: "agentRouter" },
};

/** The eve factory that a call calls, by binding: renamed imports, namespaces and constants are seen through. */
export function factoryOf(call: Node, top: TopLevel): { factory: ToolFactory; name: string } | undefined {
  if (call.type !== "CallExpression" && call.type !== "OptionalCallExpression") return undefined;
  const link = importedValue(call.callee, top);
  if (link === undefined || !/^eve(?:\/|$)/.test(link.specifier)) return undefined;
  return { factory: FACTORIES[link.specifier]?.[link.imported] ?? "other", name: link.imported };
}

/** Reads the default export of a module. */
export function readDefaultExport(top: TopLevel, role: ModuleRole, program: Node): DefaultExport {
  const result: DefaultExport = {
    reading: undefined,
    entries: [],
    handlers: [],
    plain: undefined,
    findings: [],
  };
  if (top.defaultExport === undefined) {
    if (role !== "tool") return result;
    const fromEve = top.defaultFrom !== undefined && top.defaultFrom.specifier.startsWith("eve/");
    if (fromEve) return result;
    result.findings.push(
      top.defaultFrom === undefined
        ? { range: { start: program.start ?? 0, end: program.start ?? 0 }, finding: noDefaultExport() }
        : { range: { start: program.start ?? 0, end: program.start ?? 0 }, finding: notATool() },
    );
    return result;
  }
  const value = resolveValue(top.defaultExport, top);
  const made = factoryOf(value, top);
  if (made !== undefined && (value.type === "CallExpression" || value.type === "OptionalCallExpression")) {
    readCall(value, made, top, result);
  } else if (value.type === "ObjectExpression") {
    result.reading = { factory: "object", ...rangeOf(value) };
    result.plain = { owner: "object", nodes: [value] };
    readHandlers(value, "object", top, result);
    if (role === "tool") result.findings.push({ range: rangeOf(value), finding: notATool() });
  } else if (role === "tool" && !fromEve(value, top)) {
    result.findings.push({ range: rangeOf(top.defaultExport), finding: notATool() });
  }
  return result;
}

function fromEve(value: Node, top: TopLevel): boolean {
  return /^eve(?:\/|$)/.test(importedValue(value, top)?.specifier ?? "");
}

function readCall(
  call: t.CallExpression | t.OptionalCallExpression,
  made: { factory: ToolFactory; name: string },
  top: TopLevel,
  result: DefaultExport,
): void {
  const reading: ToolReading = { factory: made.factory, ...rangeOf(call) };
  result.reading = reading;
  if (made.factory === "defineWorkflowTool") {
    const definition = readDefinition(call, top);
    result.entries = definition.entries;
    result.findings.push(...definition.findings);
    const entry = definition.entries[0];
    if (entry) readEntry(entry, reading);
    if (definition.properties) readDetails(definition.properties.named, reading, top);
    if (entry?.name === "serve") {
      const taken = reading.inputKeys?.find((key) => key.name === "taskId");
      if (taken) result.findings.push({ range: taken, finding: taskIdTaken() });
    }
    return;
  }
  const nodes: Node[] = [call];
  for (const argument of call.arguments) {
    const object = resolveValue(argument, top);
    if (object.type !== "ObjectExpression") continue;
    nodes.push(object);
    readHandlers(object, made.name, top, result);
    const { named } = readProperties(object, top);
    readDetails(named, reading, top);
    const execute = named.get("execute");
    const target = execute && readTarget(execute, top);
    if (execute === undefined || target?.kind !== "imported") continue;
    reading.entry = rangeOf(execute);
    readImportedTarget(target, reading);
  }
  result.plain = { owner: made.name, nodes };
}

function readEntry(entry: EntryProperty, reading: ToolReading): void {
  reading.entryPoint = entry.name;
  reading.entry = rangeOf(entry.property);
  readImportedTarget(entry.target, reading);
}

function readImportedTarget(target: EntryProperty["target"], reading: ToolReading): void {
  if (target.kind !== "imported") return;
  const { local, member } = target;
  reading.imported = member === undefined ? { local } : { local, member };
}

/** Names of options, descriptions and schemas, as far as they stand in the text. */
function readDetails(named: ReadonlyMap<string, t.ObjectMember>, reading: ToolReading, top: TopLevel): void {
  reading.options = [...named].map(([name, { key }]) => ({ name, ...rangeOf(key) }));
  const description = named.get("description");
  if (description?.type === "ObjectProperty") {
    const text = readConstant(description.value, top);
    if (typeof text === "string") reading.description = text;
  }
  const schema = named.get("inputSchema");
  if (schema?.type !== "ObjectProperty") return;
  reading.inputSchema = rangeOf(schema.value);
  const literal = readConstant(schema.value, top);
  if (literal !== NOT_CONSTANT) reading.inputSchemaLiteral = literal;
  const keys = readSchemaKeys(schema.value, top);
  if (keys) reading.inputKeys = keys;
}

/** Functions of the module that a plain definition names: `defineTool({ execute: run })`. */
function readHandlers(object: t.ObjectExpression, owner: string, top: TopLevel, result: DefaultExport): void {
  for (const property of readProperties(object, top).named.values()) {
    if (property.type !== "ObjectProperty") continue;
    const value = resolveValue(unwrap(property.value), top);
    const fn = value.type === "Identifier" ? top.functions.get(value.name) : undefined;
    if (fn) result.handlers.push({ fn, owner });
  }
}

/** Which entry point of the tool a function is. */
export type EntryPoints = ReadonlyMap<FunctionNode, { name: EntryPointName; property: t.ObjectMember }>;

/** The inline entry points of a tool, by function. */
export function inlineEntryPoints(entries: readonly EntryProperty[]): EntryPoints {
  const map = new Map<FunctionNode, { name: EntryPointName; property: t.ObjectMember }>();
  for (const { name, property, target } of entries) {
    if (target.kind === "inline") map.set(target.fn, { name, property });
  }
  return map;
}
