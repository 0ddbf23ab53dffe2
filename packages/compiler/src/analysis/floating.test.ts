import { describe, expect, test } from "vitest";
import { analyse } from "../testing/analyse.js";

describe("promises that nobody waits for", () => {
  /** What becomes of the calls of `call`, in source order. */
  function fates(text: string): string[] {
    const { units, diagnostics } = analyse(`${text}\nasync function call(..._: unknown[]) { "use step"; }`);
    expect(diagnostics).toEqual([]);
    return units
      .flatMap(({ uses }) => uses)
      .filter(({ name }) => name === "call")
      .map(({ floating }) =>
        floating === undefined ? "-" : "name" in floating ? `in ${floating.name}` : floating.how,
      );
  }
  const inside = (text: string): string => `async function f(p?: unknown, q?: any) { ${text} }`;

  test.each<[string, string[]]>([
    ["const a = call();", ["in a"]],
    ["const a: Promise<void> = (call() as Promise<void>)!;", ["in a"]],
    ["let a; a = call();", ["in a"]],
    ["p = call();", ["in p"]],
    ["var a = p ? call() : call();", ["in a", "in a"]],
    ["const a = call(), b = call(a);", ["-", "in b"]],
    ["const a = call(); { const a = 1; q(a); }", ["in a"]],
    ["const a = call(); type A = typeof a;", ["in a"]],
    ["const a = call().then(q);", ["in a"]],
    ["let a = call(); await a; a = call();", ["-", "in a"]],
    ["let a; a = call(a);", ["in a"]],
    ["let a; a = call(() => a);", ["-"]],
    ["let a; for (;;) { await a; a = call(); }", ["-"]],
    ["let a; do { await a; } while ((a = call()));", ["-"]],
    ["let a; const g = () => a; a = call(); return g;", ["-"]],
    ["let a; const g = async () => { await a; a = call(); }; return g;", ["-"]],
    ["const a = call(); return { a };", ["-"]],
    ["const a = call(); return q`${a}`;", ["-"]],
    ["const a = call(); q(a);", ["-"]],
    ["let a = call(); a ??= call(); ", ["-", "-"]],
    ["let a = (q.b = call());", ["-"]],
    ["const [a] = [call()];", ["-"]],
    ["const { a } = await call() as any;", ["-"]],
    ["await using a = call() as any;", ["-"]],
    ["const a = void call();", ["-"]],
    ["call().then(q);", ["chain"]],
    ["p && call()?.catch(() => 1);", ["chain"]],
    ["call().finally(q).then(q);", ["chain"]],
    ["void call().catch(q);", ["-"]],
    ["await call().catch(q);", ["-"]],
    ["return call().then(q);", ["-"]],
    ["q(call().then(q));", ["-"]],
    ["call().toString();", ["-"]],
    ["return new Promise((done) => { call().then(done); });", ["-"]],
    ["const d = q(); call().then((x: any) => d.resolve(x)); return d.promise;", ["-"]],
    ["(call(), call());", ["statement", "statement"]],
    ["return (call(), call());", ["statement", "-"]],
    ["for (call(); ; call()) break;", ["statement", "statement"]],
    ["q.forEach((x: any) => call(x));", ["for-each"]],
    ["q.forEach((x: any) => { return call(x); });", ["for-each"]],
    ["q.forEach(async (x: any) => { const r = await call(x); return r; });", ["for-each"]],
    ["q.forEach(async (x: any) => { const r = call(x); await r; });", ["for-each"]],
    ["q.forEach(async (x: any) => { const r = call(x); p = [r]; });", ["-"]],
    ["q.forEach((x: any) => q.push(call(x)));", ["-"]],
    ["q.forEach(async (x: any) => { q.push(call(x)); });", ["-"]],
    ["q.forEach(async (x: any) => void call(x));", ["-"]],
    ["q.map(async (x: any) => await call(x));", ["-"]],
  ])("%s", (text, expected) => {
    expect(fates(inside(text))).toEqual(expected);
  });

  test("variables of the module may be read by others", () => {
    expect(fates("let a; async function f() { a = call(); }")).toEqual(["in a"]);
    expect(fates("export let a: any; async function f() { a = call(); }")).toEqual(["-"]);
    expect(fates("let a: any; async function f() { a = call(); }\nexport { a as b };")).toEqual(["-"]);
    expect(fates("let a: any; async function f() { await a; a = call(); }")).toEqual(["-"]);
    expect(fates("namespace N { export const a = call(); }")).toEqual(["-"]);
    expect(fates("namespace N { export let a: any; export async function f() { a = call(); } }")).toEqual([
      "-",
    ]);
  });

  test("questions are told by where the context comes from", () => {
    const asks = (text: string): number => analyse(text).units.flatMap((unit) => unit.asks ?? []).length;
    const body = (params: string, text: string): string =>
      `import type { WorkflowToolContext } from "eve/tools";\nexport async function f(${params}) { "use workflow"; ${text} }`;
    expect(asks(body("i: any, ctx: any", "ctx.ask({}); ctx['ask']({});"))).toBe(2);
    expect(asks(body("i: any, { ask: question }: any", "question({});"))).toBe(1);
    expect(
      asks(body("i: any, c: any", "const x = c; const { ask } = x; const a = x.ask({}); ask({});")),
    ).toBe(2);
    expect(asks(body("i: any, ctx: any", "[1].forEach(async () => { await ctx.ask({}); });"))).toBe(1);
    expect(asks(body("ctx: any", "ctx.ask({});"))).toBe(0);
    expect(asks(body("i: any, ctx: any", "await ctx.ask({}); void ctx.ask({}); return ctx.ask({});"))).toBe(
      0,
    );
    expect(
      asks(body("i: any, ctx: any", "{ const ctx = i; ctx.ask({}); } ctx.other.ask({}); ctx.ask;")),
    ).toBe(0);
    expect(asks(`${body("", "")}\nfunction g(c: WorkflowToolContext) { c.ask({ prompt: "" }); }`)).toBe(1);
    expect(
      asks("interface WorkflowToolContext { ask(): void }\nfunction g(c: WorkflowToolContext) { c.ask(); }"),
    ).toBe(0);
  });
});
