import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { analyseModule, mayNeedCompiler } from "../analysis/index.js";
import { CompilerError, shownPath, systemCode } from "../build/compiler-error.js";
import { identify, relativePath } from "../resolve/identity.js";
import { jsxNames } from "../resolve/jsx.js";
import type { PackageIndex } from "../resolve/packages.js";
import type { ModuleAnalysis, ModuleRole } from "../types.js";
import type { SourceModule } from "./source-module.js";

/** Remembers analyses by content between builds; see `cache/`. */
export interface AnalysisCache {
  get(key: string): ModuleAnalysis | undefined;
  set(key: string, analysis: ModuleAnalysis): void;
}

export interface ModuleStoreOptions {
  root: string;
  packages: PackageIndex;
  /** Absolute folder of the eve package, whose modules have ids of their own. */
  sdk?: string;
  /** Roles of the modules that discovery found, by absolute path. */
  roles: ReadonlyMap<string, ModuleRole>;
  cache?: AnalysisCache;
}

/** Reads and analyses each source file once per build. */
export class ModuleStore {
  readonly #options: ModuleStoreOptions;
  readonly #texts = new Map<string, string>();
  readonly #modules = new Map<string, SourceModule>();

  constructor(options: ModuleStoreOptions) {
    this.#options = options;
  }

  get root(): string {
    return this.#options.root;
  }

  get packages(): PackageIndex {
    return this.#options.packages;
  }

  /**
   * The text of a file, as it was when it was first asked for.
   * @throws CompilerError `UNREADABLE_FILE`
   */
  text(path: string): string {
    let text = this.#texts.get(path);
    if (text === undefined) {
      text = readText(path);
      this.#texts.set(path, text);
    }
    return text;
  }

  /** The text of a file, if it was asked for before. */
  known(path: string): string | undefined {
    return this.#texts.get(path);
  }

  /** All files whose text was asked for, found or not. */
  paths(): string[] {
    return [...this.#texts.keys()];
  }

  /** Whether a file needs the compiler on the step side; may say yes too often, never no wrongly. */
  mayNeedCompiler(path: string): boolean {
    return this.#options.roles.get(path) === "tool" || mayNeedCompiler(this.text(path));
  }

  /** The analysed module of a file. */
  module(path: string): SourceModule {
    const known = this.#modules.get(path);
    if (known !== undefined) return known;
    const { root, packages, roles, cache, sdk } = this.#options;
    const text = this.text(path);
    const file = relativePath(root, path);
    const role = roles.get(path) ?? "module";
    const jsx = jsxNames(path);
    const key = cache === undefined ? "" : analysisKey(file, role, jsx, text);
    let analysis = cache?.get(key);
    if (analysis === undefined) {
      analysis = analyseModule(text, { file, role, ...(jsx === undefined ? {} : { jsx }) });
      cache?.set(key, analysis);
    }
    const module: SourceModule = {
      path,
      file,
      identity: identify(path, root, packages, sdk),
      text,
      analysis,
    };
    this.#modules.set(path, module);
    return module;
  }

  /** All modules analysed so far, sorted by path. */
  analysed(): SourceModule[] {
    return [...this.#modules.values()].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  }

  /** The analysed module of a path, if it has been analysed. */
  peek(path: string): SourceModule | undefined {
    return this.#modules.get(path);
  }
}

function analysisKey(
  file: string,
  role: ModuleRole,
  jsx: readonly string[] | undefined,
  text: string,
): string {
  return createHash("sha256")
    .update(`${file}\0${role}\0${jsx?.join(",") ?? ""}\0`)
    .update(text)
    .digest("hex");
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CompilerError(
      "UNREADABLE_FILE",
      `Can't read ${shownPath(path)}: ${systemCode(error) ?? String(error)}.`,
      {
        cause: error,
        help: "Check that the file exists and may be read.",
      },
    );
  }
}
