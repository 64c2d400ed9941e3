import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { scopeOf } from '../../model/principal.ts';
import { isOneCaller } from './readers.ts';
import { type Answered, inconclusive, isAccepted, type Seen, seen, violated } from './reading.ts';

/** A request of another scope under an ID that the caller reads nothing under, and the first scope does. */
export function noOwnRecord(
  context: Context,
  trace: Trace,
  one: Answered,
  expected: string,
): Ruling | undefined {
  const all = seen(context, trace);
  const control = all.findLast(
    ({ exchange, step }) => step.controls === one.step.id && isAccepted(exchange.answer),
  );
  return control === undefined ? undefined : unreadAfter(context, trace, one, control, expected);
}

/** The same, by what is read after a request that was accepted in the first scope. */
export function unreadAfter(
  context: Context,
  trace: Trace,
  one: Answered,
  accepted: Seen,
  expected: string,
): Ruling | undefined {
  if (one.operation.method === 'DELETE') return undefined;
  const all = seen(context, trace);
  const from = all.findLastIndex(({ exchange }) => exchange.id === accepted.exchange.id) + 1;
  const later = all.slice(from).filter((read) => isReadOf(read, one));
  const afar = later.find(({ step }) => isOneCaller(context, step.as, one.step.as));
  const near = later.find(
    ({ exchange, step }) =>
      scopeOf(context.principals, step.as) !== scopeOf(context.principals, one.step.as) &&
      isAccepted(exchange.answer),
  );
  if (afar === undefined || near === undefined || isAccepted(afar.exchange.answer)) return undefined;
  const on = [one, afar, near];
  const status = afar.exchange.answer?.status ?? 0;
  if (![403, 404, 410].includes(status) || !context.proven.has(afar.step.as))
    return inconclusive(on, 'Nothing shows whether the caller has its own record under this ID.');
  return violated(on, {
    expected,
    because: `The ${one.operation.kind} returned ${one.answer.status}, but its caller gets ${status} for the record. Only a caller of the first scope can read it.`,
  });
}

/** Whether a read asks for the record that a request names, or for one that holds it. */
function isReadOf({ operation, step }: Seen, { step: { target = {} } }: Seen): boolean {
  const asked = Object.entries(step.target ?? {});
  return (
    operation.kind === 'read' &&
    asked.length > 0 &&
    asked.every(([name, ref]) => JSON.stringify(target[name]) === JSON.stringify(ref))
  );
}
