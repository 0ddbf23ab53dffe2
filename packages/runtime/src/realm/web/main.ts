/** Deferred part of the realm: HTTP, URLs, text, cloning, streams. See `lazy.ts`. */
export * from "./base64.js";
export * from "./body.js";
export * from "./clone.js";
export * from "./headers.js";
export * from "./http.js";
export * from "./streams.js";
export * from "./text.js";
export * from "./url.js";
