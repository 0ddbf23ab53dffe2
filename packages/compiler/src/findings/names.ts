import { diagnosticAt } from "../diagnostics/diagnostic.js";
import type { NameProblem } from "../discovery/agent-files.js";
import { functionId, moduleId } from "../ids/index.js";
import type { SourceModule } from "../graph/source-module.js";
import { relativePath } from "../resolve/identity.js";
import { duplicateId, illegalToolName, reservedToolName, takenToolName } from "../rules/index.js";
import type { Diagnostic } from "../types.js";

/** Path-derived names that can't be used (EVE1103), at the first line of their file. */
export function nameFindings(problems: readonly NameProblem[], root: string): Diagnostic[] {
  return problems.map(({ kind, name, file, other }) => {
    const finding =
      kind === "taken"
        ? takenToolName(name, relativePath(root, other ?? file))
        : kind === "reserved"
          ? reservedToolName(name)
          : illegalToolName(name);
    return diagnosticAt(relativePath(root, file), [0], { start: 0, end: 0 }, finding);
  });
}

/** Functions that share an id (EVE1101); each but the first is reported, with a note that names the first. */
export function duplicateIds(modules: readonly SourceModule[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  const first = new Map<string, { file: string; line: number; column: number }>();
  for (const { file, identity, analysis } of modules) {
    for (const { kind, name, start, line, column } of analysis.directives) {
      const id = functionId(kind, moduleId(identity), name);
      const other = first.get(id);
      if (other === undefined) first.set(id, { file, line, column });
      else {
        const range = { start, end: start };
        const note = { message: "the other one", ...other };
        const finding = duplicateId(id, file, other.file);
        found.push({
          ...diagnosticAt(file, analysis.lines, range, finding, [note]),
          line,
          column,
          endLine: line,
          endColumn: column,
        });
      }
    }
  }
  return found;
}
