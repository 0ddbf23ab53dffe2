/**
 * What flows through the compiler. Analysis reads a source file once and produces plain data
 * (`ModuleAnalysis`, JSON-serialisable, so that it can be cached by content hash); everything after it
 * works on this data: rules judge it, slicing selects from it, `emitModule` turns it into the text of one mode.
 */

/** Which bundle a module is written for: replayed body code, or step code. */
export type Mode = "workflow" | "step";

export type Severity = "error" | "warning";

/** A place in an author's file. Offsets are UTF-16 units from the start of the file, BOM not counted. */
export interface Place {
  /** Path relative to the app root, `/` separators; `../…` when the file lies above the root. */
  file: string;
  /** 1-based. */
  line: number;
  /** 1-based, UTF-16 units. */
  column: number;
  endLine: number;
  endColumn: number;
}

export interface DiagnosticNote {
  message: string;
  file?: string;
  line?: number;
  column?: number;
}

/** One finding. `docs` is the anchor of the rule's description in `docs/rules.md`. */
export interface Diagnostic extends Place {
  /** Stable: `EVE1001` … */
  code: string;
  severity: Severity;
  message: string;
  notes: DiagnosticNote[];
  help?: string;
  docs: string;
}

/** A range of the source text. */
export interface Range {
  start: number;
  end: number;
}

export interface ImportedName {
  /** Name in the other module; `default`, or `*` for a namespace. */
  imported: string;
  /** Local binding; for re-exports, the exported name. */
  local: string;
  typeOnly: boolean;
  start: number;
  end: number;
}

/** One import or re-export declaration, or one `import()` / `require()` expression with a constant argument. */
export interface ModuleImport extends Range {
  kind: "import" | "reexport" | "export-all" | "dynamic" | "require";
  specifier: string;
  /** Place of the specifier string. */
  specifierStart: number;
  specifierEnd: number;
  names: ImportedName[];
  /** `import type …` / `export type …`: leaves no trace at run time. */
  typeOnly: boolean;
  /** `with { type: "json" }` → `{ type: "json" }`. */
  attributes: Record<string, string>;
  /** Index of the unit that holds it. */
  unit: number;
}

export interface ModuleExport {
  /** Exported name; `default` for the default export. */
  exported: string;
  /** Local binding it stands for; absent for re-exports and anonymous default exports. */
  local?: string;
  /** For re-exports: specifier and name there. */
  from?: { specifier: string; imported: string };
  unit: number;
}

/** A reference from a unit to a top-level binding of the same module (declaration or import). */
export interface BindingUse {
  name: string;
  start: number;
  end: number;
  /** It is the root of an assignment's target, of an update, or of a mutating call's receiver. */
  writes: boolean;
  /** Inside a function that is not run when the module is evaluated (a nested or declared function's body). */
  deferred: boolean;
}

/** A use of a name that nothing in the module binds: `process`, `fetch`, `Math.random` …, with its member path. */
export interface GlobalUse {
  /** `process.env`, `Date.now`, `new Date`, `import.meta`, `require`. */
  path: string;
  /** `call`, `new` or `read`. */
  use: "call" | "new" | "read";
  /** Number of arguments of a call or `new`. */
  args?: number;
  /** Only under `typeof`, which is safe on an unbound name. */
  typeofOnly?: boolean;
  start: number;
  end: number;
}

/**
 * The smallest thing slicing keeps or drops: a top-level statement, or the function of an inline entry
 * point, which lives inside the statement that defines the tool.
 */
export interface Unit extends Range {
  index: number;
  kind: "statement" | "import" | "export" | "entry-point";
  /** Top-level names it declares. */
  declares: string[];
  uses: BindingUse[];
  globals: GlobalUse[];
  /** Evaluating it may do something besides declaring (so esbuild alone wouldn't drop it). */
  effects: boolean;
  /** Erased with the types: interfaces, type aliases, `declare`, overload signatures. */
  typeOnly: boolean;
  /** Indices into `ModuleAnalysis.directives` of the functions this unit holds. */
  directives: number[];
}

/** A function that carries exactly one valid directive in a place that can carry it. */
export interface DirectiveFunction {
  kind: "workflow" | "step";
  /** Name part of its id: declared name, `execute`/`task`/`serve` for inline entry points, or `default`. */
  name: string;
  /** Local binding that holds the function; absent for inline entry points and anonymous default exports. */
  local?: string;
  unit: number;
  /** The function's own range (for a method: the method). */
  start: number;
  end: number;
  /** Body block, braces included. */
  bodyStart: number;
  bodyEnd: number;
  /** Parameter list, parentheses included. */
  paramsStart: number;
  paramsEnd: number;
  /** Place of the declared name (or of the function where it has none), for the manifest. */
  line: number;
  column: number;
  generator: boolean;
  form: "declaration" | "default-declaration" | "method" | "function-expression" | "arrow";
}

export type EntryPointName = "execute" | "task" | "serve";

/** What can be read of a file's default export without running it. */
export interface ToolReading {
  factory: "defineWorkflowTool" | "defineTool" | "disableTool" | "defineDynamic" | "workflow" | "agentRouter" | "other";
  /** The call `defineWorkflowTool(…)`. */
  start: number;
  end: number;
  entryPoint?: EntryPointName;
  /** Index into `directives` when the entry point is inline or a function of this module. */
  directive?: number;
  /** When the entry point is an imported function: the local binding of the import. */
  imported?: string;
  description?: string;
  /** The `inputSchema` property's value, for messages about it. */
  inputSchema?: Range;
  /** A plain JSON Schema object literal, when it is one. */
  inputSchemaLiteral?: unknown;
  /** Property names that could be read from an object schema (`z.object({…})` or JSON Schema). */
  inputKeys?: { name: string; start: number; end: number }[];
}

/** Everything the compiler knows of one source file. Pure function of (text, file name, analysis options). */
export interface ModuleAnalysis {
  /** Path relative to the app root (see `Place.file`). */
  file: string;
  hashbang: boolean;
  /** `use strict` and foreign directives at the top stay. */
  units: Unit[];
  imports: ModuleImport[];
  exports: ModuleExport[];
  directives: DirectiveFunction[];
  tool?: ToolReading;
  topLevelAwait?: Range;
  /** `// eve-ignore-next-line CODE -- reason` comments. */
  suppressions: { code: string; reason?: string; line: number; start: number; end: number }[];
  /** Findings that need this module alone. */
  diagnostics: Diagnostic[];
}

/** The part of a module that workflow mode keeps. */
export interface Slice {
  /** Indices of kept units, ascending. */
  units: number[];
  /** For each import/re-export (index into `analysis.imports`): names still needed; `*` for all of an `export *`. */
  imports: { index: number; names: string[] }[];
}

/** What a transform gives back. `map` is a standard source map (v3) from the output to the author's file. */
export interface EmittedModule {
  code: string;
  map: SourceMapV3;
}

export interface SourceMapV3 {
  version: 3;
  file?: string;
  sources: (string | null)[];
  sourcesContent?: (string | null)[];
  names: string[];
  mappings: string;
}
