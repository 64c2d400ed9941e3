import type { Fold } from '../../model/clause.ts';
import { type Answered, answered, faultsOf, isAccepted, violated } from '../judging/reading.ts';

/** A cursor may end with the record that it points at, but not in so many traces, where none is ever accepted. */
const leastRefused = 3;
/** What a service says to a cursor that it does not know. */
const refusals: readonly number[] = [400, 404, 409, 410, 422];

/** A list refuses what its own first page names as the next one, whenever it is asked for it: nobody gets to its second page. */
export function refusedCursors(): Fold {
  const served = new Set<string>();
  const refused = new Map<string, number>();
  return {
    *see(context, trace) {
      const all = answered(context, trace);
      const seconds = all.flatMap((one): readonly (readonly [Answered, Answered])[] => {
        const first = firstPageOf(one, all);
        return first === undefined ? [] : [[first, one]];
      });
      for (const [, { answer, operation }] of seconds) if (isAccepted(answer)) served.add(operation.id);
      const [lost] = seconds.filter(
        ([, { answer, operation }]) => refusals.includes(answer.status) && !served.has(operation.id),
      );
      if (lost === undefined) return;
      const [first, second] = lost;
      const { id } = second.operation;
      refused.set(id, (refused.get(id) ?? 0) + 1);
      if ((refused.get(id) ?? 0) < leastRefused) return;
      yield violated([second, first], {
        expected: '2xx for the cursor that the page before names',
        because: 'The list refuses its own cursor. In this run it accepted none.',
      });
    },
  };
}

/** The first page that names this one as the next, asked for by the same caller with the same query. */
function firstPageOf(one: Answered, all: readonly Answered[]): Answered | undefined {
  const { operation, step } = one;
  const named = operation.pagination?.cursor;
  const query = step.query ?? [];
  const [, next] = query.find(([name]) => name === named) ?? [];
  const rest = query.filter(([name]) => name !== named);
  if (typeof next !== 'object' || !('cursor' in next || 'nextPage' in next)) return undefined;
  // A service may refuse filters next to a cursor, which holds them.
  const isPlain = rest.every(
    ([name]) =>
      name === operation.pagination?.limit ||
      operation.queryFields.some((field) => field.name === name && field.required),
  );
  if (!isPlain) return undefined;
  const first = all.find((each) => each.step.id === next.step);
  return first !== undefined &&
    first.operation.id === operation.id &&
    first.step.as === step.as &&
    isAccepted(first.answer) &&
    [...faultsOf(first.step), ...faultsOf(step)].length === 0 &&
    JSON.stringify([first.step.query ?? [], first.step.target, first.step.token]) ===
      JSON.stringify([rest, step.target, step.token])
    ? first
    : undefined;
}
