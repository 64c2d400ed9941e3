import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { exactJsonOf } from '../../model/response.ts';
import { numbersIn } from './counted-effects.ts';
import { duplicates } from './duplicates.ts';
import { isNear, isOfCommand } from './holder-counts.ts';
import {
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
 * A count or total in the record within which a command made something, or that holds its target (IDM-4): what the command
 * moved there once, each of its duplicates moved again by as much, though reads alone left it as it was.
 */
export function* movedInHolder(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  const reads = answered(context, trace).filter(
    ({ answer, step }) => step.observes === 'holder' && isAccepted(answer),
  );
  const [before, between, unmoved, after] = reads;
  const sent = duplicates(context, trace, 'none');
  const first = sent[0]?.first;
  if (before === undefined || between === undefined || unmoved === undefined || after === undefined) return;
  if (first === undefined || !isAccepted(first.exchange.answer) || faultsOf(first.step).length > 0) return;
  // What is only queued (202) may be done later.
  if (isQueued(first.exchange.answer)) return;
  const again = sent.map((each) => each.again);
  const order = all.filter(
    (one) => one.operation.kind === 'command' || reads.some(({ exchange }) => exchange === one.exchange),
  );
  const from = order.findIndex(({ exchange }) => exchange === before.exchange);
  // One that sets other values may come between, so that a duplicate of a PUT or PATCH that runs again shows.
  const other = order[from + 3];
  const changed = other !== undefined && isOther(other, first) ? [other] : [];
  const due = [before, first, between, ...changed, unmoved, ...again, after];
  const isAlone = due.every((one, index) => order[from + index]?.exchange === one.exchange);
  if (!isAlone || sent.some(({ concurrent }) => concurrent)) return;
  const [zero, one, same, last] = [before, between, unmoved, after].map(({ answer }) =>
    numbersIn(exactJsonOf(answer) ?? null),
  );
  const accepted = again.filter(({ exchange }) => isAccepted(exchange.answer)).length;
  for (const [at, now] of one ?? []) {
    const [was, left, later] = [zero?.get(at), same?.get(at), last?.get(at)];
    if (was === undefined || left === undefined || later === undefined) continue;
    if (changed.length === 0 && left !== now) continue;
    const step = now - was;
    const times = [accepted, again.length].find((count) => count > 0 && isNear(later - left, count * step));
    if (isNear(step, 0) || times === undefined || !isOfCommand(first, before, at, step)) continue;
    yield violated([...again, first, ...reads], {
      expected: 'at most one effect',
      actual: `${at} was ${[...new Set([was, now, left])].join(', ')}, ${later}`,
      because: `The command changed ${at} in the parent record, and each duplicate changed it again.`,
      moved: { read: after.operation.id, at: [at] },
    });
    return;
  }
}

function isOther({ exchange, operation, step }: Seen, first: Seen): boolean {
  return (
    operation === first.operation &&
    ['PUT', 'PATCH'].includes(operation.method) &&
    sameTarget(step, first.step) &&
    step.deviations.length === 0 &&
    isAccepted(exchange.answer) &&
    !isQueued(exchange.answer)
  );
}
