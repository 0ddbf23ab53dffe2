import type { Verdict } from "../directives/judge.js";
import { positionAt } from "../parse/lines.js";
import { endOf, startOf, type FunctionNode, type Node } from "../parse/nodes.js";
import { skipToken } from "../parse/scan.js";
import { returnedShapes } from "../scope/values.js";
import type { DirectiveFunction, Unit } from "../types.js";
import type { EntryProperty } from "./definition.js";

/** Functions with a directive, in source order, and their index by node. */
export interface DirectiveFunctions {
  list: DirectiveFunction[];
  byNode: Map<FunctionNode, number>;
}

export function directiveFunctions(
  verdicts: readonly Verdict[],
  units: readonly Unit[],
  entries: readonly EntryProperty[],
  lines: readonly number[],
  text: string,
): DirectiveFunctions {
  const found: { fn: FunctionNode; data: DirectiveFunction }[] = [];
  for (const { owner, accepted, assumed } of verdicts) {
    const carried = accepted ?? assumed;
    if (owner === undefined || carried === undefined || owner.body.type !== "BlockStatement") continue;
    const entry = entries.find(({ target }) => target.kind === "inline" && target.fn === owner);
    const holder: Node = entry ? entry.property : owner;
    const unit = unitAt(units, startOf(holder), entry !== undefined);
    if (unit === undefined) continue;
    const { candidate, kind } = carried;
    const name = entry?.name ?? ("id" in owner ? owner.id?.name : undefined);
    const place = positionAt(
      lines,
      startOf(entry ? entry.property.key : ("id" in owner && owner.id) || owner),
    );
    const data: DirectiveFunction = {
      kind,
      name: name ?? "default",
      unit: unit.index,
      start: startOf(holder),
      end: endOf(holder),
      directiveStart: candidate.statementStart,
      directiveEnd: candidate.statementEnd,
      bodyStart: startOf(owner.body),
      bodyEnd: endOf(owner.body),
      line: place.line,
      column: place.column,
      generator: owner.generator === true,
      form: formOf(owner),
    };
    if (accepted === undefined) data.assumed = true;
    if (entry === undefined && name !== undefined) data.local = name;
    if (owner.type === "FunctionDeclaration" && !owner.id) data.nameAt = nameAt(owner, text);
    if (kind === "step") {
      const returns = returnedShapes(owner.body);
      if (returns.length > 0) data.returns = returns;
    }
    found.push({ fn: owner, data });
  }
  found.sort((a, b) => a.data.start - b.data.start);
  return {
    list: found.map(({ data }) => data),
    byNode: new Map(found.map(({ fn }, index) => [fn, index])),
  };
}

function unitAt(units: readonly Unit[], start: number, entryPoint: boolean): Unit | undefined {
  return units.find(
    (unit) => (unit.shape === "entry-point") === entryPoint && unit.start <= start && start < unit.end,
  );
}

function formOf(fn: FunctionNode): DirectiveFunction["form"] {
  switch (fn.type) {
    case "ObjectMethod":
      return "method";
    case "ArrowFunctionExpression":
      return "arrow";
    case "FunctionExpression":
      return "function-expression";
    default:
      return "declaration";
  }
}

/** Where an anonymous declaration takes a name: behind `async function` and the `*` of a generator. */
function nameAt(fn: FunctionNode, text: string): number {
  const afterAsync = skipToken(text, startOf(fn), "async") ?? startOf(fn);
  const afterFunction = skipToken(text, afterAsync, "function") ?? afterAsync;
  return skipToken(text, afterFunction, "*") ?? afterFunction;
}
