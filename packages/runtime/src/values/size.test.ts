import { describe, expect, test } from "vitest";
import { hostEnvironment } from "../steps/environment.js";
import { createCodec } from "./codec.js";

const LIMIT = 10_000;
const unused = (): never => {
  throw new Error("not asked here");
};
const codecOf = (maxSize: number) =>
  createCodec(
    hostEnvironment({
      runId: "r",
      signals: { get: unused } as never,
      recordedAbort: unused,
      maxSize,
      openStream: unused,
      describeStream: () => undefined,
      errorTexts: () => undefined,
      authorization: { getToken: unused, requireAuth: unused },
    }),
  );
const codec = codecOf(LIMIT);
const endless = (): Response =>
  new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024)) }));

describe("a value beyond the limit is refused before it is put together", () => {
  test.each<[string, () => unknown]>([
    ["a text in an object", () => ({ text: "x".repeat(LIMIT) })],
    ["many small things", () => Array.from({ length: LIMIT }, (_, id) => ({ id }))],
    ["bytes", () => new Uint8Array(LIMIT)],
    ["a gigabyte", () => ({ bytes: new Uint8Array(2 ** 30) })],
    ["a buffer", () => [new ArrayBuffer(LIMIT)]],
    ["a body", () => new Response("x".repeat(LIMIT + 1))],
    ["a body without an end", endless],
    ["a body without an end, inside", () => ({ response: endless() })],
  ])("%s", async (_, value) => {
    const refused = {
      code: "VALUE_TOO_LARGE",
      message: expect.stringContaining(`more than ${LIMIT} characters`),
    };
    await expect((async () => await codec.encodeAsync(value(), "result"))()).rejects.toMatchObject(refused);
  });

  test("and one below it isn't, however often the same text is in it", async () => {
    const text = "x".repeat(LIMIT / 2);
    const value = { list: Array.from({ length: 100 }, () => text), bytes: new Uint8Array(LIMIT / 4) };
    expect(codec.decode(await codec.encodeAsync(value, "result"))).toEqual(value);
  });

  test("nor does another value that is encoded meanwhile count", async () => {
    let send = (): void => undefined;
    const body = new ReadableStream({
      start(controller) {
        send = () => {
          controller.enqueue(new Uint8Array(LIMIT / 4));
          controller.close();
        };
      },
    });
    const slow = codec.encodeAsync({ response: new Response(body) }, "result");
    codec.encode({ text: "x".repeat(LIMIT - 100) }, "result");
    await codec.encodeAsync({ text: "x".repeat(LIMIT - 100), more: new Response("y") }, "result");
    send();
    const { response } = codec.decode(await slow) as { response: Response };
    expect((await response.arrayBuffer()).byteLength).toBe(LIMIT / 4);
  });

  test("what hangs on an error and is too large is left out; the error is carried", () => {
    const error = Object.assign(new Error("no"), { big: { text: "x".repeat(LIMIT + 1) }, small: 1 });
    const back = codec.decode(codec.encode(error, "error")) as Record<string, unknown>;
    expect(back).toMatchObject({ message: "no", small: 1 });
    expect(back["big"]).toBeUndefined();
  });

  test("a list of 300,000 objects is encoded within the time of a test", () => {
    const rows = Array.from({ length: 300_000 }, (_, id) => ({ id }));
    expect(codecOf(Infinity).encode(rows, "result").length).toBeGreaterThan(rows.length);
  });
});
