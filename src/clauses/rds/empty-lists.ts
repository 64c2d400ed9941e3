import type { Context, Fold, Ruling, Violated } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { type Answered, answered, faultsOf, isAccepted, violated } from '../judging/reading.ts';

type Doubt = { readonly one: Answered; readonly trace: Trace };

/** The first page of a list within no record is there, even while it is empty: its caller gets it at another time. */
export function emptyRefused(): Fold {
  const served = new Set<string>();
  const doubts = new Map<string, Doubt>();
  return {
    *see(context, trace) {
      for (const one of answered(context, trace)) {
        if (!isFirstPage(one)) continue;
        const place = `${one.operation.id} ${one.step.as} ${askedOf(one)}`;
        const doubt = doubts.get(place);
        if (isAccepted(one.answer)) {
          served.add(place);
          // Its trace is over, and is not repeated.
          if (doubt !== undefined) yield { ...ruling(doubt.one), conclusive: true, within: doubt.trace };
          doubts.delete(place);
        } else if (one.answer.status === 404) {
          if (served.has(place)) yield ruling(one);
          else doubts.set(place, { one, trace });
        }
      }
    },
  };
}

/** The same of a list within a record, which is read before anything is made in it, and again afterwards. */
export function* emptyWithin(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const one of all) {
    if (one.step.observes !== 'empty-list' || one.answer.status !== 404) continue;
    const filled = all.find(
      ({ answer, exchange, step }) =>
        step.controls === one.step.id &&
        isAccepted(answer) &&
        exchange.request.path === one.exchange.request.path,
    );
    if (filled !== undefined) yield ruling(one, filled);
  }
}

/** Whether a request asks for what a list shows to its caller, with nothing to choose items by but what it must name. */
function isFirstPage(one: Answered): boolean {
  const { body, kind, pagination, pathFields, queryFields } = one.operation;
  if (kind !== 'read' || pagination === undefined || pathFields.length > 0 || body !== undefined)
    return false;
  const isNeeded = (name: string): boolean =>
    queryFields.some((field) => field.name === name && field.required);
  return faultsOf(one.step).length === 0 && [...askedOf(one).keys()].every(isNeeded);
}

/** What a request asks for, whatever the size of its page. */
function askedOf({ exchange, operation }: Answered): URLSearchParams {
  const [, query] = exchange.request.path.split('?');
  const asked = new URLSearchParams(query);
  if (operation.pagination?.limit !== undefined) asked.delete(operation.pagination.limit);
  return asked;
}

function ruling(...on: readonly [Answered, ...Answered[]]): Violated {
  return violated(on, {
    expected: '2xx with an empty list',
    because: 'The list was not found. At another time its caller could read it.',
  });
}
