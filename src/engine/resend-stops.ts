import type { Exchange } from '../model/exchange.ts';
import type { StopSuspect } from '../model/stop.ts';
import { claimOf } from './order.ts';
import { observe, pursue, type Runner } from './pursue.ts';
import { halted } from './stage.ts';
import {
  type Stops,
  type Suspect,
  stoppingRequest,
  suspectOf,
  type Tried,
  wasRefusedAfter,
} from './stops.ts';

/** At most so many scenarios are sent again. */
const mostResent = 16;
/** How often one is sent again: each time where few come into question, or where the target stopped after it. */
const mostTimes = 3;
const few = 3;
/** Numbers of attempts beyond those at a scenario that was disturbed. */
const firstAttempt = 10;
/** At most so many requests of a stop are named where none was sent again. */
const mostNamed = 10;

/** Sends again, one at a time, what was in flight at a stop; where nothing can be sent, suspects are only named. */
export async function resendStops(runner: Runner, stops: Stops): Promise<readonly StopSuspect[]> {
  const { stage } = runner.options;
  // The last stop may still be going on: what is sent first would be taken for its cause.
  await stage.there?.();
  const suspects = stops.suspects();
  const all = stops.count();
  stops.freeze();
  const found: StopSuspect[] = [];
  const known = new Set<number>();
  const explained = new Set<number>();
  const most = suspects.length <= few ? mostTimes : 1;
  for (const suspect of stage.exclusive === true ? suspects : []) {
    const { at, tried } = suspect;
    if (halted(runner.options) || found.length >= mostResent) break;
    if (tried === undefined || [...at].every((stop) => explained.has(stop))) continue;
    const seen = await resend(runner, stops, { ...suspect, tried }, most);
    if (seen === undefined) continue;
    found.push(suspectOf({ ...suspect, exchange: seen.exchange }, { ...seen.counted, stops: all }));
    for (const stop of at) {
      known.add(stop);
      if (seen.counted.stopped > 0) explained.add(stop);
    }
  }
  const others = suspects.filter(({ at }) => [...at].every((stop) => !known.has(stop)));
  return [
    ...found,
    ...others.slice(0, mostNamed).map((suspect) => suspectOf(suspect, { again: 0, stopped: 0, stops: all })),
  ];
}

/** The request after which the target stopped, and how often. */
type Resent = {
  readonly exchange: Exchange;
  readonly counted: { readonly again: number; readonly stopped: number };
};

async function resend(
  runner: Runner,
  stops: Stops,
  suspect: Suspect & { readonly tried: Tried },
  most: number,
): Promise<Resent | undefined> {
  const { stage } = runner.options;
  const { planned, ...what } = suspect.tried;
  let { exchange } = suspect;
  let again = 0;
  let stopped = 0;
  while (again < (stopped > 0 ? mostTimes : most) && !halted(runner.options)) {
    const lane = await runner.lanes.enter({ ...claimOf(stage.contract, what.scenario), alone: 'target' });
    try {
      const before = stops.count();
      const turn = { planned, rest: lane.rest };
      const attempt = firstAttempt + again;
      const seen = await observe(runner, turn, { ...what, purpose: 'first', repeats: undefined, attempt });
      const there = (await stage.there?.()) ?? true;
      // What ended on the way says nothing, unless the target did not return.
      if (seen.trace.ended !== 'complete' && there && stops.count() === before) break;
      again += 1;
      if (!there || stops.count() > before || wasRefusedAfter(seen.trace)) {
        if (stopped === 0) exchange = stoppingRequest(seen.trace) ?? exchange;
        stopped += 1;
      }
      await pursue(runner, turn, seen);
    } finally {
      lane.leave();
    }
  }
  return again === 0 ? undefined : { exchange, counted: { again, stopped } };
}
