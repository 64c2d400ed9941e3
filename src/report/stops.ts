import type { StopSuspect } from '../model/stop.ts';
import type { Report } from './report.ts';

export type StopsOf = {
  readonly stops: readonly StopSuspect[];
  readonly others: string | undefined;
};

/** Undefined where the target never stopped. Requests after which it stopped again come first. */
export function stopsOf({ run: { stops = [] } }: Pick<Report, 'run'>): StopsOf | undefined {
  if (stops.length === 0) return undefined;
  return {
    stops: stops
      .filter(({ again, stopped }) => again === 0 || stopped > 0)
      .toSorted((one, other) => other.stopped - one.stopped),
    others: othersOf(stops.filter(({ again, stopped }) => again > 0 && stopped === 0).length),
  };
}

function othersOf(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1
    ? '1 request was in flight at a stop or just before it. Sent again alone, it did not stop the target again.'
    : `${count} requests were in flight at a stop or just before it. Sent again alone, none of them stopped the target.`;
}
