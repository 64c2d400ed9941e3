import type { Clock } from '../model/clock.ts';
import type { Exchange, NoResponse } from '../model/exchange.ts';

/** Watches whether the target is there. After several requests without a response nothing is sent until it returns. */
export type Presence = {
  readonly saw: (exchange: Exchange) => void;
  /** Resolves when the target is there again, or is given up; undefined while it is there. */
  readonly away: () => Promise<void> | undefined;
  /** The last requests before it stopped responding, oldest first. */
  readonly before: () => readonly string[];
};

/** Failures that the target causes. */
const silence: ReadonlySet<NoResponse['reason']> = new Set([
  'refused',
  'reset',
  'closed',
  'timeout',
  'dns',
  'tls',
]);
/** After this many requests in a row without a response it may be restarting. */
const suspicious = 10;
/** After this many in a row, for as long as its return is waited for, the run ends although it seemed to return. */
const mostSilent = 40;
/** Milliseconds between two checks. */
const lookMs = 1000;
const remembered = 10;

export function makePresence(of: {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long its return is waited for, in milliseconds. */
  readonly waitMs: number;
  /** Whether anything responds. */
  readonly look: () => Promise<boolean>;
  readonly onAway: () => void;
  readonly onGone: () => void;
}): Presence {
  const last: string[] = [];
  let before: readonly string[] = [];
  let silent = 0;
  let since = 0;
  let waiting: Promise<void> | undefined;
  const wait = async (): Promise<void> => {
    of.onAway();
    const until = of.clock.monotonic() + of.waitMs;
    // Who accepts connections while it restarts is there at each look: many requests fail in a moment then.
    if (silent > suspicious) await of.clock.sleep(lookMs, of.signal);
    while (!of.signal.aborted) {
      if (await of.look()) return;
      if (of.clock.monotonic() >= until) return of.onGone();
      await of.clock.sleep(lookMs, of.signal);
    }
  };
  return {
    saw: ({ answer, id, noAnswer, operation, request: { method, path } }) => {
      const quiet = noAnswer !== undefined && silence.has(noAnswer.reason);
      if (!quiet) {
        silent = 0;
        last.push(`${id} ${operation}: ${method} ${path} ${answer?.status ?? noAnswer?.reason ?? ''}`);
        if (last.length > remembered) last.shift();
        return;
      }
      silent += 1;
      const now = of.clock.monotonic();
      if (silent === 1) {
        before = [...last];
        since = now;
      }
      if (silent >= mostSilent && now - since >= of.waitMs) of.onGone();
      else if (silent % suspicious === 0)
        waiting ??= wait().finally(() => {
          waiting = undefined;
        });
    },
    away: () => waiting,
    before: () => before,
  };
}

/** The smallest request, to find out whether anything responds. */
export const knock = (path: string) =>
  ({ method: 'GET', path, headers: [], body: undefined, transport: 'fresh' }) as const;
