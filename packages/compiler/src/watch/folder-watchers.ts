import { watch as watchFolder, type FSWatcher } from "node:fs";
import path from "node:path";
import { isFolder } from "../discovery/files.js";

/** Watches a changing set of folders; folders that don't exist are stood for by the nearest one above. */
export class FolderWatchers {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #onEvent: () => void;

  constructor(onEvent: () => void) {
    this.#onEvent = onEvent;
  }

  /** Watches exactly these folders from now on. */
  set(folders: Iterable<string>): void {
    const wanted = new Set([...folders].map(nearestFolder));
    for (const [folder, watcher] of this.#watchers) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of wanted) if (!this.#watchers.has(folder)) this.#add(folder);
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #add(folder: string): void {
    const watcher = watchFolder(folder, { persistent: true }, (_kind, name) => {
      // What the build itself writes lies in folders of that kind.
      if (name === null || !name.startsWith(".")) this.#onEvent();
    });
    watcher.on("error", () => {
      // The folder is gone: its parent's event or the next build says what that means.
      watcher.close();
      this.#watchers.delete(folder);
      this.#onEvent();
    });
    this.#watchers.set(folder, watcher);
  }
}

function nearestFolder(folder: string): string {
  let at = folder;
  while (!isFolder(at) && at !== path.dirname(at)) at = path.dirname(at);
  return at;
}
