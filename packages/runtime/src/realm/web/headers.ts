const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export type HeadersInit = RealmHeaders | Iterable<readonly [string, string]> | Record<string, string>;

function headerName(name: unknown): string {
  const text = String(name);
  if (!NAME.test(text)) throw new TypeError(`${JSON.stringify(text)} is not a valid HTTP header name.`);
  return text.toLowerCase();
}

function headerValue(name: string, value: unknown): string {
  const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  // eslint-disable-next-line no-control-regex -- these are the characters a header can't hold
  if (/[\0\r\n]|[^\x00-\xff]/.test(text)) {
    throw new TypeError(`The value of the HTTP header ${name} holds characters that a header can't.`);
  }
  return text;
}

/** `Headers` of this realm: names in lower case, iterated in order, `set-cookie` never combined. */
class RealmHeaders {
  readonly #values = new Map<string, string[]>();

  constructor(init?: HeadersInit) {
    if (init === undefined) return;
    if (typeof init !== "object" || init === null) throw new TypeError("Headers takes an object or pairs.");
    const pairs = Symbol.iterator in init ? [...init] : Object.entries(init);
    for (const pair of pairs) {
      const [name, value, ...more] = [...pair];
      if (name === undefined || value === undefined || more.length > 0) {
        throw new TypeError("Each header is a pair of a name and a value.");
      }
      this.append(name, value);
    }
  }

  append(name: string, value: string): void {
    const key = headerName(name);
    this.#values.set(key, [...(this.#values.get(key) ?? []), headerValue(key, value)]);
  }

  delete(name: string): void {
    this.#values.delete(headerName(name));
  }

  get(name: string): string | null {
    return this.#values.get(headerName(name))?.join(", ") ?? null;
  }

  getSetCookie(): string[] {
    return [...(this.#values.get("set-cookie") ?? [])];
  }

  has(name: string): boolean {
    return this.#values.has(headerName(name));
  }

  set(name: string, value: string): void {
    const key = headerName(name);
    this.#values.set(key, [headerValue(key, value)]);
  }

  forEach(visit: (value: string, name: string, headers: RealmHeaders) => void, self?: unknown): void {
    for (const [name, value] of this) visit.call(self, value, name, this);
  }

  *entries(): IterableIterator<[string, string]> {
    for (const name of [...this.#values.keys()].sort()) {
      const values = this.#values.get(name) ?? [];
      if (name === "set-cookie") for (const value of values) yield [name, value];
      else yield [name, values.join(", ")];
    }
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this.entries()) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }

  get [Symbol.toStringTag](): string {
    return "Headers";
  }
}

export { RealmHeaders as Headers };
