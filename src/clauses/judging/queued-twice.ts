import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { exactJsonOf } from '../../model/response.ts';
import { numbersIn, ofAttempts } from './counted-effects.ts';
import { duplicates } from './duplicates.ts';
import { isNear } from './holder-counts.ts';
import {
  type Answered,
  answered,
  faultsOf,
  isAccepted,
  isQueued,
  type Seen,
  sameTarget,
  seen,
  violated,
} from './reading.ts';

/**
 * A number in the record of a queued command (IDM-4): the command moved it once, each of its duplicates by as much, and so did
 * one command more under another key. A command that is done in several steps moves it for longer, or not the same each time.
 */
export function* queuedTwice(context: Context, trace: Trace): Iterable<Ruling> {
  const sent = duplicates(context, trace, 'none');
  const first = sent[0]?.first;
  if (first === undefined || sent.some(({ concurrent }) => concurrent)) return;
  if (!isQueued(first.exchange.answer) || faultsOf(first.step).length > 0) return;
  const own = answered(context, trace).filter(({ step }) => sameTarget(step, first.step));
  const reads = own.filter(({ step }) => step.observes !== undefined);
  const again = sent.map((each) => each.again);
  const [initial, between, unmoved, after, later, settled] = reads;
  if (initial === undefined || between === undefined || unmoved === undefined) return;
  if (after === undefined || later === undefined || settled === undefined) return;
  const next = own.find(({ exchange }) => isBetween(exchange, after, later));
  if (next === undefined || !isAccepted(next.answer) || faultsOf(next.step).length > 0) return;
  const due = [initial, first, between, unmoved, ...again, after, next, later, settled];
  const onTarget = seen(context, trace).filter(
    ({ operation, step }) =>
      sameTarget(step, first.step) && (operation.kind === 'command' || step.observes !== undefined),
  );
  const isAlone = due.every((one, at) => onTarget[at]?.exchange === one.exchange);
  // A command that had to be sent again may have run more than once, each time under its own response.
  const isPlain = due.every(({ exchange }) => exchange.earlier.length === 0);
  if (!isAlone || due.length < onTarget.length || !isPlain || !reads.every((one) => isAccepted(one.answer)))
    return;
  const [zero, one, same, two, three, last] = reads.map(({ answer }) =>
    numbersIn(exactJsonOf(answer) ?? null),
  );
  const counts = [again.filter(({ exchange }) => isAccepted(exchange.answer)).length, again.length];
  for (const [at, was] of zero ?? []) {
    const [now, left, done, more] = [one, same, two, three].map((each) => each?.get(at) ?? Number.NaN);
    if (now === undefined || done === undefined || more === undefined || ofAttempts.test(at)) continue;
    const step = now - was;
    const isOne = left === now && isNear(more - done, step) && last?.get(at) === more;
    if (isNear(step, 0) || !isOne || !counts.some((count) => count > 0 && isNear(done - now, count * step)))
      continue;
    yield violated([...again, first, ...reads, next], {
      expected: 'at most one effect',
      actual: `${at} was ${was}, ${now}, ${done}, ${more}`,
      because: `The command was queued (202) and changed ${at}. Each duplicate changed it again, as a command under another key did.`,
      moved: { read: after.operation.id, at: [at] },
    });
    return;
  }
}

function isBetween(exchange: Seen['exchange'], one: Answered, other: Answered): boolean {
  return exchange.startedAt >= one.exchange.endedAt && exchange.endedAt <= other.exchange.startedAt;
}
