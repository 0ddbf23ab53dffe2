import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { ServerType } from "@hono/node-server";
import type { Engine } from "../engine/engine.js";
import type { WebhookBase } from "../engine/options.js";
import { ListenError, PublicUrlError } from "../errors/server.js";
import type { Store } from "../store/types.js";
import { WEBHOOK_PATH } from "./paths.js";

export interface ServerOptions {
  /** Called for each request, so that the engine can be made with this server as its webhook base. */
  engine(): Engine;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default: any free one. */
  port?: number;
  /** `EVE_PUBLIC_URL`: what the world reaches this server by. */
  publicUrl?: string;
  maxBody?: number;
  /** Told of errors that are the server's own, never of what a client did wrong. */
  onError?: (error: Error) => void;
  /** Told where the server listens, for the data folder's lock file. */
  onListen?: (address: { url: string; control: string }) => void;
}

/** The engine's HTTP server; it listens from the first `open()` on. */
export interface EngineServer extends WebhookBase {
  /** Where it listens; undefined before. */
  address(): string | undefined;
  /**
   * Listens if a run of the store waits for a webhook. It tries the port that the webhook's recorded URL names, so
   * that an address given away before a restart stays good; that of `runId` where webhooks name several.
   */
  openIfAwaited(store: Store, runId?: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Makes a server without listening yet: `eve run` does so only when a webhook is created.
 * Throws `PublicUrlError` when `publicUrl` is no http(s) URL.
 */
export function createServer(options: ServerOptions): EngineServer {
  const { host = "127.0.0.1", publicUrl } = options;
  if (publicUrl !== undefined) checkPublicUrl(publicUrl);
  const control = randomBytes(24).toString("base64url");
  let server: ServerType | undefined;
  let address: string | undefined;
  let opening: Promise<string> | undefined;

  async function listen(port: number): Promise<string> {
    // Most runs never listen, so they don't load a server either.
    const [{ createAdaptorServer }, { createApp }] = await Promise.all([
      import("@hono/node-server"),
      import("./app.js"),
    ]);
    const app = createApp({
      engine: () => options.engine(),
      control,
      ...(options.onError ? { onError: options.onError } : {}),
      ...(options.maxBody === undefined ? {} : { maxBody: options.maxBody }),
    });
    const made = createAdaptorServer({ fetch: app.fetch });
    await new Promise<void>((resolve, reject) => {
      made.once("error", (error: Error) => reject(new ListenError(host, port, error)));
      made.listen(port, host, () => resolve());
    });
    server = made;
    const bound = made.address() as AddressInfo;
    address = `http://${bound.family === "IPv6" ? `[${bound.address}]` : bound.address}:${bound.port}`;
    options.onListen?.({ url: address, control });
    return publicUrl ?? address;
  }

  function open(port = options.port ?? 0): Promise<string> {
    if (!opening) {
      opening = listen(port);
      opening.catch(() => (opening = undefined));
    }
    return opening;
  }

  return {
    address: () => address,
    current: () => (address === undefined ? undefined : (publicUrl ?? address)),
    open: () => open(),

    async openIfAwaited(store, runId) {
      const own = runId === undefined ? [] : await store.hooks(runId);
      const hooks = [...own, ...(await store.hooks())];
      const urls = hooks.flatMap((hook) => (hook.url === undefined ? [] : [hook.url]));
      if (urls.length === 0) return;
      const earlier =
        options.port ?? urls.map((url) => localPort(url, host)).find((port) => port !== undefined);
      if (earlier === undefined) return void (await open());
      try {
        await open(earlier);
      } catch (error) {
        if (!(error instanceof ListenError) || options.port !== undefined) throw error;
        // The port is someone else's by now: a new address serves at least new webhooks.
        await open(0);
      }
    },

    async close() {
      await opening?.catch(() => undefined);
      const open = server;
      server = undefined;
      address = undefined;
      opening = undefined;
      if (!open) return;
      await new Promise<void>((resolve) => {
        open.close(() => resolve());
        if ("closeAllConnections" in open) open.closeAllConnections();
      });
    },
  };
}

/** Webhook addresses are this text with a path behind it. */
function checkPublicUrl(given: string): void {
  if (!URL.canParse(given)) throw new PublicUrlError(given, "is no URL");
  const { protocol, search, hash } = new URL(given);
  if (protocol !== "http:" && protocol !== "https:")
    throw new PublicUrlError(given, "doesn't begin with http:// or https://");
  if (search !== "" || hash !== "") throw new PublicUrlError(given, "has more behind its path");
}

/** The port of a webhook URL that names this host. */
function localPort(url: string, host: string): number | undefined {
  const { hostname, port, pathname } = new URL(url);
  if (hostname !== host || port === "" || !pathname.startsWith(WEBHOOK_PATH)) return undefined;
  return Number(port);
}
