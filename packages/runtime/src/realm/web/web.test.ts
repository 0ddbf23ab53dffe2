import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluate } from "../../replay/testing/bodies.js";

/** The same code in a body and in Node has to give the same. */
async function sameAsNode(code: string): Promise<void> {
  const inNode = (await new Function(`return (async () => { ${code} })()`)()) as unknown;
  expect(evaluate(code)).toEqual(inNode);
}

describe("as in Node", () => {
  test.each([
    `const u = new URL("../c?q=1#h", "https://user:pw@example.org:8443/a/b"); return [u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash, String(u), JSON.stringify({ u })];`,
    `const u = new URL("http://a/b?x=1"); u.searchParams.append("y", "ä &"); u.hash = "z"; u.pathname = "/p q"; u.search = "?k=v&k=w"; const all = u.searchParams.getAll("k"); u.port = "99"; return [u.href, all, u.searchParams.size];`,
    `return [URL.canParse("x"), URL.canParse("x", "http://a"), new URL("HTTP://EXAMPLE.org:80/%7Ea").href, new URL("http://münchen.de").hostname];`,
    `try { new URL("no"); } catch (e) { return [e instanceof TypeError, e.code, e.input]; }`,
    `const p = new URLSearchParams("a=1&b=2&a=3&c=%20+"); p.set("a", "9"); p.delete("b"); p.append("é", "ü"); p.sort(); return [String(p), [...p], p.has("a", "9"), p.has("a", "1"), [...p.keys()], [...p.values()], p.get("none")];`,
    `return [String(new URLSearchParams({ a: 1, b: "x y" })), String(new URLSearchParams([["a", "b"]])), String(new URLSearchParams("?q=%E4"))];`,
    `const h = new Headers([["B", "1"], ["a", " 2 "], ["Set-Cookie", "x=1"], ["set-cookie", "y=2"], ["b", "3"]]); h.append("c", "4"); h.delete("a"); const seen = []; h.forEach((v, k) => seen.push(k + v)); return [[...h], h.get("B"), h.has("A"), h.getSetCookie(), seen, [...h.keys()], [...h.values()], h.get("none")];`,
    `return [["a b", "1"], ["a", "\\n1\\n2"], ["", "1"], ["a", "\\u0100"]].map(([k, v]) => { try { new Headers([[k, v]]); return "fine"; } catch (e) { return e instanceof TypeError; } });`,
    `const r = new Response("hi", { status: 404, headers: { a: "b" } }); const c = r.clone(); return [r.ok, r.status, await r.text(), r.bodyUsed, await c.text(), await r.text().catch((e) => e instanceof TypeError), r.headers.get("content-type")];`,
    `const r = Response.json({ a: [1] }, { status: 201 }); return [await r.json(), r.headers.get("content-type"), r.status];`,
    `return [new Response().body, await new Response().text(), await new Response(null).bytes?.() instanceof Uint8Array, (await new Response(new Uint8Array([1, 2, 3]).subarray(1)).arrayBuffer()).byteLength, await new Response(new URLSearchParams({ a: "b c" })).text()].filter((x) => x !== false && x !== true);`,
    `return [199, 600, "x", 204].map((status) => { try { new Response("body", { status }); return "fine"; } catch (e) { return e.constructor.name; } });`,
    `const q = new Request("http://a/b", { method: "post", body: "x", headers: { "X-A": "1" } }); const d = new Request(q, { method: "PUT", headers: { b: "2" } }); return [q.method, q.url, q.headers.get("x-a"), d.method, d.headers.get("b"), d.headers.get("x-a"), q.headers.get("content-type")];`,
    `return [() => new Request("http://a", { body: "x" }), () => new Request("nope"), () => Response.redirect("http://a", 200)].map((f) => { try { f(); return "fine"; } catch (e) { return e.constructor.name; } });`,
    `const r = Response.redirect("http://a/b", 301); return [r.status, r.headers.get("location")];`,
    `const text = "aä€😀\\ud800x"; const bytes = new TextEncoder().encode(text); const into = new Uint8Array(6); return [[...bytes], new TextDecoder().decode(bytes), new TextEncoder().encodeInto(text, into), [...into]];`,
    `const d = new TextDecoder(); const bytes = new TextEncoder().encode("\\ufeff€😀é"); let out = ""; for (const byte of bytes) out += d.decode(new Uint8Array([byte]), { stream: true }); out += d.decode(); return [out, out.length];`,
    `return [new TextDecoder("latin1").encoding, new TextDecoder("utf-16le").decode(new Uint8Array([65, 0, 172, 32])), new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array([239, 187, 191, 65])).length, new TextDecoder().decode(new Uint8Array([239, 187, 191, 65])).length];`,
    `const out = []; for (const f of [() => new TextDecoder("nope"), () => new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255]))]) try { f(); } catch (e) { out.push(e.constructor.name); } return out;`,
    `return [btoa("hello ÿ"), atob("aGVsbG8g/w=="), atob(" aGk "), (() => { try { btoa("€"); } catch (e) { return [e.name, e.code]; } })(), (() => { try { atob("%"); } catch (e) { return [e.name, e.code]; } })()];`,
    `const e = new DOMException("m", "AbortError"); return [e.name, e.message, e.code, e instanceof Error, String(e), Object.prototype.toString.call(e), new DOMException().name];`,
    `const t = new EventTarget(); const log = []; const f = () => log.push("f"); t.addEventListener("x", f); t.addEventListener("x", f); t.addEventListener("x", { handleEvent(e) { log.push(e.type, e.target === t, this !== t); } }, { once: true }); const c = new AbortController(); t.addEventListener("x", () => log.push("signal"), { signal: c.signal }); t.dispatchEvent(new Event("x")); c.abort(); t.removeEventListener("x", f); const fine = t.dispatchEvent(new Event("x", { cancelable: true })); t.addEventListener("y", (e) => { e.preventDefault(); e.stopImmediatePropagation(); }); t.addEventListener("y", () => log.push("never")); return [log, fine, t.dispatchEvent(new Event("y", { cancelable: true }))];`,
    `const c = new AbortController(); const log = []; c.signal.onabort = () => log.push("on"); c.signal.addEventListener("abort", () => log.push("listener")); const any = AbortSignal.any([new AbortController().signal, c.signal]); any.addEventListener("abort", () => log.push("any")); c.abort("why"); c.abort("again"); return [log, c.signal.reason, any.aborted, any.reason, AbortSignal.abort(1).reason, AbortSignal.any([AbortSignal.abort(2)]).reason, (() => { try { new AbortSignal(); } catch (e) { return e.name; } })()];`,
    `const a = { n: 1, d: new Date(5), r: /x/g, m: new Map([["k", new Set([1])]]), b: new Uint8Array([1, 2]), big: 5n, list: [1, , 3], nested: { u: undefined }, boxed: Object("s"), e: new RangeError("r", { cause: 1 }) }; a.self = a; const c = structuredClone(a); return [c !== a, c.self === c, c.d, c.r, c.m, c.b, c.big, c.list.length, 1 in c.list, c.nested, typeof c.boxed, c.e instanceof RangeError, c.e.message, c.e.cause, Object.getPrototypeOf(structuredClone(new (class X { y = 1 })())) === Object.prototype];`,
    `return [() => 1, Symbol("s"), { f() {} }, Promise.resolve(), new WeakMap()].map((v) => { try { structuredClone(v); return "fine"; } catch (e) { return [e.name, e.code]; } });`,
    `const out = []; queueMicrotask(() => out.push("micro")); await Promise.resolve(); await null; try { queueMicrotask(1); } catch (e) { out.push(e instanceof TypeError); } return out;`,
    `return [typeof Symbol.dispose, typeof Symbol.asyncDispose, URL.name, Headers.name, Request.name, AbortSignal.name, DOMException.name, Object.prototype.toString.call(new Headers()), Object.prototype.toString.call(new AbortController())];`,
    `return [globalThis.hasOwnProperty("URL"), typeof URL, "fetch" in globalThis, Object.keys(globalThis).includes("URL")];`,
  ])("%#", async (code) => {
    await sameAsNode(code);
  });

  test("UTF-8", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary" }), { maxLength: 20 }),
        fc.uint8Array({ maxLength: 40 }),
        (texts, bytes) => {
          const [encoded, decoded] = evaluate(
            "return [args[0].map((text) => new TextEncoder().encode(text)), new TextDecoder().decode(args[1])];",
            { args: [texts, bytes] },
          ) as [Uint8Array[], string];
          expect(encoded).toEqual(texts.map((text) => new TextEncoder().encode(text)));
          expect(decoded).toBe(new TextDecoder().decode(bytes));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("other than in Node", () => {
  test("bodies of messages have no streams, and say what to use", () => {
    expect(evaluate(`try { return new Response("x").body; } catch (e) { return e.message; }`)).toContain(
      "use text(), json()",
    );
    expect(
      evaluate(`try { return new Response(new ReadableStream()); } catch (e) { return e.message; }`),
    ).toContain("ReadableStream");
    expect(evaluate(`return await new Response("a=b").formData().catch((e) => e.message);`)).toContain(
      "URLSearchParams",
    );
  });
});
