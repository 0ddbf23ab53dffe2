/** `URL` and `URLSearchParams`: parsed by the host, which gives the parts as text. */
import { host } from "../border.js";

type Part = (typeof PARTS)[number];
const PARTS = [
  "href",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;

class RealmURL {
  #parts: Record<Part | "origin", string>;
  #query: RealmURLSearchParams | undefined;

  constructor(url: unknown, base?: unknown) {
    const text = host.parseUrl(String(url), base === undefined ? undefined : String(base));
    if (text === undefined) throw invalid(String(url));
    this.#parts = JSON.parse(text) as Record<Part | "origin", string>;
  }

  static {
    for (const part of PARTS) {
      Object.defineProperty(RealmURL.prototype, part, {
        get(this: RealmURL) {
          return this.#parts[part];
        },
        set(this: RealmURL, value: unknown) {
          this.#change(part, String(value));
        },
        enumerable: true,
        configurable: true,
      });
    }
  }

  declare href: string;

  get origin(): string {
    return this.#parts.origin;
  }

  get searchParams(): RealmURLSearchParams {
    this.#query ??= linked(this.#parts.search, (query) => this.#change("search", query, false));
    return this.#query;
  }

  #change(part: Part, value: string, relink = true): void {
    const text = host.changeUrl(this.#parts.href, part, value);
    if (text === undefined) throw invalid(value);
    this.#parts = JSON.parse(text) as Record<Part | "origin", string>;
    if (relink && this.#query) reset(this.#query, this.#parts.search);
  }

  toString(): string {
    return this.#parts.href;
  }

  toJSON(): string {
    return this.#parts.href;
  }

  static canParse(url: unknown, base?: unknown): boolean {
    return host.parseUrl(String(url), base === undefined ? undefined : String(base)) !== undefined;
  }

  static parse(url: unknown, base?: unknown): RealmURL | null {
    return RealmURL.canParse(url, base) ? new RealmURL(url, base) : null;
  }

  get [Symbol.toStringTag](): string {
    return "URL";
  }
}

function invalid(input: string): TypeError {
  return Object.assign(new TypeError(`Invalid URL: ${JSON.stringify(input)}`), {
    code: "ERR_INVALID_URL",
    input,
  });
}

type Pairs = [name: string, value: string][];
type QueryInit = string | Iterable<readonly [string, string]> | Record<string, string>;

class RealmURLSearchParams {
  #pairs: Pairs = [];
  #changed: ((query: string) => void) | undefined;

  constructor(init: QueryInit = "") {
    if (typeof init !== "object" || init === null) {
      this.#pairs = parseQuery(String(init));
    } else if (Symbol.iterator in init) {
      this.#pairs = [...init].map((pair) => {
        const [name, value, ...more] = [...pair];
        if (name === undefined || value === undefined || more.length > 0) {
          throw new TypeError("Each query pair is a pair of a name and a value.");
        }
        return [String(name), String(value)];
      });
    } else {
      this.#pairs = Object.entries(init).map(([name, value]) => [name, String(value)]);
    }
  }

  static link(params: RealmURLSearchParams, changed: (query: string) => void): RealmURLSearchParams {
    params.#changed = changed;
    return params;
  }

  static reset(params: RealmURLSearchParams, query: string): void {
    params.#pairs = parseQuery(query);
  }

  #update(pairs: Pairs): void {
    this.#pairs = pairs;
    this.#changed?.(this.toString());
  }

  get size(): number {
    return this.#pairs.length;
  }

  append(name: unknown, value: unknown): void {
    this.#update([...this.#pairs, [String(name), String(value)]]);
  }

  delete(name: unknown, value?: unknown): void {
    this.#update(this.#pairs.filter((pair) => !matches(pair, name, value)));
  }

  get(name: unknown): string | null {
    return this.#pairs.find((pair) => pair[0] === String(name))?.[1] ?? null;
  }

  getAll(name: unknown): string[] {
    return this.#pairs.filter((pair) => pair[0] === String(name)).map((pair) => pair[1]);
  }

  has(name: unknown, value?: unknown): boolean {
    return this.#pairs.some((pair) => matches(pair, name, value));
  }

  set(name: unknown, value: unknown): void {
    const at = this.#pairs.findIndex((pair) => pair[0] === String(name));
    if (at < 0) return this.append(name, value);
    const others = this.#pairs.filter((pair, n) => n <= at || pair[0] !== String(name));
    others[at] = [String(name), String(value)];
    this.#update(others);
  }

  sort(): void {
    this.#update([...this.#pairs].sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)));
  }

  forEach(visit: (value: string, name: string, params: RealmURLSearchParams) => void, self?: unknown): void {
    for (const [name, value] of this) visit.call(self, value, name, this);
  }

  *entries(): IterableIterator<[string, string]> {
    for (const [name, value] of this.#pairs) yield [name, value];
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this.#pairs) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this.#pairs) yield value;
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }

  toString(): string {
    return this.#pairs.length === 0 ? "" : host.formatQuery(JSON.stringify(this.#pairs));
  }

  get [Symbol.toStringTag](): string {
    return "URLSearchParams";
  }
}

function parseQuery(query: string): Pairs {
  return query === "" ? [] : (JSON.parse(host.parseQuery(query)) as Pairs);
}

function matches(pair: [string, string], name: unknown, value: unknown): boolean {
  return pair[0] === String(name) && (value === undefined || pair[1] === String(value));
}

const { link, reset } = RealmURLSearchParams;
const linked = (query: string, changed: (query: string) => void) =>
  link(new RealmURLSearchParams(query), changed);
// Not part of what a body sees.
delete (RealmURLSearchParams as { link?: unknown }).link;
delete (RealmURLSearchParams as { reset?: unknown }).reset;

export { RealmURL as URL, RealmURLSearchParams as URLSearchParams };
