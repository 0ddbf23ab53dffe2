/** Legacy codes that `DOMException.code` still has. */
const CODES: Record<string, number> = {
  IndexSizeError: 1,
  HierarchyRequestError: 3,
  InvalidCharacterError: 5,
  NotFoundError: 8,
  NotSupportedError: 9,
  InvalidStateError: 11,
  SyntaxError: 12,
  InvalidAccessError: 15,
  TimeoutError: 23,
  AbortError: 20,
  QuotaExceededError: 22,
  DataCloneError: 25,
};

/** `DOMException` of this realm: `instanceof Error` holds, and its stack shows the body's frames. */
class RealmDOMException extends Error {
  constructor(message = "", options: string | { name?: string; cause?: unknown } = "Error") {
    const { name = "Error", ...rest } = typeof options === "string" ? { name: options } : options;
    super(String(message), rest);
    Object.defineProperty(this, "name", { value: String(name), configurable: true });
    Object.defineProperty(this, "code", { value: CODES[String(name)] ?? 0, configurable: true });
  }

  get [Symbol.toStringTag](): string {
    return "DOMException";
  }
}

export { RealmDOMException as DOMException };
