import type { Planning } from '../suite-kit/suite.ts';
import { estimateOf, requestsOfProbe } from './estimate.ts';
import { limitedBy, type PlannedProbe } from './plan.ts';

/** How far a run is: requests done of those that the plan expects, and the milliseconds that the rest will take. */
export type Outlook = { readonly done: number; readonly of: number; readonly leftMs: number };

/**
 * Says how far a run is. Its rate is that of the requests sent so far, not of the scenarios that ended: one that waits has
 * sent most of its requests long before it ends.
 */
export type Forecast = {
  /** A scenario of the probe, or all its random ones, came to an end, or an earlier segment had done it. */
  readonly ended: (probe: PlannedProbe, how?: 'earlier') => void;
  /** A burst ended after so many requests. */
  readonly burst: (requests: number) => void;
  /** @param requests sent so far, by this segment @param elapsedMs since it began to send the plan */
  readonly outlook: (requests: number, elapsedMs: number) => Outlook;
};

/** Reads of effects, longer lists and repeats come on top of the plan, and the last requests of a run overlap less. */
const more = 1.2;
/** The part of its requests that a burst sends, before one has shown it: a limit ends it early. */
const burstPart = 0.5;
/** The part of the settling time that is left when all is sent: some of it passes next to the last requests. */
const settlingPart = 0.5;

export function makeForecast(
  planning: Planning,
  probes: readonly PlannedProbe[],
  settleMs: number,
): Forecast {
  const { sweepMs, waitMs } = estimateOf(planning, probes, settleMs);
  const sum = (some: readonly PlannedProbe[]): number =>
    some.reduce((total, planned) => total + requestsOfProbe(planned), 0);
  const bursts = probes.filter((planned) => limitedBy(planned) !== undefined);
  const burstCount = bursts.reduce((count, { probe }) => count + probe.scenarios.length, 0);
  const inBursts = sum(bursts);
  const of = sum(probes);
  const parts = new Map(
    probes.map((planned) => {
      const { random, scenarios } = planned.probe;
      const units = scenarios.length + (random === undefined ? 0 : 1);
      return [planned, requestsOfProbe(planned) / Math.max(1, units)] as const;
    }),
  );
  let done = 0;
  let earlier = 0;
  const shown = { bursts: 0, requests: 0 };
  const course: { readonly requests: number; readonly elapsedMs: number }[] = [];
  let half = 0;
  /** Requests per millisecond: of the whole run, or of its second half where that was faster, as once a limit is known. */
  const paceOf = (requests: number, elapsedMs: number): number => {
    course.push({ requests, elapsedMs });
    while ((course[half + 1]?.elapsedMs ?? elapsedMs) <= elapsedMs / 2) half += 1;
    const from = course[half];
    const whole = requests / elapsedMs;
    if (from === undefined || from.elapsedMs > elapsedMs / 2 || elapsedMs === 0) return whole;
    return Math.max(whole, (requests - from.requests) / (elapsedMs - from.elapsedMs));
  };
  return {
    ended: (planned, how) => {
      const part = parts.get(planned) ?? 0;
      done += part;
      if (how === 'earlier') earlier += part;
    },
    burst: (requests) => {
      shown.bursts += 1;
      shown.requests += requests;
    },
    outlook: (requests, elapsedMs) => {
      const burst =
        shown.bursts === 0
          ? inBursts * burstPart
          : Math.min(inBursts, (shown.requests / shown.bursts) * burstCount);
      const planned = (of - inBursts) * more + burst - earlier - requests;
      // What has not ended has at most all of its requests to send.
      const toSend = Math.max(0, Math.min(planned, (of - done) * more));
      const sending = requests === 0 ? 0 : toSend / paceOf(requests, elapsedMs);
      return { done, of, leftMs: Math.max(sending + sweepMs * settlingPart, waitMs - elapsedMs) };
    },
  };
}
