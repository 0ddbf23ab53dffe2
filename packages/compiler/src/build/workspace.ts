import { realpathSync } from "node:fs";
import path from "node:path";
import { isFolder } from "../discovery/files.js";
import { layoutOf, workspaceMembers } from "../discovery/find-root.js";
import type { Manifest } from "../manifest/manifest.js";
import { rebaseDiagnostics, sortDiagnostics } from "../reporters/order.js";
import type { Diagnostic } from "../types.js";

/**
 * The apps that a root stands for: the members of an agent workspace when the root holds no agent itself, else
 * nothing (the root is the app).
 */
export function membersOf(root: string): { root: string; members: string[] } | undefined {
  if (!isFolder(root) || layoutOf(root) !== undefined) return undefined;
  const real = realpathSync(root);
  const members = workspaceMembers(real);
  return members.length === 0 ? undefined : { root: real, members };
}

/** Findings of members with paths as seen from the workspace. */
export function mergeDiagnostics(
  root: string,
  results: readonly { root: string; diagnostics: Diagnostic[] }[],
): Diagnostic[] {
  return sortDiagnostics(
    results.flatMap(({ root: member, diagnostics }) => rebaseDiagnostics(diagnostics, member, root)),
  );
}

/** One manifest of all members; every key has the member's name before it, `kitchen/…`. */
export function mergeManifests(results: readonly { root: string; manifest: Manifest }[]): Manifest {
  const merged: Manifest = { version: 1, workflows: {}, steps: {}, tools: {}, agents: {} };
  for (const { root, manifest } of results) {
    const prefix = `${path.basename(root)}/`;
    for (const table of ["workflows", "steps", "tools", "agents"] as const) {
      for (const [key, value] of Object.entries(manifest[table]))
        Object.assign(merged[table], { [prefix + key]: value });
    }
  }
  return merged;
}
