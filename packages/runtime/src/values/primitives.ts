/**
 * Short cuts for the commonest values: lists of a few primitives (the arguments of most steps) and single
 * primitives (many results). They give exactly what devalue gives, for a tenth of its set-up.
 */

const MAX_ITEMS = 16;
/** What devalue writes where `undefined` stands. */
const UNDEFINED = -1;

/** devalue text of a primitive or of a list of them; `undefined` for any other value. */
export function encodePrimitives(value: unknown): string | undefined {
  if (!Array.isArray(value)) {
    const text = primitive(value);
    return text === undefined ? undefined : `[${text}]`;
  }
  if (value.length > MAX_ITEMS) return undefined;
  const distinct: unknown[] = [];
  let items = "";
  let references = "";
  for (let i = 0; i < value.length; i += 1) {
    const item: unknown = value[i];
    if (!Object.hasOwn(value, i)) return undefined;
    let reference = -1;
    if (item !== undefined) {
      const text = primitive(item);
      if (text === undefined) return undefined;
      const known = distinct.indexOf(item);
      reference = (known < 0 ? distinct.push(item) - 1 : known) + 1;
      if (known < 0) items += `,${text}`;
    }
    references += i === 0 ? reference : `,${reference}`;
  }
  return `[[${references}]${items}]`;
}

function primitive(item: unknown): string | undefined {
  switch (typeof item) {
    case "string": {
      const text = JSON.stringify(item);
      // devalue also escapes what would be unsafe inside HTML.
      return /[<\u2028\u2029]/.test(text) ? undefined : text;
    }
    case "number":
      return Number.isFinite(item) && !Object.is(item, -0) ? String(item) : undefined;
    case "boolean":
      return String(item);
    default:
      return item === null ? "null" : undefined;
  }
}

/** Of a value of its own, or of `undefined`; devalue has others for what no short cut reads. */
const isReference = (reference: number, flat: unknown[]) =>
  reference === UNDEFINED || (reference > 0 && reference < flat.length && Number.isInteger(reference));

/** The value of a parsed devalue text that is a primitive or a short list of them; `undefined` for any other. */
export function decodePrimitives(flat: unknown): { value: unknown } | undefined {
  if (!Array.isArray(flat) || flat.length > MAX_ITEMS + 1) return undefined;
  const first: unknown = flat[0];
  if (!Array.isArray(first)) {
    const isOne = flat.length === 1 && (typeof first !== "object" || first === null);
    return isOne ? { value: first } : undefined;
  }
  if (first.length > MAX_ITEMS) return undefined;
  const value: unknown[] = [];
  for (const reference of first as unknown[]) {
    if (typeof reference !== "number" || !isReference(reference, flat)) return undefined;
    const item: unknown = reference === UNDEFINED ? undefined : flat[reference];
    if (typeof item === "object" && item !== null) return undefined;
    value.push(item);
  }
  return { value };
}
