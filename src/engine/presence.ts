import type { Clock } from '../model/clock.ts';
import type { Exchange, NoResponse } from '../model/exchange.ts';
import { wasInFlight } from './stops.ts';

/** Watches whether the target is there. After several requests without a response nothing is sent until it returns. */
export type Presence = {
  /** Finds out whether a look shows anything; to be called while the target is there. */
  readonly begin: () => Promise<void>;
  readonly saw: (exchange: Exchange) => void;
  /** Resolves when the target is there again, or is given up; undefined while it is there. */
  readonly away: () => Promise<void> | undefined;
  /** The last requests before it stopped responding, oldest first. */
  readonly before: () => readonly string[];
  /** Looks whether the target is there now. Where it is not, waits as `away` does, and resolves to false. */
  readonly there: () => Promise<boolean>;
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
/** Milliseconds from an attempt to each look after it: a process may fail a moment after its response. */
const afterwards = [0, 50, 300];

export function makePresence(of: {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long its return is waited for, in milliseconds. */
  readonly waitMs: number;
  readonly look: () => Promise<boolean>;
  readonly onAway: () => void;
  readonly onGone: () => void;
  /** A request was in flight, or had its response last, when nothing responded any more. Stops are numbered from 1. */
  readonly onSuspect?: (exchange: Exchange, stop: number) => void;
}): Presence {
  const last: Exchange[] = [];
  let answered: Exchange | undefined;
  let stops = 0;
  /** The stop that is being looked into, or going on. */
  let stop: { readonly at: number; readonly there: Exchange[]; known: boolean } | undefined;
  let looking: Promise<void> | undefined;
  /** Whether a look shows anything: some targets leave requests without a token unanswered even while they are there. */
  let seen = false;
  let before: readonly Exchange[] = [];
  let silent = 0;
  let since = 0;
  let waiting: Promise<void> | undefined;
  const wait = async (): Promise<void> => {
    of.onAway();
    const until = of.clock.monotonic() + of.waitMs;
    // Who accepts connections while it restarts is there at each look: many requests fail in a moment then.
    if (silent > suspicious) await of.clock.sleep(lookMs, of.signal);
    while (!of.signal.aborted) {
      if (await of.look()) {
        stop = undefined;
        return;
      }
      if (of.clock.monotonic() >= until) return of.onGone();
      await of.clock.sleep(lookMs, of.signal);
    }
  };
  const waited = (): Promise<void> => {
    waiting ??= wait().finally(() => {
      waiting = undefined;
    });
    return waiting;
  };
  const suspect = (exchange: Exchange): void => of.onSuspect?.(exchange, stops);
  /** One lost response may be that of a connection: only where nothing responds at all the target has stopped. */
  const lookInto = async (begun: NonNullable<typeof stop>): Promise<void> => {
    const there = await of.look();
    if (of.signal.aborted || stop !== begun) return;
    if (there) {
      stop = undefined;
      return;
    }
    stops += 1;
    begun.known = true;
    for (const exchange of begun.there) suspect(exchange);
  };
  const noteSilence = (exchange: Exchange): void => {
    if (!seen) return;
    if (stop === undefined) {
      stop = { at: exchange.endedAt, there: answered === undefined ? [] : [answered], known: false };
      looking = lookInto(stop);
    }
    if (!wasInFlight(exchange) || exchange.startedAt > stop.at) return;
    if (stop.known) suspect(exchange);
    else stop.there.push(exchange);
  };
  const noteResponse = (exchange: Exchange): void => {
    answered = exchange;
    if (stop?.known === true && exchange.startedAt > stop.at) stop = undefined;
  };
  return {
    begin: async () => {
      seen = await of.look();
    },
    there: async () => {
      await looking;
      if (!seen) return true;
      // A slow target is not waited for between two looks.
      const looks = afterwards.map(async (after) => {
        if (after > 0) await of.clock.sleep(after, of.signal);
        return of.signal.aborted || of.look();
      });
      const shown = await Promise.all(looks);
      if (shown.every((there) => there)) {
        stop = undefined;
        return true;
      }
      await waited();
      return false;
    },
    saw: (exchange) => {
      const { noAnswer } = exchange;
      const quiet = noAnswer !== undefined && silence.has(noAnswer.reason);
      if (quiet) noteSilence(exchange);
      else noteResponse(exchange);
      if (!quiet) {
        silent = 0;
        last.push(exchange);
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
      else if (silent % suspicious === 0) void waited();
    },
    away: () => waiting,
    before: () => before.map(lineOf),
  };
}

function lineOf({ answer, id, noAnswer, operation, request: { method, path } }: Exchange): string {
  return `${id} ${operation}: ${method} ${path} ${answer?.status ?? noAnswer?.reason ?? ''}`;
}

/** The smallest request, to find out whether anything responds. */
export const knock = (path: string) =>
  ({ method: 'GET', path, headers: [], body: undefined, transport: 'fresh' }) as const;
