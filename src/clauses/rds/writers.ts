/** Which scope wrote which marker. */
export type Writers = {
  readonly has: (marker: string) => boolean;
  /** Undefined where that is not known, or several scopes have written it. */
  readonly of: (marker: string) => string | undefined;
  readonly note: (marker: string, scope: string | undefined) => void;
};

/** Remembers the markers that were written last: memory must not grow with the run. */
export function makeWriters(most = 200_000): Writers {
  const scopes = new Map<string, string | undefined>();
  /** The next marker takes the place of the oldest. */
  const markers: string[] = [];
  let next = 0;
  return {
    has: (marker) => scopes.has(marker),
    of: (marker) => scopes.get(marker),
    note: (marker, scope) => {
      if (scopes.has(marker)) {
        if (scopes.get(marker) !== scope) scopes.set(marker, undefined);
        return;
      }
      const oldest = markers[next];
      if (oldest !== undefined) scopes.delete(oldest);
      markers[next] = marker;
      next = (next + 1) % most;
      scopes.set(marker, scope);
    },
  };
}
