import type { GlobalName } from "./names.js";

/**
 * The emitted pieces of the portable ABI. Each is a line of plain JavaScript that refers to nothing but globals and the
 * function it is about.
 */

/**
 * Stands for a step in the workflow bundle: hoisted, with the author's name, taking any number of arguments. With `placed`
 * it hands on its `this`, which `markCalls` makes the place of the call. It is the third argument: the second is that of
 * the Workflow SDK, whose own runtime reads no third one.
 */
export function stepProxy(name: string, id: string, global: GlobalName, placed: boolean): string {
  const key = `globalThis[${global("Symbol")}.for("WORKFLOW_USE_STEP")]`;
  const given = JSON.stringify(id) + (placed ? ", undefined, this" : "");
  return `async function ${name}(...args) { return ${key}(${given})(...args); }`;
}

/** Marks a step's proxy with its id, so that a reference to it can cross to the step side. */
export function markStep(name: string, id: string): string {
  return `${name}.stepId = ${JSON.stringify(id)};`;
}

/** Registers a workflow's body in the workflow bundle. */
export function registerWorkflow(name: string, id: string, global: GlobalName): string {
  const text = JSON.stringify(id);
  const map = `(globalThis.__private_workflows ??= new ${global("Map")}())`;
  return `${name}.workflowId = ${text}; ${map}.set(${text}, ${name});`;
}

/** Registers a step's function in the step bundle. */
export function registerStep(name: string, id: string, global: GlobalName): string {
  const text = JSON.stringify(id);
  const key = `globalThis[${global("Symbol")}.for("@workflow/core//registeredSteps")]`;
  return `(${key} ??= new ${global("Map")}()).set(${text}, ${name}); ${name}.stepId = ${text};`;
}

/** Registers a class that can be written to the log, in either bundle. */
export function registerClass(name: string, id: string, global: GlobalName): string {
  const text = JSON.stringify(id);
  const key = `globalThis[${global("Symbol")}.for("workflow-class-registry")]`;
  const mark = `${global("Object")}.defineProperty(${name}, "classId", { value: ${text} });`;
  return `${mark} (${key} ??= new ${global("Map")}()).set(${text}, ${name});`;
}

/** Stands for a workflow's body in the step bundle. */
export function workflowStub(name: string, shown: string, generator: boolean, global: GlobalName): string {
  const message =
    `"${shown}" is a workflow and can't be called directly: start it with start() from "workflow/api", ` +
    `or call the tool that it belongs to.`;
  const star = generator ? "*" : "";
  return `async function${star} ${name}() { throw new ${global("Error")}(${JSON.stringify(message)}); }`;
}

export function markWorkflow(name: string, id: string): string {
  return `${name}.workflowId = ${JSON.stringify(id)};`;
}

/** Gives a function that had to be named the name that JavaScript would have given it. */
export function renameFunction(name: string, shown: string, global: GlobalName): string {
  return `${global("Object")}.defineProperty(${name}, "name", { value: ${JSON.stringify(shown)}, configurable: true });`;
}

/** The property of a tool definition in the step bundle: it carries the id, and its body can't be called. */
export function entryStub(name: string, id: string, generator: boolean, global: GlobalName): string {
  const stub = workflowStub(name, name, generator, global);
  return `${name}: ${global("Object")}.assign(${stub}, { workflowId: ${JSON.stringify(id)} })`;
}
