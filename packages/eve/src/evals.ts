/** Models for tests and examples: no network, no key. */

interface MockModel {
  readonly specificationVersion: "v3";
  readonly provider: string;
  readonly modelId: string;
  readonly supportedUrls: Record<string, never>;
  doGenerate(): Promise<object>;
  doStream(): Promise<{ stream: ReadableStream<object> }>;
}

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};
const finishReason = { unified: "stop", raw: "stop" };

/** A language model (AI SDK specification v3) that answers every prompt with `reply`. */
export function mockModel(reply: string): MockModel {
  const parts = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: reply },
    { type: "text-end", id: "0" },
    { type: "finish", finishReason, usage },
  ];
  return {
    specificationVersion: "v3",
    provider: "eve-mock",
    modelId: "mock",
    supportedUrls: {},
    doGenerate: async () => ({ content: [{ type: "text", text: reply }], finishReason, usage, warnings: [] }),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      }),
    }),
  };
}
