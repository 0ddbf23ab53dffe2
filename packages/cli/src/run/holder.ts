import type { App } from "../app/locate.js";
import { UsageError } from "../errors.js";

/** The process that holds the data folder, over its loopback address. */
export interface Holder {
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
}

/** The holder, if the folder is taken and its holder listens. Undefined: try to take the folder. */
export async function reachHolder(app: App): Promise<Holder | undefined> {
  const { isFolderLocked, readLockHolder } = await import("@eve/runtime");
  if (!isFolderLocked(app.data)) return undefined;
  const holder = readLockHolder(app.data);
  if (holder?.url === undefined || holder.control === undefined) return undefined;
  const { url, control } = holder;
  return {
    get: (path) => request(url, control, path),
    post: (path, body) => request(url, control, path, body),
  };
}

async function request(url: string, control: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(new URL(path, url), {
    headers: { authorization: `Bearer ${control}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { error?: { code: string; message: string } };
  if (!response.ok) throw new UsageError(answer.error?.message ?? `${url} answered ${response.status}.`);
  return answer;
}
