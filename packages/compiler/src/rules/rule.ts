import type { Severity } from "../types.js";

/** A rule: what its code stands for, in words that also make its documentation. */
export interface Rule {
  /** Stable, never reused: `EVE1001`. */
  code: string;
  severity: Severity;
  /** Short noun phrase, the heading in `docs/rules.md`. */
  title: string;
  /** Why it is a fault, in one or a few sentences. */
  description: string;
  /** The smallest program that breaks it, and the same program put right. */
  bad: string;
  good: string;
}

/** What a rule says about one place: the parts of a diagnostic that aren't its position. */
export interface Finding {
  rule: Rule;
  message: string;
  help?: string;
  /** The code may stay as it is in a step: where a function only lacks the directive, the help says that instead. */
  fitsStep?: true;
}

/** Declares a rule; its own module exports it beside the functions that word its findings. */
export function defineRule(rule: Rule): Rule {
  return rule;
}
