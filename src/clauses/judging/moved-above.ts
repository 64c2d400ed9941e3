import type { Violated } from '../../model/clause.ts';
import { exactJsonOf } from '../../model/response.ts';
import { unsettledAhead } from './command-before.ts';
import { numbersIn } from './counted-effects.ts';
import { isNear, isOfCommand } from './holder-counts.ts';
import { type Answered, isAccepted, responseClass, type Seen, violated } from './reading.ts';

/** Numbers that a service may keep of what it refused. */
const ofRefusals = /refus|reject|den[iy]|declin|invalid|fail|error|block|forbid|conflict|unauthor/i;

/**
 * A count or total in the record within which a refused command would make something, or that holds its target: moved by
 * as much as such commands would move it, though reads alone left it as it was, and all that came between was refused.
 */
export function movedAbove(all: readonly Seen[], test: Answered): Violated | undefined {
  const at = all.indexOf(all.find(({ exchange }) => exchange === test.exchange) ?? test);
  const reads = (some: readonly Seen[]): readonly Seen[] =>
    some.filter(({ exchange, step }) => step.observes === 'holder' && isAccepted(exchange.answer));
  const [before, again] = reads(all.slice(0, at)).slice(-2);
  const [after] = reads(all.slice(at));
  if (before === undefined || again === undefined || after === undefined) return undefined;
  const sent = all
    .slice(all.indexOf(before), all.indexOf(after))
    .filter(({ operation }) => operation.kind === 'command');
  // After 408 it may still be carried out.
  const isRefused = ({ exchange }: Seen): boolean =>
    [exchange, ...exchange.earlier].every(
      ({ answer }) => responseClass(answer) === 'refused' && answer?.status !== 408,
    );
  if (!sent.every(isRefused) || unsettledAhead(all, test) !== undefined) return undefined;
  const [zero, same, last] = [before, again, after].map(({ exchange }) =>
    numbersIn(exactJsonOf(exchange.answer) ?? null),
  );
  for (const [place, was] of zero ?? []) {
    const now = last?.get(place);
    if (now === undefined || same?.get(place) !== was || isNear(now, was) || ofRefusals.test(place)) continue;
    const times =
      sent.findIndex((_, index) => isOfCommand(test, before, place, (now - was) / (index + 1))) + 1;
    if (times === 0) continue;
    return violated([test, before, again, after], {
      expected: 'the parent record as it was before',
      actual: `${place} was ${was}, and is ${now}`,
      because: `The command was refused, but changed ${place} in the parent record.`,
      moved: { read: after.operation.id, at: [place] },
    });
  }
  return undefined;
}
