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

/**
 * What kind of module a file is, by where discovery found it. Rules about default exports need it; a file
 * that is only imported is a `module`.
 */
export type ModuleRole = "tool" | "agent" | "instructions" | "channel" | "schedule" | "module";

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
  /** For `dynamic` and `require`: inside a function that isn't run when the module is evaluated. */
  deferred?: boolean;
}

export interface ModuleExport {
  /** Exported name; `default` for the default export, `export=` for TypeScript's `export = value`. */
  exported: string;
  /** Local binding it stands for; absent for re-exports and anonymous default exports. */
  local?: string;
  /** For re-exports: specifier and name there; `import` is the index into `ModuleAnalysis.imports`. */
  from?: { specifier: string; imported: string; import: number };
  /** Types only: leaves no trace at run time. */
  typeOnly: boolean;
  unit: number;
  start: number;
  end: number;
}

/** How a use may change what its binding holds; see `BindingUse.writes`. */
export type WriteKind = "assign" | "mutate" | "call";

/** A value that stands in the text where it would have to be written to the log. */
export interface ValueShape extends Range {
  /** `name` refers to a top-level binding, `new` is an instance of the class `name`. */
  kind: "function" | "symbol" | "new" | "name";
  name?: string;
  /** The constant that stands in the text; `kind` and `name` tell what it was initialised with. */
  constant?: string;
}

/** How it comes that nobody waits for the promise of a call. */
export type Floating =
  /** It is a statement of its own without `await` or `void`. */
  | { how: "statement" }
  /** That, with `.then(…)`, `.catch(…)` or `.finally(…)` behind it. */
  | { how: "chain"; method: string }
  /** It is kept in a variable that nothing reads afterwards. */
  | { how: "variable"; name: string }
  /** It is waited for in a callback of `forEach`, which doesn't wait itself. */
  | { how: "for-each" };

/** A reference from a unit to a top-level binding of the same module (declaration or import). */
export interface BindingUse {
  name: string;
  start: number;
  end: number;
  /** Member path behind the name, `ns.a.b` → `["a","b"]`; empty for the name itself. */
  path: string[];
  /**
   * The use is the root of something that may change the binding or what it holds: `assign` for a target of an
   * assignment, update, `delete` or loop head; `mutate` for a receiver of a known mutator (`push`, `set`, …) or the
   * first argument of `Object.assign` and its kin; `call` for the receiver of any other method call.
   */
  writes?: WriteKind;
  /** The binding itself is called (`fn()`, `` tag`…` ``, `new C()`). */
  called: boolean;
  /** Passed as an argument of a call that isn't one of `Object.assign` and its kin. */
  passed: boolean;
  /** Nobody waits for the call. */
  floating?: Floating;
  /** Arguments of the call that may not be serialisable. */
  values?: ValueShape[];
  /** Inside a function that is not run when the module is evaluated (a nested or declared function's body). */
  deferred: boolean;
}

/** A use of a name that nothing in the module binds: `process`, `fetch`, `Math.random` …, with its member path. */
export interface GlobalUse {
  /**
   * `process.env.HOME`, `Date.now`, `Date`, `import.meta.url`, `require`. Aliases are looked through
   * (`const now = Date.now; now()` is a call of `Date.now`), so is `globalThis.`. `*.toLocaleString` stands for a
   * method of a value whose origin isn't known.
   */
  path: string;
  /** `call`, `new` or `read`. */
  use: "call" | "new" | "read";
  /** Number of arguments of a call or `new`. */
  args?: number;
  /** Only under `typeof`, which is safe on an unbound name. */
  typeofOnly?: boolean;
  /**
   * `declared`: the initialiser of a constant that stands for the global from there on (`const now = Date.now`);
   * `used`: a use of such a constant.
   */
  alias?: "declared" | "used";
  /** Inside a function that is not run when the module is evaluated. */
  deferred: boolean;
  start: number;
  end: number;
}

/** What a unit is made of, as far as slicing and emitting must know. */
export type UnitShape =
  | "import"
  | "export-list"
  | "export-default"
  | "export-from"
  | "function"
  | "class"
  | "variable"
  | "enum"
  | "namespace"
  | "type"
  | "expression"
  | "block"
  | "entry-point";

/**
 * The smallest thing slicing keeps or drops: a top-level statement, or the function of an inline entry
 * point, which lives inside the statement that defines the tool.
 */
export interface Unit extends Range {
  index: number;
  shape: UnitShape;
  /** For an entry point: index of the statement that holds it. */
  host?: number;
  /** Top-level names it declares. */
  declares: string[];
  uses: BindingUse[];
  globals: GlobalUse[];
  /** Calls of `ctx.ask` that nobody waits for. */
  asks?: (Range & { floating: Floating })[];
  /** Evaluating it may do something besides declaring (so esbuild alone wouldn't drop it). */
  effects: boolean;
  /** Erased with the types: interfaces, type aliases, `declare`, overload signatures. */
  typeOnly: boolean;
  /** Indices into `ModuleAnalysis.directives` of the functions this unit holds. */
  directives: number[];
  /** Declared variables that may hold state: not a function, nor a constant with a primitive value. */
  state?: string[];
  /** Holds JSX, which compiles to calls of names that don't stand in the text. */
  jsx: boolean;
}

