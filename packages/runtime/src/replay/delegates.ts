/**
 * What the host works out for a realm: functions from text to text, so that standards of many pages (URLs,
 * encodings) needn't be written twice, and still no object of the host gets into the realm.
 */
import type { Border } from "../realm/border.js";

type Delegates = Pick<
  Border,
  "parseUrl" | "changeUrl" | "parseQuery" | "formatQuery" | "encodingName" | "decodeText" | "atob" | "btoa"
>;

function parts(url: URL): string {
  const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = url;
  return JSON.stringify({
    href,
    origin,
    protocol,
    username,
    password,
    host,
    hostname,
    port,
    pathname,
    search,
    hash,
  });
}

/** The result, or `undefined` where the standard says that the call throws; the realm throws its own error. */
function orUndefined<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

export const delegates: Delegates = {
  parseUrl: (url, base) => orUndefined(() => parts(new URL(url, base))),
  changeUrl: (href, part, value) =>
    orUndefined(() => {
      const url = new URL(href);
      Reflect.set(url, part, value);
      return parts(url);
    }),
  parseQuery: (query) => JSON.stringify([...new URLSearchParams(query)]),
  formatQuery: (pairs) => new URLSearchParams(JSON.parse(pairs) as [string, string][]).toString(),
  encodingName: (label) => orUndefined(() => new TextDecoder(label).encoding),
  decodeText: (bytes, encoding, fatal, ignoreBOM) =>
    orUndefined(() => new TextDecoder(encoding, { fatal, ignoreBOM }).decode(Buffer.from(bytes, "latin1"))),
  atob: (text) => orUndefined(() => atob(text)),
  btoa: (text) => orUndefined(() => btoa(text)),
};
