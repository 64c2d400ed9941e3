import { setMaxListeners } from 'node:events';
import type { EndCause } from '../evidence/log.ts';
import type { Clock } from '../model/clock.ts';

/** What ends a run: its user, the end of its time, or something that happens on the way. */
export type Ending = {
  /** Aborts when the run is to end. Everything under way ends with it: waits, hooks and list walks too. */
  readonly signal: AbortSignal;
  /** Aborts when nothing of the run is left to do. */
  readonly over: AbortSignal;
  /** Ends the run. The first cause counts. */
  readonly end: (cause?: EndCause) => void;
  /** Whether something on the way has ended it; its user and its time do not count. */
  readonly isEnded: () => boolean;
  readonly cause: () => EndCause | undefined;
  /** Lets go of the clock. */
  readonly finish: () => void;
};

/** @param user aborts when the user ends the run */
export function makeEnding(clock: Clock, user: AbortSignal, maxSeconds: number): Ending {
  const trouble = new AbortController();
  const deadline = new AbortController();
  const over = new AbortController();
  void clock.sleep(maxSeconds * 1000, over.signal).then(() => deadline.abort());
  const signal = AbortSignal.any([user, trouble.signal, deadline.signal]);
  // Every request in flight listens for the end of the run.
  setMaxListeners(0, signal);
  let first: EndCause | undefined;
  return {
    signal,
    over: over.signal,
    end: (cause) => {
      first ??= cause;
      trouble.abort();
    },
    isEnded: () => trouble.signal.aborted,
    cause: () => first,
    finish: () => over.abort(),
  };
}
