import { DevalueError, stringify, stringifyAsync, unflatten } from "devalue";
import { describeUncarriable } from "./describe.js";
import { PendingBytes, type ValueEnvironment } from "./environment.js";
import { OversizeError, SerializationError, ValueFormatError } from "./errors.js";
import { viewKind } from "./kinds/binary.js";
import { errorKind } from "./kinds/error.js";
import { signalKind, stepKind, streamKind, toolContextKind } from "./kinds/handles.js";
import { headersKind, messageKind } from "./kinds/http.js";
import { instanceKind } from "./kinds/instance.js";
import { isObject, type ReduceContext, type ValueKind } from "./kinds/kind.js";
import { listKind } from "./kinds/list.js";
import { decodePrimitives, encodePrimitives } from "./primitives.js";
import { messageOf, readOf } from "./thrown.js";

/** In the order in which they are asked: a class that serialises itself comes before what it may extend. */
const KINDS: readonly ValueKind[] = [
  listKind,
  instanceKind,
  errorKind,
  stepKind,
  viewKind,
  signalKind,
  messageKind,
  headersKind,
  streamKind,
  toolContextKind,
];
const DATA_KINDS = KINDS.filter((kind) => kind !== errorKind);

/** Turns values into devalue text and back, within one realm. */
export interface Codec {
  /**
   * @param root what the value is called in messages: `args`, `result`.
   * @throws SerializationError when something in it can't be carried.
   */
  encode(value: unknown, root: string): string;
  /**
   * The same for values that hold bodies which have to be read first (Request and Response of the host). What can't
   * hold any is encoded at once.
   */
  encodeAsync(value: unknown, root: string): string | Promise<string>;
  /** @throws ValueFormatError when the text is damaged or of a newer version. */
  decode(text: string): unknown;
}

const NONE: ReadonlySet<unknown> = new Set();

type Reducers = Record<string, (value: unknown) => unknown>;

// The author's own promises and thenables are never awaited on the way: only bodies are. (Without async
// encoding nothing is awaited at all, and devalue's own operations do.)
const operations = {
  isThenable: (value: unknown) => value instanceof PendingBytes,
  toPromise: (value: unknown) => (value as PendingBytes).bytes,
};

/**
 * A codec for one realm.
 *
 * @example
 * const codec = createCodec(environment);
 * codec.decode(codec.encode({ at: new Date(0), tags: new Set(["a"]) }, "args"));
 */
export function createCodec(environment: ValueEnvironment): Codec {
  let direct: ReadonlySet<unknown> = NONE;
  /** How many characters the value that is being encoded may still take. */
  let left = Infinity;
  const context: ReduceContext = {
    environment,
    isData,
    get direct() {
      return direct;
    },
  };
  const reducers = reducersOf(KINDS);
  const dataReducers = reducersOf(DATA_KINDS);
  const revivers = Object.fromEntries(
    KINDS.map((kind) => [kind.tag, (payload: unknown) => kind.revive(payload as never, environment)]),
  );

  function reducersOf(kinds: readonly ValueKind[]): Reducers {
    const reducers = kinds.map((kind) => [kind.tag, (value: unknown) => kind.reduce(value, context)]);
    // Asked first of every value, and never its kind: a value that is too large isn't put together.
    return Object.fromEntries([["Size", measure], ...reducers]) as Reducers;
  }

  function measure(value: unknown): void {
    left -= leastSize(value);
    // What a view shows is encoded with it, as base64, and counted then.
    const shown = ArrayBuffer.isView(value) ? base64Size(value) : 0;
    if (left < shown) throw new OversizeError("", environment.maxSize ?? Infinity);
  }

  function begin(value: unknown): void {
    direct = Array.isArray(value) ? new Set(value as unknown[]) : NONE;
    left = environment.maxSize ?? Infinity;
  }

  /** Bodies are written after the walk, beside other values: they have a limit of their own. */
  function finish(): void {
    direct = NONE;
    left = Infinity;
  }

  function isData(value: unknown): boolean {
    if (!isObject(value) && typeof value !== "function" && typeof value !== "symbol") return true;
    const before = left;
    try {
      stringify(value, dataReducers);
      return true;
    } catch {
      // Whatever the reason: the caller leaves the value out.
      return false;
    } finally {
      left = before;
    }
  }

  async function encodeBodies(value: unknown, root: string): Promise<string> {
    begin(value);
    try {
      // The walk over the value is synchronous; only bodies are awaited after it.
      const text = stringifyAsync(value, reducers, { operations });
      finish();
      return await text;
    } catch (error) {
      throw explained(error, root, environment.maxSize);
    }
  }

  return {
    encode(value, root) {
      try {
        const short = encodePrimitives(value);
        if (short !== undefined) return short;
        begin(value);
        return stringify(value, reducers);
      } catch (error) {
        throw explained(error, root, environment.maxSize);
      } finally {
        finish();
      }
    },

    encodeAsync(value, root) {
      try {
        return encodePrimitives(value) ?? encodeBodies(value, root);
      } catch (error) {
        throw explained(error, root, environment.maxSize);
      }
    },

    decode(text) {
      try {
        const flat: unknown = JSON.parse(text);
        const short = decodePrimitives(flat);
        if (short) return short.value;
        return unflatten(flat as unknown[], revivers);
      } catch (error) {
        throw new ValueFormatError(error instanceof Error ? error.message : String(error), { cause: error });
      }
    },
  };
}

/** The fewest characters that a value, without what is in it, takes once it is encoded. */
function leastSize(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (!isObject(value)) return 1;
  return value instanceof ArrayBuffer ? base64Size(value) : 2;
}

const base64Size = ({ byteLength }: { byteLength: number }) => (byteLength * 4) / 3;

/** V8 says so of texts beyond what a string can hold, which is more than any limit. */
const TOO_LONG = /^(?:Invalid string length|Cannot create a string longer than)/;

/** What made an encoding fail may come from a getter of the value, so nothing is taken for granted of it. */
function explained(error: unknown, root: string, limit: number | undefined): Error {
  const isTooLarge = readOf(
    () => error instanceof OversizeError || (error instanceof RangeError && TOO_LONG.test(error.message)),
  );
  if (isTooLarge && limit !== undefined) return new OversizeError(root, limit);
  const known = readOf(() =>
    error instanceof DevalueError || error instanceof SerializationError ? error : undefined,
  );
  if (known instanceof SerializationError) return known;
  if (known) {
    const { path, value, message } = known as DevalueError & { path: string; value: unknown };
    const reason = readOf(() => describeUncarriable(value, message)) ?? "can't be looked at";
    return new SerializationError(`${root}${path}`, reason);
  }
  return new SerializationError(root, `can't be carried: ${messageOf(error)}`, { cause: error });
}
