import type { App } from "../app/locate.js";
import { UsageError } from "../errors.js";

/** The process that holds the data folder, over its loopback address. */
export interface Holder {
  post(path: string, body: unknown): Promise<unknown>;
}

/** The holder, if the folder is taken and its holder listens. Undefined: try to take the folder. */
export async function reachHolder(app: App): Promise<Holder | undefined> {
  const { isFolderLocked, readLockHolder } = await import("@eve/runtime");
  if (!isFolderLocked(app.data)) return undefined;
  const holder = readLockHolder(app.data);
  if (holder?.url === undefined || holder.control === undefined) return undefined;
  const { url, control, pid } = holder;
  return { post: (path, body) => post({ url, control, pid }, path, body) };
}

async function post(
  { url, control, pid }: { url: string; control: string; pid: number },
  path: string,
  body: unknown,
): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(new URL(path, url), {
      method: "POST",
      headers: { authorization: `Bearer ${control}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch (error) {
    throw new UsageError(
      `Process ${pid}, which works on these runs, doesn't answer on ${url}. Try again; if it has ended, this command does the work itself.`,
      { cause: error },
    );
  }
  const answer = (await response.json()) as { error?: { code: string; message: string } };
  if (!response.ok) throw new UsageError(answer.error?.message ?? `${url} answered ${response.status}.`);
  return answer;
}
