import type { ValueKind } from "./kind.js";

/** Each element takes at least two characters, so a longer list wouldn't fit anyhow, unless it consists of holes. */
const MAX_ELEMENTS = 16 * 1024 * 1024;

/** Lists are devalue's. Only one of billions of holes is refused: it would take readers hours to print it. */
export const listKind: ValueKind = {
  tag: "List",
  reduce(value) {
    if (Array.isArray(value) && value.length > MAX_ELEMENTS)
      throw new RangeError(`a list has ${value.length} elements; at most ${MAX_ELEMENTS} are taken`);
    return undefined;
  },
  revive: (list: object) => list,
};
