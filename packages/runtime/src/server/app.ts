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
  /** Told of errors that are the server's own. */
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
    return failure(error, c, onError);
  });

  return app;
}

/** Nobody reads the answer to a request whose client is gone; the status is the one proxies use for it. */
const CLIENT_GONE = 499;

function failure(error: Error, c: Context, onError: AppOptions["onError"]): Response {
  if (c.req.raw.signal.aborted) return new Response(null, { status: CLIENT_GONE });
  const own = error instanceof RuntimeError;
  const status = own ? STATUS[error.code] : undefined;
  if (status === undefined) onError?.(error);
  // Webhooks are open to anybody: what went wrong in here, and in which files, is nobody's business there.
  if (c.req.path.startsWith(`${WEBHOOK_PATH}/`)) {
    const text = status === undefined ? "The request failed." : error.message;
    return c.json({ error: text, ok: false }, status ?? 500);
  }
  const code = own ? error.code : "INTERNAL";
  // What isn't one of our own errors may hold anything, so its text stays in this process.
  const message = own ? error.message : "The request failed; the server's log says why.";
  return c.json({ error: { code, message } }, status ?? 500);
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
