import type { Trace, TraceId } from './model/exchange.ts';
import { isAccepted } from './model/response.ts';
import { type StepId, stepsOf } from './model/scenario.ts';

type Repeat = Pick<Trace, 'id' | 'ended'> & { readonly refused: ReadonlySet<StepId> };
export type Repeats = Map<TraceId, readonly Repeat[]>;

/** Adds a trace to the repeats of another. Not the trace itself, whose responses may be long. */
export function addRepeat(repeatsOf: Repeats, trace: Trace): void {
  const { ended, id, repeats } = trace;
  if (repeats === undefined) return;
  const repeat = { id, ended, refused: validSteps(trace, 'refused') };
  repeatsOf.set(repeats, [...(repeatsOf.get(repeats) ?? []), repeat]);
}

/** The valid requests of a trace that were accepted, or those that were not. What is read back shows what others did. */
export function validSteps(
  { exchanges, scenario }: Trace,
  which: 'accepted' | 'refused',
): ReadonlySet<StepId> {
  const valid = new Set(
    stepsOf(scenario.waves).flatMap(({ deviations, id, role }) =>
      deviations.length === 0 && role !== 'readback' ? [id] : [],
    ),
  );
  return new Set(
    exchanges.flatMap(({ answer, step }) =>
      valid.has(step) && isAccepted(answer) === (which === 'accepted') ? [step] : [],
    ),
  );
}

export type Count = { readonly violated: number; readonly of: number };

/** Traces that violated a clause by a 5xx, each with the requests that failed. */
export type Failures = ReadonlyMap<TraceId, ReadonlySet<string>>;

/** One that the end of the run cut short counts only where it shows the violation. */
function wholeRepeats(
  id: TraceId,
  shown: { has: (id: TraceId) => boolean },
  repeatsOf: Repeats,
): readonly Repeat[] {
  return (repeatsOf.get(id) ?? []).filter(({ ended, id }) => ended === 'complete' || shown.has(id));
}

/**
 * For each of these traces, how many repeats it had, and how many of them showed the same. One in which the service refused
 * a valid request that it had accepted before did not come to what it was to show.
 */
export function counts(
  traces: ReadonlyMap<TraceId, ReadonlySet<StepId>>,
  repeatsOf: Repeats,
): readonly Count[] {
  return [...traces].map(([id, accepted]) => {
    const repeats = wholeRepeats(id, traces, repeatsOf).filter(
      (repeat) => traces.has(repeat.id) || ![...repeat.refused].some((step) => accepted.has(step)),
    );
    return { violated: repeats.filter((repeat) => traces.has(repeat.id)).length, of: repeats.length };
  });
}

export function sumOf(all: readonly Count[]): Count {
  return all.reduce((sum, { of, violated }) => ({ violated: sum.violated + violated, of: sum.of + of }), {
    violated: 0,
    of: 0,
  });
}

/** Violations of a cell that rest on a 5xx, and the repeats that left it open: these show nothing. */
type Doubted = { readonly passing: Failures; readonly openIn: ReadonlySet<TraceId> };

function decided(id: TraceId, { openIn, passing }: Doubted, repeatsOf: Repeats): readonly TraceId[] {
  return wholeRepeats(id, passing, repeatsOf).flatMap((repeat) =>
    passing.has(repeat.id) || !openIn.has(repeat.id) ? [repeat.id] : [],
  );
}

const several = ': several in a race';

/** What failed in a race, whose requests are all alike: which of them fails is chance. */
export function failuresOfRace(race: StepId, count: number): readonly string[] {
  return [`${race}: in a race`, ...(count > 1 ? [`${race}${several}`] : [])];
}

/**
 * The repeats of a violation that rests on a 5xx, where the same request failed in each of them: a trace of many requests
 * may meet a passing failure each time, and each time at another one. Two repeats are too few where others left it open: a
 * gateway that fails now and then may fail three times in one place. Several requests of a race fail together where the service
 * loses it, which is not each time: most repeats have to show that.
 */
export function confirmed(doubted: Doubted, repeatsOf: Repeats): Count | undefined {
  const { passing } = doubted;
  for (const [id, failures] of passing) {
    const repeats = decided(id, doubted, repeatsOf);
    const of = repeats.length;
    const enough = of > 2 || of === wholeRepeats(id, passing, repeatsOf).length;
    if (of === 0 || !enough) continue;
    const shownIn = (one: string): number => repeats.filter((repeat) => passing.get(repeat)?.has(one)).length;
    const isMost = (one: string): boolean =>
      one.endsWith(several) && shownIn(one) > 1 && shownIn(one) * 2 > of;
    const violated = Math.max(
      0,
      ...[...failures].filter((one) => shownIn(one) === of || isMost(one)).map(shownIn),
    );
    if (violated > 0) return { violated, of };
  }
  return undefined;
}

/** Whether each violation that rests on a 5xx was repeated, and the same request failed in no other of the repeats. */
export function refuted(doubted: Doubted, repeatsOf: Repeats): boolean {
  const { passing } = doubted;
  const first = new Map(
    [...repeatsOf].flatMap(([id, repeats]) => repeats.map((one) => [one.id, id] as const)),
  );
  const roots = new Set([...passing.keys()].map((id) => first.get(id) ?? id));
  return [...roots].every((id) => {
    const repeats = decided(id, doubted, repeatsOf);
    const failures = [id, ...repeats].flatMap((one) => [...(passing.get(one) ?? [])]);
    return repeats.length > 0 && new Set(failures).size === failures.length;
  });
}
