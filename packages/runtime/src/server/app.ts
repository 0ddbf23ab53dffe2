import { timingSafeEqual } from "node:crypto";
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import type { Engine } from "../engine/engine.js";
import { RuntimeError } from "../errors/base.js";
import { listRuns } from "../inspect/list.js";
import { showRun } from "../inspect/show.js";
import { resultJson } from "./json.js";
import { WEBHOOK_PATH } from "./paths.js";

export interface AppOptions {
  /** Asked for each request: the engine may be replaced while the server goes on. */
  engine(): Engine;
  /** Told of errors that the client only sees as INTERNAL. */
  onError?: (error: Error) => void;
  /** What commands of the same user show to be let in to `/eve/v1/runs`. */
  control: string;
  /** Largest body of a webhook request, in bytes. Default 4 MiB. */
  maxBody?: number;
}

const MAX_BODY = 4 * 1024 * 1024;

const inputs = z.strictObject({
  inputResponses: z
    .array(
      z.strictObject({ requestId: z.string(), optionId: z.string().optional(), text: z.string().optional() }),
    )
    .min(1),
});
const cancellation = z.strictObject({ reason: z.string().optional() });

/** The HTTP status of an error's code; anything else is an internal error. */
const STATUS: Record<string, 400 | 404 | 409 | 413> = {
  RUN_NOT_FOUND: 404,
  QUESTION_NOT_PENDING: 409,
  RUN_ENDED: 409,
  INVALID_ANSWER: 400,
  VALUE_TOO_LARGE: 413,
};

/** The routes of the engine: webhooks for anybody, runs for who knows the control word, health. */
export function createApp({ engine, control, maxBody = MAX_BODY, onError }: AppOptions): Hono {
  const app = new Hono();

  app.get("/eve/v1/health", (c) => c.json({ ok: true }));

  app.all(
    `${WEBHOOK_PATH}/:token`,
    bodyLimit({
      maxSize: maxBody,
      onError: (c) => c.json({ error: `The body is larger than ${maxBody} bytes.`, ok: false }, 413),
    }),
    async (c) => await engine().resumeWebhook(c.req.param("token") ?? "", c.req.raw),
  );

  app.use("/eve/v1/runs/*", async (c, next) => (isLetIn(c, control) ? await next() : denied(c)));
  app.use("/eve/v1/runs", async (c, next) => (isLetIn(c, control) ? await next() : denied(c)));

  app.get("/eve/v1/runs", async (c) => c.json(await listRuns(engine().store)));

  app.get("/eve/v1/runs/:id", async (c) => c.json(await showRun(engine().store, c.req.param("id"))));

  app.post("/eve/v1/runs/:id/inputs", async (c) => {
    const { inputResponses } = inputs.parse(await c.req.json());
    for (const { requestId, optionId, text } of inputResponses) {
      await engine().answer(c.req.param("id"), requestId, {
        ...(optionId === undefined ? {} : { optionId }),
        ...(text === undefined ? {} : { text }),
      });
    }
    return c.json({ ok: true });
  });

  app.post("/eve/v1/runs/:id/cancel", async (c) => {
    const text = await c.req.text();
    const { reason } = cancellation.parse(text === "" ? {} : JSON.parse(text));
    const result = await engine().cancelAndWait(c.req.param("id"), reason === undefined ? {} : { reason });
    return c.json(resultJson(result));
  });

  app.notFound((c) =>
    c.json({ error: { code: "NOT_FOUND", message: `There is nothing at ${c.req.path}.` } }, 404),
  );

  app.onError((error, c) => {
    if (error instanceof z.ZodError || error instanceof SyntaxError) {
      const [issue] = error instanceof z.ZodError ? error.issues : [];
      const message = issue ? `${issue.path.join(".") || "body"}: ${issue.message}` : error.message;
      return c.json({ error: { code: "INVALID_REQUEST", message } }, 400);
    }
    const code = error instanceof RuntimeError ? error.code : "INTERNAL";
    if (code === "INTERNAL") onError?.(error);
    // What isn't one of our own errors may hold anything, so its text stays in this process.
    const message =
      error instanceof RuntimeError ? error.message : "The request failed; the server's log says why.";
    return c.json({ error: { code, message } }, STATUS[code] ?? 500);
  });

  return app;
}

function isLetIn(c: Context, control: string): boolean {
  const given = Buffer.from(c.req.header("authorization") ?? "");
  const wanted = Buffer.from(`Bearer ${control}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

const denied = (c: Context) =>
  c.json(
    {
      error: { code: "UNAUTHORIZED", message: "This needs the control word of the data folder's lock file." },
    },
    401,
  );
