import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { exactJsonOf } from '../../model/response.ts';
import { itemIds, itemsOf } from '../judging/listing.ts';
import { type Answered, answered, find, isAccepted, violated } from '../judging/reading.ts';

/**
 * A page that has no record while its caller goes too fast, though the same request got one and the same record before and
 * afterwards: the limiter answered in place of the list.
 */
export function* emptiedLists(context: Context, trace: Trace): Iterable<Ruling> {
  const reads = answered(context, trace).filter(
    ({ answer, operation }) => operation.kind === 'read' && isAccepted(answer) && !answer.truncated,
  );
  const known = new Set<string>();
  for (const one of reads) {
    const { id } = one.operation;
    if (known.has(id) || find(one.step, 'pace') === undefined || !isEmpty(one)) continue;
    const idOf = itemIds(context, id);
    const alike = reads.filter((other) => isSameRequest(one, other));
    const shown = (other: Answered): readonly string[] => itemsOf(other).flatMap((item) => idOf(item) ?? []);
    const earlier = alike.filter(({ exchange }) => exchange.endedAt <= one.exchange.startedAt);
    const after = alike.find(
      (other) => other.exchange.startedAt >= one.exchange.endedAt && shown(other).length > 0,
    );
    const before = earlier.find((other) => after !== undefined && shown(other).some(isIn(shown(after))));
    if (before === undefined || after === undefined) continue;
    known.add(id);
    yield violated([one, before, after], {
      expected: '429 to a caller that sends too fast',
      actual: `${one.answer.status}, and an empty page`,
      because: `The page showed ${shown(after).find(isIn(shown(before)))} before the burst and after a rest. So the pace alone emptied it.`,
    });
  }
}

function isIn(ids: readonly string[]): (id: string) => boolean {
  return (id) => ids.includes(id);
}

function isSameRequest(one: Answered, other: Answered): boolean {
  return (
    one.operation === other.operation &&
    one.step.as === other.step.as &&
    one.exchange.request.path === other.exchange.request.path
  );
}

function isEmpty(one: Answered): boolean {
  return (
    one.operation.pagination !== undefined &&
    exactJsonOf(one.answer) !== undefined &&
    itemsOf(one).length === 0
  );
}
