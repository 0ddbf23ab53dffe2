import { describe, expect, test } from "vitest";
import { codec, evaluate, start, STEP_A } from "../replay/testing/bodies.js";

describe("a body", () => {
  test("reaches no object of the host through anything it is given", async () => {
    const request = new Request("http://x/", { method: "POST", body: "ping" });
    const body = start(
      `async function main(arg, headers) {
        const seen = new Set();
        const found = [];
        const here = Function.prototype;
        function visit(value, path) {
          if ((typeof value !== "object" || value === null) && typeof value !== "function") return;
          if (seen.has(value) || path.length > 12) return;
          seen.add(value);
          // Every object leads to the Object.prototype of its realm.
          let root = value;
          for (let next = Object.getPrototypeOf(root); next !== null; next = Object.getPrototypeOf(next)) root = next;
          if (root !== Object.prototype && Object.getOwnPropertyNames(root).includes("hasOwnProperty")) found.push(path.join("."));
          for (const key of Reflect.ownKeys(value)) {
            const property = Object.getOwnPropertyDescriptor(value, key);
            if (property.get) { visit(property.get, [...path, String(key), "get"]); try { visit(value[key], [...path, String(key)]); } catch (e) { visit(e, [...path, String(key), "thrown"]); } }
            visit(property.value, [...path, String(key)]);
          }
          visit(Object.getPrototypeOf(value), [...path, "[[Prototype]]"]);
        }
        for (const key of Reflect.ownKeys(globalThis)) visit(globalThis[key], ["globalThis", String(key)]);
        const hook = createHook();
        const errors = [];
        for (const work of [
          () => new URL("no url"), () => new TextDecoder("nope"), () => atob("%"), () => structuredClone(() => 1),
          () => new Headers([["a"]]), () => setTimeout(), () => require("fs"), () => fetch("x"), () => createHook({ token: "" }),
          () => new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255])), () => JSON.parse("{"),
          () => new Intl.DateTimeFormat("xx-invalid-locale-that-is-long"), () => crypto.getRandomValues(new Float64Array(1)),
          () => sleep("x"), () => a(() => 1), () => { let deep = () => deep() + 1; return deep(); }, () => { let deep = () => { try { return createHook(), deep(); } catch (e) { throw e; } }; return deep(); },
        ]) { try { await work(); } catch (error) { errors.push(error); } }
        errors.push(await crypto.subtle.digest("x").catch((e) => e));
        const stack = (() => { const old = Error.prepareStackTrace; Error.prepareStackTrace = (e, frames) => frames; const frames = new Error().stack; return frames; })();
        visit([arg, headers, hook, errors, stack, await a().catch((e) => e), await hook, new URL("http://a/b?c#d").searchParams, new Date(), getWorkflowMetadata(), Reflect, Promise.reject(1).catch(() => 1), (async () => {})(), import.meta === undefined], ["values"]);
        return { found, errors: errors.length, all: errors.every((e) => e instanceof Error), sameFunction: here === Function.prototype };
      }`.replace(", import.meta === undefined", ""),
      {
        args: [
          { url: new URL("http://a/"), when: new Date(), map: new Map([[1, new Uint8Array(2)]]) },
          new Headers({ a: "b" }),
        ],
      },
    );
    body.pump({ type: "payload", key: "hook#0", value: await codec.encodeAsync(request, "p") });
    const first = body.operations.find(({ op }) => op === "step") as { key: string };
    body.reject(first.key, Object.assign(new TypeError("no"), { data: { at: new Date() } }));
    expect(body.output()).toEqual({ found: [], errors: 18, all: true, sameFunction: true });
  });

  test("can't get out with the usual tricks", () => {
    expect(
      evaluate(`
      const tricks = [
        () => this.constructor.constructor("return process")(),
        () => globalThis.constructor.constructor("return process")(),
        () => createHook().constructor.constructor("return process")(),
        () => new URL("http://a").constructor.constructor("return process")(),
        () => { try { new URL(""); } catch (e) { return e.constructor.constructor("return process")(); } },
        () => Reflect.get(console.log, "constructor")("return process")(),
        () => globalThis[Symbol.for("WORKFLOW_SLEEP")].constructor("return process")(),
        () => (function f() { return f.caller; })().constructor("return process")(),
        () => eval("process"),
      ];
      const names = [];
      for (const trick of tricks) { try { names.push(typeof (await trick())); } catch (e) { names.push(e instanceof Error ? e.name : "foreign"); } }
      return names;`),
    ).toEqual(Array.from({ length: 9 }, () => "ReferenceError"));
  });

  test("gets errors of its own realm from operations at the end of its stack", () => {
    expect(
      evaluate(`
      let foreign = 0;
      const note = (error) => { if (!(error instanceof Error)) foreign += 1; };
      for (const work of [() => createHook(), () => new URL("http://a/b"), () => new TextDecoder("latin1").decode(new Uint8Array(3)), () => console.log({ a: 1 }), () => structuredClone({ a: 1 })]) {
        const deep = () => { try { return deep(); } catch (error) { note(error); try { work(); } catch (inner) { note(inner); } throw error; } };
        try { deep(); } catch (error) { note(error); }
      }
      return foreign;`),
    ).toBe(0);
  });

  test("lacks what a replay can't repeat", () => {
    expect(
      evaluate(
        `return ["WeakRef", "FinalizationRegistry", "SharedArrayBuffer", "WebAssembly", "process", "Buffer", "global", "setImmediateX"].map((name) => typeof globalThis[name] + (name in globalThis)).concat(typeof Atomics.waitAsync, typeof Atomics.wait);`,
      ),
    ).toEqual([...Array.from({ length: 8 }, () => "undefinedfalse"), "undefined", "undefined"]);
  });

  test.each([
    [
      "setTimeout(() => 1, 5)",
      /^setTimeout\(\) isn't available in a workflow body, which is replayed\. Use `await sleep/,
    ],
    ["setInterval(() => 1, 5)", /^setInterval\(\) .* sleep/],
    ["setImmediate(() => 1)", /^setImmediate\(\) .* sleep/],
    ['fetch("http://x")', /^fetch\(\) .* "use step"/],
    ['require("fs")', /^require\("fs"\) .*steps/],
    ["AbortSignal.timeout(5)", /^AbortSignal\.timeout\(\) .*sleep/],
    ['await crypto.subtle.digest("SHA-256", new Uint8Array(1))', /^crypto\.subtle\.digest\(\) .*"use step"/],
    ["new WritableStream()", /^new WritableStream\(\) .*"use step"/],
    ["new ReadableStream()", /^new ReadableStream\(\) .*"use step"/],
  ])("that calls %s is told what to do instead", (code, message) => {
    const error = start(`async function main() { return ${code}; }`).error();
    expect(error.message).toMatch(message);
    expect(error).toMatchObject({ name: "WorkflowUsageError", code: "WORKFLOW_USAGE" });
    expect(error.stack).toContain("eve:/workflow.cjs:11");
  });

  test.each(["process.env.HOME", "Buffer.from('a')", "__dirname", "new WeakRef({})"])(
    "that reads %s learns why it isn't there",
    (code) => {
      const error = start(`async function main() { return ${code}; }`).error();
      expect(error.name).toBe("ReferenceError");
      expect(error.message).toMatch(/is not defined in a workflow body, which is replayed\. [A-Z].*\.$/);
      expect(error.stack?.split("\n")[0]).toBe(`ReferenceError: ${error.message}`);
      expect(evaluate("return typeof process;")).toBe("undefined");
    },
  );

  test("has values of its own realm", () => {
    const body = start(
      `async function main(input) {
        const result = await a();
        return [input instanceof Object, input.list instanceof Array, input.when instanceof Date, input.map instanceof Map, input.bytes instanceof Uint8Array, input.url instanceof URL, input.error instanceof TypeError, result instanceof Set, new DOMException("x") instanceof Error, new AbortController().signal instanceof EventTarget];
      }`,
      {
        args: [
          {
            list: [],
            when: new Date(),
            map: new Map(),
            bytes: new Uint8Array(1),
            url: new URL("http://a"),
            error: new TypeError("x"),
          },
        ],
      },
    );
    body.resolve(`${STEP_A}#0`, new Set([1]));
    expect(body.output()).toEqual(Array.from({ length: 10 }, () => true));
  });

  test("is left alone by what it does to its globals", () => {
    const body = start(`async function main() {
      Object.prototype.polluted = 1;
      globalThis.JSON = undefined;
      Math.random = undefined;
      Promise.prototype.then.broken = true;
      await sleep(1);
      throw new Error("own fault");
    }`);
    body.resolve("sleep#0");
    expect(body.error().message).toContain("own fault");
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("shares nothing with the bodies before and after it, whether its context was made ahead or not", async () => {
    const source = `async function main() {
      const seen = [typeof globalThis.left, typeof Array.prototype.left];
      globalThis.left = Array.prototype.left = 1;
      return seen;
    }`;
    // The second directly after the first, the others after pauses in which a context is made ahead.
    for (const pause of [0, 0, 20, 20]) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      expect(start(source).output()).toEqual(["undefined", "undefined"]);
    }
  });
});
