import type { Trace } from '../../model/exchange.ts';
import { hasMarker, isUsual } from '../../model/marker.ts';
import { sameState } from '../../oracle/record-state.ts';
import { about } from '../judging/about.ts';
import type { EffectsJudge } from '../judging/effects.ts';
import { isUnknown, reachesLimit } from '../judging/moved-target.ts';
import {
  answered,
  find,
  inconclusive,
  isAccepted,
  isThrottled,
  markerOf,
  type Seen,
  seen,
} from '../judging/reading.ts';

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
      for (const ruling of judge.rule(context, trace)) {
        const all = seen(context, trace);
        const on = ruling.exchanges.flatMap((id) => all.find(({ exchange }) => exchange.id === id) ?? []);
        const doubt = ruling.verdict === 'violated' ? otherCause(trace, all, on) : undefined;
        yield doubt === undefined ? ruling : inconclusive(on, doubt);
      }
    },
  };
}

/** For so long is looked, elsewhere in the run, how records change that nobody sends a command to. */
const watched = 10_000;

/** What else may have changed a record between two reads, where no text of the command shows. */
function otherCause(trace: Trace, all: readonly Seen[], on: readonly Seen[]): string | undefined {
  const [before, after] = (['before', 'after'] as const).map((when) =>
    on.find(({ step }) => step.observes === when),
  );
  const sent = on.find(({ step }) => find(step, 'pace') !== undefined);
  if (before === undefined || after === undefined || sent === undefined) return undefined;
  const marker = markerOf(trace, sent);
  if (marker !== undefined && isUsual(marker) && hasMarker(after.exchange.answer?.body ?? '', marker))
    return undefined;
  if (isLeftAlone(all, before, after)) return undefined;
  const between = all.slice(all.indexOf(before), all.indexOf(after));
  if (between.some((one) => reachesLimit(one, sent) && (isAccepted(one.exchange.answer) || isUnknown(one))))
    return 'The record does not read as before, but the limit was reached with commands on another record: they may have changed it.';
  return after.exchange.startedAt - before.exchange.endedAt > watched
    ? 'The record does not read as before, but the guided wait lies between: it may have changed by itself.'
    : undefined;
}

/** Whether a record of the same kind, which no command named meanwhile, reads the same before and after. */
function isLeftAlone(all: readonly Seen[], before: Seen, after: Seen): boolean {
  const [was, is] = [
    all.slice(0, all.indexOf(after)).findLast(({ step }) => step.observes === 'neighbour-before'),
    all.slice(all.indexOf(before)).find(({ step }) => step.observes === 'neighbour'),
  ];
  return (
    was !== undefined &&
    is !== undefined &&
    was.exchange.startedAt >= before.exchange.startedAt &&
    isAccepted(was.exchange.answer) &&
    isAccepted(is.exchange.answer) &&
    was.exchange.request.path === is.exchange.request.path &&
    sameState(was, is)
  );
}
