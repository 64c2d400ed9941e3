import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isArray, isObject, type Json, pointerOf } from '../../model/json.ts';
import { exactJsonOf } from '../../model/response.ts';
import { movedBetween } from '../../oracle/record-state.ts';
import {
  answered,
  faultsOf,
  find,
  holds,
  inconclusive,
  isAccepted,
  isQueued,
  keyName,
  type Seen,
  seen,
  violated,
} from './reading.ts';
import { isBookkeeping } from './removal.ts';

/** What a target showed before a command that failed or was lost, after its retries, and after one command more. */
type Count = {
  readonly on: readonly Seen[];
  readonly retry: Seen;
  /** By how many times the one command more the retried one moved what that moved. */
  readonly times: number;
  readonly shown: string;
  readonly moved: ReturnType<typeof movedBetween>;
};

/** A service may count its own failures, and keep a log of them. */
export const ofAttempts = /attempt|tries|retr|history|events?$|log|audit|sequence|revision|trail|transition/i;

function countOf(context: Context, trace: Trace): Count | undefined {
  const all = answered(context, trace);
  const first =
    all.find(({ step }) => find(step, 'fault') ?? find(step, 'lost-response')) ??
    seen(context, trace).find(({ step }) => find(step, 'lost-response'));
  const read = (observes: string) =>
    all.find((one) => one.step.observes === observes && isAccepted(one.answer));
  const [before, after, later] = [read('before'), read('after'), read('later')];
  if (first === undefined || before === undefined || after === undefined || later === undefined)
    return undefined;
  // Two reads before the command show whether reads are counted.
  if (
    seen(context, trace).some(
      ({ exchange, step }) => step.observes === 'before' && !isAccepted(exchange.answer),
    )
  )
    return undefined;
  const commands = all.filter(
    ({ exchange, operation }) =>
      operation === first.operation && exchange.startedAt < later.exchange.startedAt,
  );
  const next = commands.filter(({ step }) => keyName(step) !== keyName(first.step));
  const retry = commands.find(
    ({ answer, step }) => find(step, 'key-reuse')?.difference === 'none' && isAccepted(answer),
  );
  const [one] = next;
  if (one === undefined || next.length > 1 || retry === undefined || isAccepted(first.exchange.answer))
    return undefined;
  // A command that had to be sent again, or is only queued (202), may not have run, or not yet.
  if (!isAccepted(one.answer) || one.exchange.earlier.length > 0 || faultsOf(one.step).length > 0)
    return undefined;
  if (isQueued(one.answer) || isQueued(retry.answer)) return undefined;
  const again = all.findLast(({ step }) => step.observes === 'before') ?? before;
  const [zero, unmoved, two, three] = [before, again, after, later].map(({ answer }) =>
    numbersIn(exactJsonOf(answer) ?? null),
  );
  const moves = [...(three ?? [])].flatMap(([at, value]) => {
    const [from, to] = [zero?.get(at), two?.get(at)];
    if (from === undefined || to === undefined || isBookkeeping(at) || ofAttempts.test(at)) return [];
    // A count of reads, or what moves by itself.
    if (unmoved?.get(at) !== from) return [];
    const step = value - to;
    return Math.abs(step) < 1e-9
      ? []
      : [{ at, times: (to - from) / step, shown: `${at} was ${from}, ${to}, ${value}` }];
  });
  const [move] = moves;
  const times = Math.round(move?.times ?? -1);
  if (move === undefined || !moves.every((each) => Math.abs(each.times - times) < 1e-6)) return undefined;
  return {
    on: [retry, first, before, after, one, later],
    retry,
    times,
    shown: move.shown,
    moved: movedBetween(before, after),
  };
}

/** Of what a command counts up in its target: a failed or lost one and its retries count once. */
export function countedOnce(context: Context, trace: Trace): Ruling | undefined {
  const count = countOf(context, trace);
  if (count === undefined || count.times === 0) return undefined;
  const said = { expected: 'at most one effect', actual: count.shown };
  if (count.times === 1)
    return holds(count.on, {
      ...said,
      because: 'The command and its retry changed the target record as one command does.',
    });
  return count.times === 2
    ? violated(count.on, {
        ...said,
        because: 'The command and its retry changed the target record twice as much as one command does.',
        moved: count.moved,
      })
    : inconclusive(count.on, 'Other commands seem to change the target record too.');
}

/** A retry that was accepted has an effect, where the same command under another key has one (CMD-6). */
export function* lostByRetry(context: Context, trace: Trace): Iterable<Ruling> {
  const count = countOf(context, trace);
  if (count?.times === 0)
    yield violated(count.on, {
      expected: 'the effect of the accepted retry',
      actual: count.shown,
      because:
        'The retry was accepted, but the target record reads as before. The same command under another key changed it.',
    });
}

/** Numbers, decimals in texts, and lengths of lists, by their places. */
export function numbersIn(value: Json, path: readonly string[] = []): ReadonlyMap<string, number> {
  if (isObject(value))
    return new Map(
      Object.entries(value).flatMap(([name, member]) => [...numbersIn(member, [...path, name])]),
    );
  const number = isArray(value)
    ? value.length
    : typeof value === 'number' || (typeof value === 'string' && /^-?\d{1,12}(\.\d+)?$/.test(value))
      ? Number(value)
      : undefined;
  return number === undefined ? new Map() : new Map([[pointerOf(path), number]]);
}