/** A function that carries exactly one valid directive in a place that can carry it, or one that is meant to be that. */
export interface DirectiveFunction {
  kind: "workflow" | "step";
  /** Its directive has faults, which are reported: the build fails, but all other checks take the function as meant. */
  assumed?: true;
  /** Name part of its id: declared name, `execute`/`task`/`serve` for inline entry points, or `default`. */
  name: string;
  /** Local binding that holds the function; absent for inline entry points and anonymous default exports. */
  local?: string;
  unit: number;
  /** The function's own range (for an entry point: the whole property, key included). */
  start: number;
  end: number;
  /** The directive statement, semicolon included. */
  directiveStart: number;
  directiveEnd: number;
  /** Body block, braces included. */
  bodyStart: number;
  bodyEnd: number;
  /** For an anonymous default export: where a name can be written. */
  nameAt?: number;
  /** Place of the declared name (or of the function where it has none), for the manifest. */
  line: number;
  column: number;
  generator: boolean;
  /** For a step: returned values that may not be serialisable. */
  returns?: ValueShape[];
  /** Inline entry points are methods or values of a property; everything else is a declaration. */
  form: "declaration" | "method" | "function-expression" | "arrow";
}

/** A top-level class that says how its instances are written to the log; it is registered in both bundles. */
export interface SerialisableClass extends Range {
  /** Name part of its id: the declared name, or `default`. */
  name: string;
  /** Local binding that holds the class; absent for an anonymous default export. */
  local?: string;
  unit: number;
  /** For an anonymous default export: where a name can be written. */
  nameAt?: number;
}

export type EntryPointName = "execute" | "task" | "serve";

export type ToolFactory =
  | "defineWorkflowTool"
  | "defineTool"
  | "disableTool"
  | "defineDynamic"
  | "workflow"
  | "agentRouter"
  | "object"
  | "other";

/** What can be read of a file's default export without running it. */
export interface ToolReading {
  factory: ToolFactory;
  /** The call `defineWorkflowTool(…)`. */
  start: number;
  end: number;
  entryPoint?: EntryPointName;
  /** The property that gives the entry point (key and value), for messages about it. */
  entry?: Range;
  /** Index into `directives` when the entry point is inline or a function of this module. */
  directive?: number;
  /** When the entry point is an imported function: the local binding of the import, and a member of it. */
  imported?: { local: string; member?: string };
  /** Names of the definition's options, where they can be read. */
  options?: { name: string; start: number; end: number }[];
  description?: string;
  /** The `inputSchema` property's value, for messages about it. */
  inputSchema?: Range;
  /** A plain JSON Schema object literal, when it is one. */
  inputSchemaLiteral?: unknown;
  /** Property names that could be read from an object schema (`z.object({…})` or JSON Schema). */
  inputKeys?: { name: string; start: number; end: number }[];
}

/** A top-level function (declaration, or a constant that holds one), with or without a directive. */
export interface TopLevelFunction extends Range {
  name: string;
  async: boolean;
  generator: boolean;
  declaration: boolean;
  line: number;
  column: number;
}

export interface Suppression extends Range {
  code: string;
  reason?: string;
  /** The line whose findings it silences. */
  appliesTo: number;
  line: number;
  column: number;
}

/** Everything the compiler knows of one source file. Pure function of (text, file name, analysis options). */
export interface ModuleAnalysis {
  /** Path relative to the app root (see `Place.file`). */
  file: string;
  hashbang: boolean;
  /** `commonjs` modules are not sliced: their exports are assignments. */
  format: "esm" | "commonjs";
  /** Offset of each line's first unit. */
  lines: number[];
  units: Unit[];
  imports: ModuleImport[];
  exports: ModuleExport[];
  directives: DirectiveFunction[];
  functions: TopLevelFunction[];
  /** Classes with the static methods of the Workflow SDK's protocol, own or of a base class in the same module. */
  classes: SerialisableClass[];
  /** Top-level classes without static members by computed keys, which is how a class says that it can be serialised. */
  plainClasses: string[];
  /** Every name declared at the top level or used unbound: new names must avoid them. */
  names: string[];
  tool?: ToolReading;
  topLevelAwait?: Range;
  /** `// eve-ignore-next-line CODE -- reason` comments. */
  suppressions: Suppression[];
  /** Findings that need this module alone. */
  diagnostics: Diagnostic[];
  /** Functions (or the whole module) whose directive has faults that leave open what the author means by it. */
  misread: Range[];
  /** Every string that was read as a directive or near miss, and the function (or itself) that answers for it. */
  directiveStrings: { start: number; end: number; owner: Range }[];
}

/** Why a unit is in a slice: the use in another kept unit, an export that is needed, or the directive it carries. */
export type KeepReason =
  | { by: "use"; unit: number; name: string; start: number; end: number }
  | { by: "export"; exported: string }
  | { by: "workflow"; directive: number }
  | { by: "class"; name: string }
  | { by: "write"; name: string; start: number; end: number };

/** The part of a module that workflow mode keeps. */
export interface Slice {
  /** Indices of kept units, ascending. Import statements and lists of exports are kept in part: see below. */
  units: number[];
  /** Parallel to `units`. */
  reasons: KeepReason[];
  /** For each import/re-export (index into `analysis.imports`): names still needed; `*` for all of an `export *`. */
  imports: { index: number; names: string[] }[];
  /** Indices into `analysis.exports` that stay. */
  exports: number[];
  /** Local names of bindings that the slice keeps (imports too). */
  bindings: string[];
  /** Indices into `analysis.directives` of steps whose proxies stay. */
  steps: number[];
  /** Indices into `analysis.directives` of workflows that stay. */
  workflows: number[];
  /**
   * Uses, in dropped statements, of kept bindings that are handed to a call when the module is evaluated: the body
   * won't see what that call does to them (EVE2007).
   */
  passed: { name: string; unit: number; start: number; end: number }[];
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
