import { expect, test } from "vitest";

test("the generator is ChaCha20 of RFC 8439, with a 16-byte key used twice", async () => {
  const { randomWords } = await import("./random.js");
  const next = randomWords("00".repeat(16), 0);
  // Test vector 1 of RFC 8439, A.1: an all-zero key, counter and nonce.
  const bytes = new Uint8Array(Uint32Array.from({ length: 16 }, next).buffer);
  expect(Buffer.from(bytes).toString("hex")).toBe(
    "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7" +
      "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
  );
});
