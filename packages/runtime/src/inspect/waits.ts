import type { LogEntry } from "../log/types.js";
import type { OperationKey } from "../replay/protocol.js";
import { iso } from "./list.js";
import type { WaitReport } from "./types.js";

/** What the run waited for, in the order in which it began to. */
export function reportWaits(
  entries: readonly LogEntry[],
  place: (site: string) => string | undefined,
): WaitReport[] {
  const waits = new Map<OperationKey, WaitReport>();
  const at = (site: string) => {
    const found = place(site);
    return found === undefined ? {} : { at: found };
  };
  const end = (key: OperationKey, time: number, status: WaitReport["status"]) => {
    const wait = waits.get(key);
    if (wait) Object.assign(wait, { status, endedAt: iso(time) });
    return wait;
  };
  for (const { at: time, event } of entries) {
    switch (event.type) {
      case "sleep-created": {
        const { key, until, site } = event;
        waits.set(key, {
          kind: "sleep",
          key,
          status: "open",
          ...at(site),
          createdAt: iso(time),
          until: iso(until),
        });
        break;
      }
      case "sleep-fired":
        end(event.key, time, "done");
        break;
      case "hook-created": {
        const { key, token, webhook, url, site } = event;
        waits.set(key, {
          kind: webhook ? "webhook" : "hook",
          key,
          status: "open",
          ...at(site),
          createdAt: iso(time),
          token,
          ...(url === undefined ? {} : { url }),
          payloads: 0,
        });
        break;
      }
      case "hook-received": {
        const wait = waits.get(event.key);
        if (wait) wait.payloads = (wait.payloads ?? 0) + 1;
        break;
      }
      case "hook-disposed":
        end(event.key, time, "done");
        break;
      case "hook-conflict":
        end(event.key, time, "withdrawn");
        break;
      case "ask-created": {
        const { key, requestId, request, site } = event;
        waits.set(key, {
          kind: "question",
          key,
          status: "open",
          ...at(site),
          createdAt: iso(time),
          requestId,
          request: JSON.parse(request),
        });
        break;
      }
      case "ask-resolved": {
        const answer = JSON.parse(event.answer) as { status: string };
        const wait = end(event.key, time, answer.status === "answered" ? "done" : "withdrawn");
        if (wait) wait.answer = answer;
        break;
      }
      case "run-ended":
        for (const wait of waits.values()) {
          if (wait.status === "open") Object.assign(wait, { status: "withdrawn", endedAt: iso(time) });
        }
        break;
      default:
    }
  }
  return [...waits.values()];
}
