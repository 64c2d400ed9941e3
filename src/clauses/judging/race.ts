import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isIdInHeader } from '../../model/result-id.ts';
import {
  type Answered,
  answered,
  find,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isFailed,
  isThrottled,
  type Seen,
  summary,
  undecided,
  violated,
} from './reading.ts';

/** Two responses that are not 429 overlapped in time: only then was there a race. */
export function overlapped(members: readonly Seen[]): boolean {
  const served = members.filter((one) => undecided(one) === undefined).map((one) => one.exchange);
  return served.some((one) =>
    served.some(
      (other) => one !== other && one.startedAt <= other.startedAt && other.startedAt <= one.endedAt,
    ),
  );
}

/** The IDs of results, undefined where one has none. Where a header names some, it may be missing in others. */
function resultsOf(accepted: readonly Answered[]): readonly (string | undefined)[] {
  const ids = accepted.map((one) => idOf(one.operation, one.answer));
  const inHeader = accepted.some((one) => isIdInHeader(one.operation, one.answer));
  return inHeader ? ids.filter((id) => id !== undefined) : ids;
}

/** N parallel duplicates: one result, every other response the same ID, 409 or 429 (IDM-8). */
export function race(context: Context, trace: Trace): readonly Ruling[] {
  const all = answered(context, trace);
  return trace.scenario.waves.flatMap((wave): readonly Ruling[] => {
    if (!('steps' in wave)) return [];
    const members = all.filter((one) => wave.steps.some(({ id }) => id === one.step.id));
    if (members.length < 2) return [];
    const ids = new Set(wave.steps.map((step) => step.id));
    const keys = new Set(wave.steps.map((step) => (step.key.use === 'named' ? step.key.name : step.id)));
    // A hook may hold the first one, so that the others surely meet it.
    const same = wave.steps.every(
      (step) =>
        step.deviations.every((one) => one.kind === 'fault' && one.how === 'slow') ||
        find(step, 'key-reuse')?.difference === 'none',
    );
    if (keys.size !== 1 || !same) return [];
    const expected = 'one result; every response 2xx with its ID, 409 or 429';
    const counts = new Map<number, number>();
    for (const one of members) counts.set(one.answer.status, (counts.get(one.answer.status) ?? 0) + 1);
    const actual = [...counts].map(([status, count]) => `${count} x ${status}`).join(', ');
    const accepted = members.filter((one) => isAccepted(one.answer));
    const results = new Set(resultsOf(accepted));
    if (results.size > 1)
      return [
        violated(accepted, {
          expected,
          actual,
          because: `Parallel duplicates were accepted with different IDs: ${[...results].join(', ')}.`,
          conclusive: true,
        }),
      ];
    const odd = members.filter(
      (one) =>
        !isAccepted(one.answer) &&
        one.answer.status !== 409 &&
        !isThrottled(one.answer) &&
        // A gateway may have given up on the one that the hook held.
        !(isFailed(one.answer) && find(one.step, 'fault') !== undefined),
    );
    const [firstOdd] = odd;
    if (firstOdd !== undefined) {
      const on = [...odd, ...accepted].slice(0, 6);
      const worked =
        accepted.length > 0 || all.some((one) => isAccepted(one.answer) && one.step.controls !== undefined);
      return [
        worked
          ? violated(on, {
              expected,
              actual,
              because: `A parallel duplicate of a valid command returned ${summary(firstOdd.exchange)}.`,
            })
          : inconclusive(on, 'No parallel duplicate was accepted, nor was the command under another key.'),
      ];
    }
    if (!overlapped(members))
      return [inconclusive(members, 'The responses did not overlap in time, so there was no race.')];
    if (accepted.length > 0)
      return [holds(members, { expected, actual, because: 'The parallel duplicates had one result.' })];
    const later = all.find(
      (one) => find(one.step, 'key-reuse') !== undefined && !ids.has(one.step.id) && isAccepted(one.answer),
    );
    return [
      later === undefined
        ? inconclusive(members, 'No parallel duplicate was accepted, nor was the later retry.')
        : holds(members, {
            expected,
            actual,
            because: 'No parallel duplicate was accepted; the command was accepted when it was sent again.',
          }),
    ];
  });
}
