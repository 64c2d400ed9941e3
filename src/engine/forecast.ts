import type { PrincipalName } from '../model/principal.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { estimateOf, requestsOfProbe } from './estimate.ts';
import { limitedBy, type PlannedProbe } from './plan.ts';

/** How far a run is: requests done of those that the plan expects, and the milliseconds that the rest will take. */
export type Outlook = { readonly done: number; readonly of: number; readonly leftMs: number };

type SpentBy = (principal: PrincipalName) => number;

/**
 * Says how far a run is. Its rate is that of the requests sent so far, not of the scenarios that ended: one that waits has
 * sent most of its requests long before it ends.
 */
export type Forecast = {
  /** A scenario of the probe, or all its random ones, came to an end, or an earlier segment had done it. */
  readonly ended: (probe: PlannedProbe, how?: 'earlier') => void;
  /** A burst ended after so many requests, which kept all others waiting for so many milliseconds. */
  readonly burst: (requests: number, milliseconds: number) => void;
  /**
   * @param requests sent so far, by this segment
   * @param elapsedMs since it began to send the plan
   * @param limited true where a limit of the target shows: it holds up bursts as all else
   * @param spentBy what each caller has sent within its limit, where each has one of its own: the busiest takes longest
   */
  readonly outlook: (requests: number, elapsedMs: number, limited: boolean, spentBy?: SpentBy) => Outlook;
};

/** Reads of effects, longer lists and repeats come on top of the plan, and the last requests of a run overlap less. */
const more = 1.2;
/** The same where no list is read for effects. */
const moreUnread = 1.05;
/** The part of random scenarios that is of who sends most of the others. */
const randomPart = 0.5;
/** The part of its requests that a burst sends, before one has shown it: a limit ends it early. */
const burstPart = 0.5;
/** The part of the settling time that is left when all is sent: some of it passes next to the last requests. */
const settlingPart = 0.5;

export function makeForecast(
  planning: Planning,
  probes: readonly PlannedProbe[],
  settleMs: number,
): Forecast {
  const { byPrincipal, sweepMs, waitMs } = estimateOf(planning, probes, settleMs);
  const sum = (some: readonly PlannedProbe[]): number =>
    some.reduce((total, planned) => total + requestsOfProbe(planned), 0);
  const bursts = probes.filter((planned) => limitedBy(planned) !== undefined);
  const inBursts = sum(bursts);
  const of = sum(probes);
  const parts = new Map(
    probes.map((planned) => {
      const { random, scenarios } = planned.probe;
      const units = scenarios.length + (random === undefined ? 0 : 1);
      return [planned, requestsOfProbe(planned) / Math.max(1, units)] as const;
    }),
  );
  const byCaller = [...byPrincipal].toSorted(([, one], [, other]) => other - one);
  /** What is over, in requests of the plan; `earlier` is what another segment has done of it. */
  const done = { bursts: 0, others: 0, earlier: 0 };
  let burstsLeft = bursts.reduce((count, { probe }) => count + probe.scenarios.length, 0);
  const shown = { bursts: 0, requests: 0, milliseconds: 0 };
  const paceOfAll = makePaceOf();
  const paceOfBusiest = makePaceOf();
  const known = byCaller.reduce((total, [, requests]) => total + requests, 0);
  /** How long callers with limits of their own take: as long as the one that has most left, at the pace of the busiest. */
  const withinLimits = (spentBy: SpentBy | undefined, elapsedMs: number): number => {
    const [[busiest] = []] = byCaller;
    if (spentBy === undefined || busiest === undefined || spentBy(busiest) === 0)
      return Number.POSITIVE_INFINITY;
    const others = of - inBursts;
    const factor = sweepMs > 0 ? more : moreUnread;
    const left = byCaller.map(([name, requests]) => {
      const wanted = requests + (name === busiest ? Math.max(0, others - known) * randomPart : 0);
      // An earlier segment has done its part of each, and what has not ended has at most all of its requests to send.
      const expected = wanted * (1 - done.earlier / others) * factor - spentBy(name);
      return Math.min(expected, wanted * (1 - done.others / others) * factor);
    });
    return Math.max(0, ...left) / paceOfBusiest(spentBy(busiest), elapsedMs);
  };
  /** The others send as many requests as those before: half of theirs, until one has shown it. */
  const requestsOfBursts = (): number =>
    shown.bursts === 0
      ? (inBursts - done.bursts) * burstPart
      : Math.min(inBursts, (shown.requests / shown.bursts) * burstsLeft);
  return {
    ended: (planned, how) => {
      const part = parts.get(planned) ?? 0;
      if (limitedBy(planned) !== undefined) {
        done.bursts += part;
        burstsLeft -= 1;
        return;
      }
      done.others += part;
      if (how === 'earlier') done.earlier += part;
    },
    burst: (requests, milliseconds) => {
      shown.bursts += 1;
      shown.requests += requests;
      shown.milliseconds += milliseconds;
    },
    outlook: (requests, elapsedMs, limited, spentBy) => {
      // A limit holds up bursts as all else. Without one the target responds to a burst in as long as to a request.
      const apart = limited ? { requests: 0, milliseconds: 0 } : shown;
      const own = requests - apart.requests;
      const pace = paceOfAll(own, Math.max(0, elapsedMs - apart.milliseconds));
      const others = of - inBursts;
      const expected = others * more - done.earlier - (requests - shown.requests);
      // What has not ended has at most all of its requests to send.
      const toSend = Math.max(0, Math.min(expected, (others - done.others) * more));
      const bursting = limited
        ? requestsOfBursts() / pace
        : (burstsLeft * shown.milliseconds) / Math.max(1, shown.bursts);
      const together = own === 0 ? 0 : toSend / pace + bursting;
      const sending = Math.min(together, withinLimits(spentBy, elapsedMs));
      return {
        done: done.bursts + done.others,
        of,
        leftMs: Math.max(sending + sweepMs * settlingPart, waitMs - elapsedMs),
      };
    },
  };
}

/** Requests per millisecond: of the whole run, or of its second half where that was faster, as once a limit is known. */
function makePaceOf(): (requests: number, elapsedMs: number) => number {
  const course: { readonly requests: number; readonly elapsedMs: number }[] = [];
  let half = 0;
  return (requests, elapsedMs) => {
    course.push({ requests, elapsedMs });
    for (let next = course[half + 1]; next !== undefined; next = course[half + 1]) {
      if (next.elapsedMs > elapsedMs / 2) break;
      half += 1;
    }
    const from = course[half];
    const whole = requests / elapsedMs;
    if (from === undefined || from.elapsedMs > elapsedMs / 2 || elapsedMs === 0) return whole;
    return Math.max(whole, (requests - from.requests) / (elapsedMs - from.elapsedMs));
  };
}
