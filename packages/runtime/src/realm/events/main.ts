/** Deferred part of the realm: events and signals. See `lazy.ts`. */
export * from "./abort.js";
export * from "./events.js";
export * from "./exception.js";
