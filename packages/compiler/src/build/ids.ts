import path from "node:path";
import { driftFindings, presentIds } from "../findings/drift.js";
import { formatLock, LOCK_FILE, readLock } from "../ids-lock/index.js";
import { replaceFile } from "../publish/replace-file.js";
import { sortDiagnostics, summarise, type Summary } from "../reporters/order.js";
import type { Diagnostic } from "../types.js";
import { membersOf, mergeDiagnostics } from "./workspace.js";
import { CompilerError, shownPath } from "./compiler-error.js";
import { resolveOptions, type CheckOptions } from "./options.js";

/** What `lockIds` and `checkIds` found. */
export interface IdsResult {
  ok: boolean;
  /** Absolute app root. */
  root: string;
  diagnostics: Diagnostic[];
  summary: Summary;
  /** Ids (without versions) that weren't locked before, sorted. */
  added: string[];
  /** Locked ids that no function has any more, sorted; only `lockIds` drops them. */
  removed: string[];
  /** Absolute path of the lock file; for a workspace, of its folder: every member has its own file. */
  file: string;
}

/**
 * Writes `eve.ids.json` with the present ids; aliases that still lead somewhere stay. With findings of severity
 * error nothing is written.
 * @throws CompilerError `BAD_IDS_LOCK`, `OUTPUT_UNWRITABLE`
 */
export function lockIds(options: CheckOptions): Promise<IdsResult> {
  return eachMember(options, lockApp);
}

/**
 * Compares the present ids with `eve.ids.json`: findings EVE1104 for ids that vanished; new ids are fine and
 * listed in `added`.
 * @throws CompilerError `BAD_IDS_LOCK` when there is no lock file, or a broken one.
 */
export function checkIds(options: CheckOptions): Promise<IdsResult> {
  return eachMember(options, checkApp);
}

async function eachMember(
  options: CheckOptions,
  one: (options: CheckOptions) => Promise<IdsResult>,
): Promise<IdsResult> {
  const workspace = membersOf(options.root);
  if (workspace === undefined) return one(options);
  const { root } = workspace;
  const results: IdsResult[] = [];
  for (const member of workspace.members) results.push(await one({ ...options, root: member }));
  const diagnostics = mergeDiagnostics(root, results);
  const summary = summarise(diagnostics);
  const ids = (key: "added" | "removed"): string[] =>
    results.flatMap((result) => result[key].map((id) => `${path.basename(result.root)}/${id}`));
  return {
    ok: summary.errors === 0,
    root,
    diagnostics,
    summary,
    added: ids("added"),
    removed: ids("removed"),
    file: root,
  };
}

async function lockApp(options: CheckOptions): Promise<IdsResult> {
  const { compile } = await import("./compile.js");
  const { context, diagnostics } = await compile(resolveOptions({ ...options, frozenIds: false }));
  const { root, store } = context.session;
  const file = path.join(root, LOCK_FILE);
  const summary = summarise(diagnostics);
  if (summary.errors > 0) return { ok: false, root, diagnostics, summary, added: [], removed: [], file };
  const present = [...presentIds(store.analysed()).keys()].sort();
  const old = readLock(root)?.lock;
  const before = [...(old?.workflows ?? []), ...(old?.steps ?? [])];
  const aliases = Object.entries(old?.aliases ?? {}).filter(
    ([from, to]) => present.includes(to) && !present.includes(from),
  );
  const text = formatLock({
    version: 1,
    workflows: present.filter((id) => id.startsWith("workflow//")),
    steps: present.filter((id) => id.startsWith("step//")),
    aliases: Object.fromEntries(aliases),
  });
  replaceFile(file, text);
  const added = present.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !present.includes(id)).sort();
  return { ok: true, root, diagnostics, summary, added, removed, file };
}

async function checkApp(options: CheckOptions): Promise<IdsResult> {
  const { compile } = await import("./compile.js");
  const { context, diagnostics: found } = await compile(resolveOptions({ ...options, frozenIds: false }));
  const { root, store } = context.session;
  const file = path.join(root, LOCK_FILE);
  const locked = readLock(root);
  if (locked === undefined) {
    throw new CompilerError("BAD_IDS_LOCK", `There is no ${LOCK_FILE} in ${shownPath(root)}.`, {
      help: "Run eve ids lock and commit the file.",
    });
  }
  const drift = driftFindings(store.analysed(), locked);
  const errors = found.filter(({ severity }) => severity === "error");
  const diagnostics = sortDiagnostics([...errors, ...drift.diagnostics]);
  const summary = summarise(diagnostics);
  const present = presentIds(store.analysed());
  const removed = [...locked.lock.workflows, ...locked.lock.steps].filter((id) => !present.has(id)).sort();
  return { ok: summary.errors === 0, root, diagnostics, summary, added: drift.added, removed, file };
}
