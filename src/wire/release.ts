import type { Clock } from '../model/clock.ts';

/** Where the requests of a wave wait, each written but for its last byte, until all are there. */
export type Release = {
  /** The request is there; `send` writes its last byte. */
  readonly ready: (send: () => void) => void;
  /** The request needs no last byte: it was never written, or its response came early. */
  readonly gone: () => void;
  readonly at: () => number | undefined;
};

/** Lets so many go in one turn of the event loop: by then the target has read what there is, and last bytes race. */
export function makeRelease(
  parties: number,
  {
    clock,
    pauseMs,
    signal,
  }: { readonly clock: Clock; readonly pauseMs: () => number; readonly signal: AbortSignal },
): readonly Release[] {
  const waiting: (() => void)[] = [];
  let missing = parties;
  let releasedAt: number | undefined;
  const go = (): void => {
    releasedAt = clock.monotonic();
    for (const send of waiting) send();
  };
  return Array.from({ length: parties }, () => {
    let here = false;
    const arrive = (): void => {
      if (here) return;
      here = true;
      missing -= 1;
      if (missing === 0 && waiting.length > 0) void clock.sleep(pauseMs(), signal).then(go, go);
    };
    return {
      ready: (send) => {
        if (here) return;
        waiting.push(send);
        arrive();
      },
      gone: arrive,
      at: () => releasedAt,
    };
  });
}
