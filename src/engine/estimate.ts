import { creates, operationOf } from '../model/contract.ts';
import type { Declared } from '../model/declaration.ts';
import type { Exchange } from '../model/exchange.ts';
import type { PrincipalName } from '../model/principal.ts';
import { type Scenario, type Step, stepsOfWave, type Wave } from '../model/scenario.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { recordsReadFirst } from './last-writes.ts';
import type { PlannedProbe } from './plan.ts';
import { leastSettling } from './promptness.ts';
import { sharedRecords } from './turns.ts';
import { forcedWait } from './waits.ts';

/** What determines the least duration of a run. */
export type Term = 'waits' | 'latency' | 'limit';
export type Bound = { readonly seconds: number; readonly by: Term };

export type Estimate = {
  readonly requests: number;
  /** Of the principal that sends most. */
  readonly mostOfOne: number;
  /** Of each principal, without bursts and random scenarios. */
  readonly byPrincipal: ReadonlyMap<PrincipalName, number>;
  /** The longest chain of waits that no target can shorten, in milliseconds. */
  readonly waitMs: number;
  /** The part of it that follows the last command, before lists are read for the last time. */
  readonly sweepMs: number;
};

/** Requests of a random scenario, on average. */
const perRandom = 3;

/**
 * What a plan costs. Conditional waves run only if something goes wrong, or where others have not sent enough, and are not
 * counted.
 */
export function estimateOf(planning: Planning, probes: readonly PlannedProbe[], settleMs: number): Estimate {
  const sent = new Map<PrincipalName, number>();
  let requests = 0;
  let chain = 0;
  let swept = false;
  const turns = new Map<string, number>();
  for (const { probe } of probes) {
    for (const scenario of probe.scenarios) {
      // Who needs a shared record alone waits until it is free, and keeps it no longer than its reads show to be needed.
      const uses = sharedRecords(planning.contract, scenario).filter(({ alone }) => alone);
      const settling = uses.length > 0 ? leastSettling(settleMs) : settleMs;
      const wait = forcedWait(scenario.waves, { contract: planning.contract, settleMs: settling });
      chain = Math.max(chain, wait);
      // What came before has settled by then, where nothing else is read.
      const settled = uses.length > 0 && recordsReadFirst(planning.contract, scenario) !== undefined;
      const turn = settled
        ? forcedWait(scenario.waves, { contract: planning.contract, settleMs: settling }, true)
        : wait;
      for (const { record } of uses) turns.set(record, (turns.get(record) ?? 0) + turn);
      for (const [step, times] of scenario.waves.flatMap(stepsIn)) {
        requests += times;
        const operation = operationOf(planning.contract, step.operation);
        swept ||= creates(operation) && operation.effect?.list !== undefined;
        if (probe.alone === undefined) sent.set(step.as, (sent.get(step.as) ?? 0) + times);
      }
    }
    requests += (probe.random?.runs ?? 0) * perRandom;
  }
  // The last sweep follows the last command by the settling time.
  const sweepMs = swept ? settleMs : 0;
  return {
    requests,
    mostOfOne: Math.max(0, ...sent.values()),
    byPrincipal: sent,
    waitMs: Math.max(chain, ...turns.values()) + sweepMs,
    sweepMs,
  };
}

export function requestsOf(scenario: Scenario): number {
  return scenario.waves.flatMap(stepsIn).reduce((sum, [, times]) => sum + times, 0);
}

/** Requests that a probe sends where nothing goes wrong. */
export function requestsOfProbe({ probe }: PlannedProbe): number {
  return (
    probe.scenarios.reduce((sum, scenario) => sum + requestsOf(scenario), 0) +
    (probe.random?.runs ?? 0) * perRandom
  );
}

function stepsIn(wave: Wave): readonly (readonly [Step, number])[] {
  if ('when' in wave || ('steps' in wave && wave.unless !== undefined)) return [];
  return stepsOfWave(wave).map(
    (step, index) => [step, 'repeat' in wave && index === 0 ? wave.max : 1] as const,
  );
}

/** The least duration of this work: the longest of its terms. */
export function boundOf(terms: Readonly<Record<Term, number>>): Bound {
  const by = (['waits', 'latency', 'limit'] as const).reduce((most, term) =>
    terms[term] > terms[most] ? term : most,
  );
  return { seconds: terms[by], by };
}

/** Seconds that this many requests of one principal take at the declared limit (G8); 0 if none is declared. */
export function secondsAtLimit({ G8: { rate } }: Pick<Declared, 'G8'>, requests: number): number {
  return rate === undefined || rate.requests <= 0 ? 0 : (requests / rate.requests) * rate.perSeconds;
}

/** Milliseconds in which a trace had requests in flight: those sent together hold one lane. */
export function inFlightMs(exchanges: readonly Pick<Exchange, 'startedAt' | 'endedAt'>[]): number {
  let until = 0;
  let sum = 0;
  for (const { startedAt, endedAt } of exchanges.toSorted((one, other) => one.startedAt - other.startedAt)) {
    sum += Math.max(0, endedAt - Math.max(startedAt, until));
    until = Math.max(until, endedAt);
  }
  return sum;
}

const reasons: Readonly<Record<Term, string>> = {
  waits: 'waits for reads to settle and for keys to age',
  latency: 'requests, latency and concurrency',
  limit: 'the rate limit of the target',
};

/** `9.1 s (waits for reads to settle and for keys to age)`. */
export function boundText({ seconds, by }: Bound): string {
  return `${seconds.toFixed(1)} s (${reasons[by]})`;
}
