let outlives = false;

/** This command goes on when nobody reads its output any more: others depend on it. */
export function outliveReaders(): void {
  outlives = true;
}

export const outlivesReaders = (): boolean => outlives;
