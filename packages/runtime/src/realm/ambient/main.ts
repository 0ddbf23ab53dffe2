/** Deferred part of the realm: console, crypto, Intl. See `lazy.ts`. */
export * from "./console.js";
export * from "./crypto.js";
export * from "./inspect.js";
export * from "./intl.js";
