import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { exactJsonOf } from '../../model/response.ts';
import { numbersIn } from '../judging/counted-effects.ts';
import { isNear, isOfCommand } from '../judging/holder-counts.ts';
import {
  type Answered,
  answered,
  faultsOf,
  holds,
  isAccepted,
  isQueued,
  type Seen,
  sameTarget,
  seen,
  violated,
} from '../judging/reading.ts';

/** Reads of one record before and after one command, after several at once, and after one command more. */
type Reads = Readonly<Record<'before' | 'again' | 'between' | 'after' | 'later', Answered>>;

/**
 * A count or total that one command moves by as much before and after several that were sent at once, and that these moved by less
 * than all of them: one wrote back what it had read before another one wrote (CMD-6).
 */
export function* lostAtOnce(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  const shown = answered(context, trace).filter(
    ({ answer, step }) => step.observes === 'holder' && isAccepted(answer),
  );
  const expected = 'what all accepted commands moved';
  for (const path of new Set(shown.map(({ exchange }) => exchange.request.path))) {
    const ofOne = shown.filter(({ exchange }) => exchange.request.path === path);
    const [before, again, between, after, later, ...more] = ofOne;
    if (before === undefined || again === undefined || between === undefined) continue;
    if (after === undefined || later === undefined || more.length > 0) continue;
    const reads: Reads = { before, again, between, after, later };
    const sent = sentAround(all, reads);
    if (sent === undefined) continue;
    const { accepted, another, single } = sent;
    const on = [...accepted, single, another, before, again, between, after, later];
    const move = movesOf(reads, single).find(({ times }) => times < accepted.length);
    if (move !== undefined)
      yield violated(on, {
        expected,
        actual: move.shown,
        because: `One command changes ${move.at} by ${move.by}. ${accepted.length} accepted commands at once changed it ${move.times} times as much.`,
        moved: { read: after.operation.id, at: [move.at] },
      });
    else if (movesOf(reads, single).length > 0)
      yield holds(on, { expected, because: 'The record shows all commands that were accepted at once.' });
  }
}

type Sent = { readonly single: Seen; readonly accepted: readonly Seen[]; readonly another: Seen };

/** The commands between the reads, where they are alone and it is known of each whether it was carried out. */
function sentAround(all: readonly Seen[], { after, again, before, between, later }: Reads): Sent | undefined {
  const commands = all.filter(
    ({ exchange, operation }) =>
      operation.kind === 'command' &&
      exchange.endedAt > before.exchange.endedAt &&
      exchange.startedAt < later.exchange.startedAt,
  );
  const within = (from: Answered, to: Answered): readonly Seen[] =>
    commands.filter(
      ({ exchange }) =>
        exchange.startedAt >= from.exchange.endedAt && exchange.endedAt <= to.exchange.startedAt,
    );
  const [singles, racers, others] = [within(again, between), within(between, after), within(after, later)];
  const [single] = singles;
  const [another] = others;
  if (single === undefined || another === undefined || singles.length + others.length !== 2) return undefined;
  if (commands.length !== racers.length + 2) return undefined;
  const isKnown = ({ exchange: { answer, earlier }, operation, step }: Seen): boolean =>
    operation === single.operation &&
    sameTarget(step, single.step) &&
    faultsOf(step).length === 0 &&
    earlier.length === 0 &&
    answer !== undefined &&
    !isQueued(answer) &&
    (isAccepted(answer) || isRefused(answer.status));
  const accepted = racers.filter(({ exchange }) => isAccepted(exchange.answer));
  if (!commands.every(isKnown) || !isAccepted(single.exchange.answer) || !isAccepted(another.exchange.answer))
    return undefined;
  return accepted.length < 2 ? undefined : { single, accepted, another };
}

/** The record may have had too little left, or another one was first. */
function isRefused(status: number): boolean {
  return status === 409 || status === 422;
}

type Move = { readonly at: string; readonly by: number; readonly times: number; readonly shown: string };

/** By how much, as a multiple of what one command moves, the commands at once moved each number of the record that is theirs. */
function movesOf({ after, again, before, between, later }: Reads, single: Seen): readonly Move[] {
  const [zero, same, one, many, last] = [before, again, between, after, later].map(({ answer }) =>
    numbersIn(exactJsonOf(answer) ?? null),
  );
  return [...(one ?? [])].flatMap(([at, now]) => {
    const [was, unmoved, moved, end] = [zero?.get(at), same?.get(at), many?.get(at), last?.get(at)];
    if (was === undefined || unmoved !== was || moved === undefined || end === undefined) return [];
    const by = now - was;
    // What has come to its limit is not moved by one more either.
    if (isNear(by, 0) || !isNear(end - moved, by) || !isOfCommand(single, before, at, by)) return [];
    const times = Math.round((moved - now) / by);
    if (times < 1 || !isNear(moved - now, times * by)) return [];
    return [{ at, by, times, shown: `${at} was ${[was, now, moved, end].join(', ')}` }];
  });
}
