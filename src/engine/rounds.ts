import { lookupsOf, noLookups } from './lookups.ts';
import { claimOf } from './order.ts';
import { type Doubt, type Runner, repeat } from './pursue.ts';
import { readList } from './read-list.ts';
import { halted } from './stage.ts';
import { type EffectRead, effectReadsOf, effectsOfTrace, isSeen, madeBy, placeName } from './sweep.ts';
import { newWalk } from './walk.ts';

/** At most so many traces wait for a sweep, so that memory stays flat. */
export const batch = 400;

/** One round: reads the lists once for all waiting traces, the settling time after the last write, and judges effects. */
export async function sweepRound(runner: Runner): Promise<readonly Doubt[]> {
  const { options } = runner;
  const waiting = runner.pending;
  if (waiting.length === 0) return [];
  runner.pending = [];
  const { stage, planning } = options;
  const rest = runner.lastWrite + stage.settleMs - stage.clock.monotonic();
  if (rest > 0 && !stage.signal.aborted) {
    options.onEvent({ kind: 'waiting', milliseconds: rest, why: 'for reads to show what was written (G15)' });
    await stage.clock.sleep(rest, stage.signal);
  }
  const reads = new Map<string, EffectRead>();
  const made = new Map<string, Set<string>>();
  for (const { trace } of waiting) {
    for (const marker of Object.values(trace.bound.markers)) runner.own.add(marker);
    for (const effectRead of effectReadsOf(planning, trace)) reads.set(placeName(effectRead), effectRead);
    for (const { at, id } of madeBy(planning, trace)) made.set(at, (made.get(at) ?? new Set()).add(id));
  }
  const { own, sighting } = runner;
  const lookups = lookupsOf(
    planning,
    waiting.map(({ trace }) => trace),
  );
  const walked = await Promise.all(
    [...reads.values()].map(async (effectRead) => {
      const lane = await runner.lanes.enter({ uses: [effectRead.reader.name] });
      try {
        const name = placeName(effectRead);
        const walk = runner.walks.get(name) ?? newWalk();
        runner.walks.set(name, walk);
        const expected = made.get(name) ?? new Set();
        const result = await readList(options, {
          ...effectRead,
          sighting,
          rest: lane.rest,
          walk,
          own,
          expected,
          lookups: lookups.get(name) ?? noLookups,
        });
        return [name, result] as const;
      } finally {
        lane.leave();
      }
    }),
  );
  const walks = new Map(walked);
  const last = walked.findLast(([, walk]) => walk.last !== undefined)?.[1].last;
  const doubts: Doubt[] = [];
  for (const { trace, planned } of waiting) {
    const complete = isSeen(planning, trace, walks);
    const effects = effectsOfTrace(planning, trace, {
      ...sighting,
      complete,
      last,
      unsure: own.unsure,
    });
    const withEffects = { ...trace, effects };
    const recorded = options.recordEffects(withEffects);
    const violations = options.ledger.seeEffects(withEffects);
    await recorded;
    for (const violation of violations)
      if (violation.clause.level !== 'advisory')
        options.onEvent({ kind: 'violation', violation, trace: withEffects });
    if (violations.length > 0 && trace.purpose === 'first') doubts.push({ planned, trace, violations });
  }
  return doubts;
}

/** Repeats what the effects of a round violate for the first time, all at once; the next round shows their effects. */
export async function repeatDoubts(runner: Runner, doubts: readonly Doubt[]): Promise<void> {
  await Promise.all(
    doubts.map(async ({ planned, trace, violations }) => {
      const fresh = halted(runner.options) ? [] : runner.pursuits.take(violations);
      if (fresh.length === 0) return;
      const { alone } = planned.probe;
      const claim = {
        ...claimOf(runner.options.stage.contract, trace.scenario),
        ...(alone === undefined ? {} : { alone: 'target' as const }),
      };
      const lane = await runner.lanes.enter(claim);
      try {
        await repeat(runner, { planned, rest: lane.rest }, trace, fresh);
      } finally {
        lane.leave();
      }
    }),
  );
}
