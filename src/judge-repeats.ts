import type { Trace, TraceId } from './model/exchange.ts';

export type Repeats = Map<TraceId, readonly Pick<Trace, 'id' | 'ended'>[]>;

/** Adds a trace to the repeats of another. Not the trace itself, whose responses may be long. */
export function addRepeat(repeatsOf: Repeats, { ended, id, repeats }: Trace): void {
  if (repeats !== undefined) repeatsOf.set(repeats, [...(repeatsOf.get(repeats) ?? []), { id, ended }]);
}

export type Count = { readonly violated: number; readonly of: number };

/** Traces that violated a clause by a 5xx, each with the requests that failed. */
export type Failures = ReadonlyMap<TraceId, ReadonlySet<string>>;

/**
 * The repeats of a trace that count. One that the end of the run cut short may not have come to what it was to show, so
 * it counts only where it shows it.
 */
function wholeRepeats(
  id: TraceId,
  shown: { has: (id: TraceId) => boolean },
  repeatsOf: Repeats,
): readonly TraceId[] {
  return (repeatsOf.get(id) ?? []).flatMap((repeat) =>
    repeat.ended === 'complete' || shown.has(repeat.id) ? [repeat.id] : [],
  );
}

/** For each of these traces, how many repeats it had, and how many of them showed the same. */
export function counts(traces: ReadonlySet<TraceId>, repeatsOf: Repeats): readonly Count[] {
  return [...traces].map((id) => {
    const repeats = wholeRepeats(id, traces, repeatsOf);
    return { violated: repeats.filter((repeat) => traces.has(repeat)).length, of: repeats.length };
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
  return wholeRepeats(id, passing, repeatsOf).filter((repeat) => passing.has(repeat) || !openIn.has(repeat));
}

/**
 * The repeats of a violation that rests on a 5xx, where the same request failed in each of them: a trace of many requests
 * may meet a passing failure each time, and each time at another one. One repeat is too few where others left it open: a
 * gateway that fails now and then may fail twice in one place.
 */
export function confirmed(doubted: Doubted, repeatsOf: Repeats): Count | undefined {
  const { passing } = doubted;
  for (const [id, failures] of passing) {
    const repeats = decided(id, doubted, repeatsOf);
    const of = repeats.length;
    const enough = of > 1 || of === wholeRepeats(id, passing, repeatsOf).length;
    if (
      of > 0 &&
      enough &&
      [...failures].some((one) => repeats.every((repeat) => passing.get(repeat)?.has(one)))
    )
      return { violated: of, of };
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
