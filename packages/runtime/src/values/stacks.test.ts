import { describe, expect, test } from "vitest";
import { createHostCodec } from "./host.js";
import { mapStack, tellErrors, type ErrorTexts } from "./stacks.js";

const texts: ErrorTexts = {
  mapStack: (stack) => stack.replaceAll("/srv/b/server.mjs", "lib/a.ts"),
  withoutFolders: (text) => text.replaceAll("/srv/b/", ""),
};
const codec = createHostCodec();

describe("a mapped stack", () => {
  const thrown = { name: "Error", message: "no" };

  test.each([
    [
      "has the title and mapped frames",
      "Error: no\n    at f (/srv/b/server.mjs:1:2)",
      "Error: no\n    at f (lib/a.ts:1:2)",
    ],
    ["may have no frames", "Error: no", "Error: no"],
    [
      "may have more than frames",
      "Error: no\nCaused by X: y\n    at f (x.ts:1:2)",
      "Error: no\nCaused by X: y\n    at f (x.ts:1:2)",
    ],
    ["has the present title", "TypeError: no\n    at f (x.ts:1:2)", "Error: no\n    at f (x.ts:1:2)"],
    [
      "leaves out what V8 says of a syntax error in front",
      "/srv/b/broken.cjs:1\nfoo bar\n    ^^^\n\nSyntaxError: Unexpected\n    at f (x.ts:1:2)",
      "Error: no\n    at f (x.ts:1:2)",
    ],
    ["keeps a text of somebody's own", "it was /srv/b/x", "it was x"],
  ])("%s", (_, stack, expected) => expect(mapStack(stack, thrown, texts)).toBe(expected));

  test("keeps lines of the message that look like frames", () => {
    const message = "Failures:\n    at /path/that/matters: broken";
    const dropping: ErrorTexts = { ...texts, mapStack: (stack) => stack.replace(/^\s+at .*$/gm, "") };
    expect(mapStack(`Error: ${message}\n    at f (x:1:2)`, { name: "Error", message }, dropping)).toBe(
      `Error: ${message}`,
    );
  });
});

describe("errors in an encoded value", () => {
  test("are told without reviving anything", () => {
    const error = Object.assign(new TypeError("in /srv/b/x", { cause: new RangeError("why") }), {
      list: ["Error", 1],
    });
    error.stack = "TypeError: in /srv/b/x\n    at f (/srv/b/server.mjs:1:2)";
    (error.cause as Error).stack = "RangeError: why\n    at /srv/b/server.mjs:3:4";
    const text = codec.encode(error, "error");
    const told = codec.decode(tellErrors(text, texts)) as TypeError & { list: unknown };
    expect(told).toBeInstanceOf(TypeError);
    expect(told.message).toBe("in x");
    expect(told.stack).toBe("TypeError: in x\n    at f (lib/a.ts:1:2)");
    expect((told.cause as Error).stack).toBe("RangeError: why\n    at lib/a.ts:3:4");
    expect(told.list).toEqual(["Error", 1]);
  });

  test("may hold instances of classes that aren't there", () => {
    const point = `["Instance",5]`;
    const text = `[["Error",1],{"name":2,"message":3,"stack":4,"data":6},"Error","no","Error: no\\n    at /srv/b/server.mjs:1:1",{},{"p":7},${point}]`;
    expect(tellErrors(text, texts)).toContain("at lib/a.ts:1:1");
    expect(tellErrors(text, texts)).toContain(point);
  });

  test("share their texts with other values, which stay as they are", () => {
    const stack = "Error: a /srv/b/x\n    at /srv/b/server.mjs:1:1";
    const error = Object.assign(new Error("a /srv/b/x"), { copy: stack, message2: "a /srv/b/x" });
    error.stack = stack;
    const told = codec.decode(tellErrors(codec.encode(error, "error"), texts));
    expect(told).toMatchObject({ message: "a x", copy: stack, message2: "a /srv/b/x" });
  });

  test.each(["1", '"text"', "[1,2]", "[{}]", '[["Error",1],{}]'])(
    "%s holds none that says anything",
    (text) => expect(() => tellErrors(text, texts)).not.toThrow(),
  );
});
