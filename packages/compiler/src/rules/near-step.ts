/** A top-level async function that bodies reach and that lacks only the directive to be a step. */
export interface NearStep {
  /** `default` for an anonymous default export. */
  name: string;
  file: string;
  /** A declaration, which can carry the directive; else a constant. */
  declaration: boolean;
}

/** What to do about code that belongs in a step, when it stands in a function that nearly is one. */
export function makeStep({ name, file, declaration }: NearStep): string {
  if (name === "default") {
    return `Make the default export of ${file} a step: write "use step"; as its first statement.`;
  }
  return declaration
    ? `Make ${name} in ${file} a step: write "use step"; as its first statement.`
    : `Make ${name} in ${file} a step: async function ${name}(…) { "use step"; … }`;
}
