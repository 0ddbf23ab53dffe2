import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { start, STEP_A } from "../replay/testing/bodies.js";
import { createHostCodec, SerializationError, type HostValues } from "./index.js";

const codec = createHostCodec();
const copy = (value: unknown) => codec.decode(codec.encode(value, "value"));

/** Everything a value may be made of. */
const leaf = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.double(),
  fc.boolean(),
  fc.bigInt(),
  fc.constantFrom<unknown>(null, undefined, -0, Number.NaN, Number.POSITIVE_INFINITY),
  fc.date(),
  fc.webUrl().map((url) => new URL(url)),
  fc.uint8Array(),
  fc.float64Array(),
  fc.bigInt64Array(),
  fc.constantFrom(/a+/gi, /<\/script>/u),
);
const key = fc.string().filter((name) => name !== "__proto__");
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    fc.array(fc.tuple(tie("value"), tie("value")), { maxLength: 3 }).map((pairs) => new Map(pairs)),
    fc.array(tie("value"), { maxLength: 3 }).map((items) => new Set(items)),
  ),
}));

describe("values", () => {
  test("come back as they were", () => {
    fc.assert(
      fc.property(value, (original) => {
        expect(copy(original)).toEqual(original);
      }),
    );
  });

  test("come back as they were through a body", () => {
    fc.assert(
      fc.property(value, (original) => {
        const body = start("async function main(value) { return await a(value); }", { args: [original] });
        const { args } = body.operations[0] as { args: string };
        expect(codec.decode(args)).toEqual([original]);
        body.resolve(`${STEP_A}#0`, original);
        expect(body.output()).toEqual(original);
      }),
      { numRuns: 60 },
    );
  });

  test("have one text only, whichever realm encodes them", () => {
    fc.assert(
      fc.property(value, (original) => {
        const text = codec.encode([original], "args");
        const body = start("async function main(value) { await a(value); }", { args: [original] });
        expect((body.operations[0] as { args: string }).args).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  test("keep cycles and shared references", () => {
    const shared = { n: 1 };
    const cycle: { self?: unknown; list: unknown[] } = { list: [shared, shared] };
    cycle.self = cycle;
    const back = copy(cycle) as typeof cycle;
    expect(back.self).toBe(back);
    expect(back.list[0]).toBe(back.list[1]);
  });

  test("of a view carry only the bytes it shows", () => {
    const secret = new TextEncoder().encode("secret-payload-secret");
    const text = codec.encode(secret.subarray(7, 14), "value");
    expect(text).not.toContain(Buffer.from("secret").toString("base64").slice(0, 6));
    expect(new TextDecoder().decode(codec.decode(text) as Uint8Array)).toBe("payload");
    expect(copy(new DataView(new ArrayBuffer(8), 2, 3))).toEqual(new DataView(new ArrayBuffer(3)));
    expect(copy(Buffer.from("pool"))).toEqual(new Uint8Array(Buffer.from("pool")));
    expect(copy(new Float32Array([1, 2, 3]).subarray(1))).toEqual(new Float32Array([2, 3]));
  });
});

describe("errors", () => {
  class FatalError extends Error {
    override name = "FatalError";
    readonly fatal = true;
  }
  const withClasses = createHostCodec({ errors: { FatalError } });

  test("keep name, message, stack, cause and own data, and get their class back", () => {
    const error = Object.assign(new FatalError("no", { cause: new RangeError("deep") }), {
      code: "E",
      at: new Date(5),
    });
    const back = withClasses.decode(withClasses.encode(error, "error")) as typeof error;
    expect(back).toBeInstanceOf(FatalError);
    expect(back).toMatchObject({
      name: "FatalError",
      message: "no",
      fatal: true,
      code: "E",
      at: new Date(5),
    });
    expect(back.stack).toBe(error.stack);
    expect(back.cause).toBeInstanceOf(RangeError);
    expect(Object.keys(back).sort()).toEqual(["at", "code", "fatal"]);
    const unknown = codec.decode(withClasses.encode(error, "error")) as Error;
    expect(unknown).toMatchObject({ name: "FatalError", fatal: true });
    expect(Object.prototype.toString.call(unknown)).toBe("[object Error]");
  });

  test("keep the errors of an AggregateError and the name of a DOMException", () => {
    const aggregate = copy(new AggregateError([new TypeError("a"), "b"], "all failed")) as AggregateError;
    expect(aggregate).toBeInstanceOf(AggregateError);
    expect(aggregate.errors).toEqual([new TypeError("a"), "b"]);
    const abort = copy(new DOMException("stop", "AbortError")) as DOMException;
    expect(abort).toBeInstanceOf(DOMException);
    expect([abort.name, abort.message, abort.code]).toEqual(["AbortError", "stop", 20]);
  });

  test("can be carried whatever hangs on them", () => {
    const error = Object.assign(new Error("request failed"), {
      status: 502,
      request: { send: () => 1 },
      self: undefined as unknown,
      nested: { error: new Error("inner") },
      symbol: Symbol("s"),
    });
    error.self = error;
    error.cause = error;
    expect(copy(error)).toMatchObject({ message: "request failed", status: 502 });
    expect(Object.keys(copy(error) as object)).toEqual(["status"]);
    const one: Error & { cause?: unknown } = new Error("one");
    one.cause = new Error("two", { cause: one });
    expect(copy(one)).toMatchObject({ message: "one" });
  });

  test("survive the way into a body and out again with their class", () => {
    const body = start(
      `class FatalError extends Error { name = "FatalError"; fatal = true; }
      globalThis[Symbol.for("eve.errors")] = { FatalError };
      async function main() {
        try { await a(); } catch (error) { if (!(error instanceof FatalError)) return "not mine"; throw error; }
      }`,
    );
    body.reject(`${STEP_A}#0`, Object.assign(new FatalError("stop"), { order: 7 }));
    expect(body.error()).toMatchObject({ name: "FatalError", message: "stop", fatal: true, order: 7 });
  });
});

describe("classes that serialise themselves", () => {
  const SERIALIZE = Symbol.for("workflow-serialize");
  const DESERIALIZE = Symbol.for("workflow-deserialize");
  class Money {
    static classId = "class//./lib/money//Money";
    static [SERIALIZE] = ({ cents }: Money) => ({ cents });
    static [DESERIALIZE] = ({ cents }: { cents: number }) => new Money(cents);
    readonly cents: number;
    constructor(cents: number) {
      this.cents = cents;
    }
  }
  const values: HostValues = { classes: new Map([[Money.classId, Money]]) };

  test("come back as instances", () => {
    const money = createHostCodec(values);
    const back = money.decode(money.encode({ total: new Money(5) }, "value")) as { total: Money };
    expect(back.total).toBeInstanceOf(Money);
    expect(back.total.cents).toBe(5);
  });

  test("come back as instances of the body's class", () => {
    const body = start(
      `class Money {
        constructor(cents) { this.cents = cents; }
        static [S("workflow-serialize")](money) { return { cents: money.cents }; }
        static [S("workflow-deserialize")](data) { return new Money(data.cents); }
      }
      Money.classId = "class//./lib/money//Money";
      (globalThis[S("workflow-class-registry")] ??= new Map()).set(Money.classId, Money);
      async function main() { const money = await a(new Money(5)); return [money instanceof Money, money.cents]; }`,
    );
    const money = createHostCodec(values);
    const [sent] = money.decode((body.operations[0] as { args: string }).args) as [Money];
    expect(sent).toBeInstanceOf(Money);
    body.pump({ type: "resolve", key: `${STEP_A}#0`, value: money.encode(new Money(9), "result") });
    expect(body.output()).toEqual([true, 9]);
  });

  test("say what is missing", () => {
    class NoId {
      readonly cents = 1;
      static [SERIALIZE] = () => ({});
    }
    expect(() => codec.encode([new NoId()], "args")).toThrow(/the class NoId has no id/);
    const text = createHostCodec(values).encode(new Money(1), "value");
    expect(() => codec.decode(text)).toThrow(/class\/\/\.\/lib\/money\/\/Money isn't part of this bundle/);
  });
});

describe("what can't be carried", () => {
  test.each<[string, unknown, string]>([
    ["a function", { user: { save() {} } }, "args[0].user.save is a function"],
    ["a symbol", [Symbol("s")], "args[0][0] is a symbol"],
    ["a promise", Promise.resolve(), "args[0] is a promise: await it first"],
    [
      "a key that needs quotes",
      { "a b": { c: new WeakSet() } },
      'args[0]["a b"].c is a WeakSet, which can\'t be carried',
    ],
    ["a map's value", new Map([["k", () => 1]]), 'args[0].get("k") is a function'],
    [
      "an instance",
      new (class Cart {
        readonly items = 1;
      })(),
      "args[0] is an instance of class Cart: pass plain data",
    ],
    ["a symbol key", { [Symbol("s")]: 1 }, "args[0] has a key that is a symbol"],
    [
      "a getter that throws",
      Object.defineProperty({}, "x", { enumerable: true, get: () => JSON.parse("{") as unknown }),
      "args can't be carried: ",
    ],
  ])("is named with its place: %s", (_, value, message) => {
    let error: unknown;
    try {
      codec.encode([value], "args");
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(SerializationError);
    expect(error).toMatchObject({
      code: "SERIALIZATION_FAILED",
      message: expect.stringContaining(message) as string,
    });
  });

  test("a list of billions of holes is refused at once", async () => {
    const list: unknown[] = [];
    list[4_000_000_000] = 1;
    const says = "args can't be carried: a list has 4000000001 elements";
    expect(() => codec.encode([list], "args")).toThrow(says);
    await expect(codec.encodeAsync({ list }, "args")).rejects.toThrow(says);
    const sparse: unknown[] = [];
    sparse[9] = 1;
    expect(codec.decode(codec.encode([sparse], "args"))).toEqual([sparse]);
  });

  test("is refused the same way in async encoding", async () => {
    await expect(codec.encodeAsync([{ f() {} }], "result")).rejects.toThrow("result[0].f is a function");
    await expect(codec.encodeAsync([Promise.resolve(1)], "result")).rejects.toThrow("result[0] is a promise");
  });

  test.each(["", "{", "[]", "[[9]]", '[["Nope",1],1]', "7", '[["Error"]]'])(
    "damaged text %s is refused",
    (text) => {
      expect(() => codec.decode(text)).toThrow(expect.objectContaining({ code: "VALUE_FORMAT" }) as Error);
    },
  );
});
