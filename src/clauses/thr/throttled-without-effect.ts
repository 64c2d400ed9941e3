import type { Context } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { hasMarker, isUsual } from '../../model/marker.ts';
import { about } from '../judging/about.ts';
import type { EffectsJudge } from '../judging/effects.ts';
import { answered, find, inconclusive, isAccepted, isThrottled, markerOf, seen } from '../judging/reading.ts';

/** Throttled requests of a burst that were never accepted later must have left no record. */
export function throttledWithoutEffect(): EffectsJudge {
  const judge = about('pace').noEffect(
    // What failed in the burst may have been carried out, and was not throttled.
    (step, answer) => find(step, 'pace') !== undefined && isThrottled(answer),
    (context, trace, { operation }) =>
      answered(context, trace).some((one) => one.operation.id === operation.id && isAccepted(one.answer)),
  );
  return {
    ...judge,
    *rule(context, trace) {
      for (const ruling of judge.rule(context, trace))
        yield ruling.verdict === 'violated' && mayHaveMoved(context, trace, ruling.exchanges)
          ? inconclusive(
              ruling.exchanges.flatMap(
                (id) => seen(context, trace).find(({ exchange }) => exchange.id === id) ?? [],
              ),
              'The record does not read as before, but the guided wait lies between: it may have changed by itself.',
            )
          : ruling;
    },
  };
}

/** For so long is looked, elsewhere in the run, how records change that nobody sends a command to. */
const watched = 10_000;

/** Whether so much time is between two reads of a record that it may have changed by itself, and no text of the command shows. */
function mayHaveMoved(context: Context, trace: Trace, on: readonly string[]): boolean {
  const all = seen(context, trace).filter(({ exchange }) => on.includes(exchange.id));
  const [before, after] = (['before', 'after'] as const).map((when) =>
    all.find(({ step }) => step.observes === when),
  );
  const sent = all.find(({ step }) => find(step, 'pace') !== undefined);
  const marker = sent === undefined ? undefined : markerOf(trace, sent);
  return (
    before !== undefined &&
    after !== undefined &&
    after.exchange.startedAt - before.exchange.endedAt > watched &&
    (marker === undefined || !isUsual(marker) || !hasMarker(after.exchange.answer?.body ?? '', marker))
  );
}
