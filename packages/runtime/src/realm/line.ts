/**
 * The line of those who wait for a hook's payloads.
 *
 * Who waits for a payload that never comes in time must not take it away from who waits later. So an `await`
 * (or `then`) of a later moment joins one that is still pending, instead of standing behind it; and a
 * `Promise.race` that something else won gives back its place, and the payload if there was one already.
 * Several awaits of one moment, and each loop of `for await`, get a payload each.
 */
import { run } from "./state.js";

/** A place in the line of those who wait for a payload. */
export interface Place {
  promise: Promise<unknown>;
  resolve(payload: unknown): void;
  reject(error: unknown): void;
  /** Races that hold it. When the last of them let go and nobody took the payload, it is given back. */
  races: number;
  taken: boolean;
  payload?: Payload;
}

export interface Payload {
  value?: unknown;
  error?: unknown;
  failed: boolean;
}

export interface Line {
  places: Place[];
  payloads: Payload[];
  /** The next place that an `await` of the same moment joins. */
  cursor: number;
  moment: number;
  /** Set when no payload can come any more: why. */
  closed: Error | undefined;
}

export function createLine(): Line {
  return { places: [], payloads: [], cursor: 0, moment: -1, closed: undefined };
}

const ignore = (): void => undefined;

/** A place behind all others. */
export function newPlace(line: Line): Place {
  let resolve: Place["resolve"] = ignore;
  let reject: Place["reject"] = ignore;
  const promise = new Promise<unknown>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // A place nobody looks at any more may still be rejected; what the author derives from it reports for itself.
  promise.catch(ignore);
  const place: Place = { promise, resolve, reject, races: 0, taken: false };
  line.places.push(place);
  return place;
}

/** A place for an `await`: the first that no other `await` of this moment has joined. */
export function joinedPlace(line: Line): Place {
  if (line.moment !== run.moment) {
    line.moment = run.moment;
    line.cursor = 0;
  }
  const place = line.places[line.cursor] ?? newPlace(line);
  line.cursor += 1;
  return place;
}

/** A payload that waits already, or the end of the line. */
export function ready(line: Line): Promise<unknown> | undefined {
  const payload = line.payloads.shift();
  if (payload) return payload.failed ? Promise.reject(payload.error) : Promise.resolve(payload.value);
  return line.closed ? Promise.reject(line.closed) : undefined;
}

/** A payload goes to the first place, or waits for one. A closed line takes none. */
export function arrive(line: Line, payload: Payload): void {
  if (line.closed) return;
  const place = line.places.shift();
  if (!place) {
    line.payloads.push(payload);
    return;
  }
  line.cursor = Math.max(0, line.cursor - 1);
  place.payload = payload;
  if (payload.failed) place.reject(payload.error);
  else place.resolve(payload.value);
}

/** No payload can come any more: those who wait learn why. */
export function close(line: Line, error: Error): void {
  line.closed = error;
  for (const place of line.places) place.reject(error);
  line.places = [];
}

/** The payload of a place that nobody gives back. */
export function keep(place: Place): Promise<unknown> {
  place.taken = true;
  return place.promise;
}

/** A payload on its way through a race: tells whose it is when it wins. */
export class RacedPayload {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** What a race waits on, and how it lets go when it is over. */
export interface RaceEntry {
  promise: Promise<RacedPayload>;
  /** @param winner what the race was won with. */
  release(winner: unknown): void;
}

/** Before those that wait already: the payload came earlier. */
function giveBack(line: Line, payload: Payload): void {
  if (line.places.length > 0) arrive(line, payload);
  else line.payloads.unshift(payload);
}

/** The entry of a hook in a race. */
export function raceEntry(line: Line): RaceEntry {
  const [waiting] = line.payloads;
  if (waiting && !waiting.failed) {
    line.payloads.shift();
    const raced = new RacedPayload(waiting.value);
    return {
      promise: Promise.resolve(raced),
      release(winner) {
        if (winner !== raced) giveBack(line, waiting);
      },
    };
  }
  const error = ready(line);
  if (error) return { promise: error as Promise<never>, release: ignore };
  const place = joinedPlace(line);
  place.races += 1;
  let raced: RacedPayload | undefined;
  return {
    promise: place.promise.then((value) => (raced = new RacedPayload(value))),
    release(winner) {
      place.races -= 1;
      if (raced !== undefined && winner === raced) place.taken = true;
      if (place.races > 0 || place.taken) return;
      if (!place.payload) line.places = line.places.filter((other) => other !== place);
      else if (!place.payload.failed) giveBack(line, place.payload);
    },
  };
}
