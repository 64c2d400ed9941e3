import type { Context, Fold, Violated } from '../model/clause.ts';
import { creates, idText, isCount, type OperationId } from '../model/contract.ts';
import type { Trace } from '../model/exchange.ts';
import { pointerTokens } from '../model/json.ts';
import { exactJsonOf } from '../model/response.ts';
import { idPointer } from '../model/result-id.ts';
import { differences } from '../oracle/record-state.ts';
import { membersOf } from './judging/changes.ts';
import {
  type Answered,
  answered,
  faultsOf,
  idOf,
  isAccepted,
  pathValues,
  type Seen,
  seen,
  violated,
} from './judging/reading.ts';
import { isBookkeeping } from './judging/removal.ts';

type Made = { readonly by: OperationId; readonly name: string };
type Doubt = { readonly one: Answered; readonly named: Made; readonly id: string; readonly trace: Trace };

/** So many records are remembered, those that were made last. */
const most = 5000;

/**
 * The result of a command on one record does not show another one, which another command made: then it was run on that one
 * (CMD-6). What an action makes, or merges into, is another record as well, so an action must have left its own as it was.
 */
export function anotherRecord(): Fold {
  const made = new Map<string, Made>();
  const doubts = new Map<string, Doubt>();
  return {
    *see(context, trace) {
      for (const one of answered(context, trace)) {
        const id =
          creates(one.operation) && isAccepted(one.answer) ? idOf(one.operation, one.answer) : undefined;
        if (id !== undefined) {
          const own = { by: one.operation.id, name: pointerTokens(idPointer(one.operation)).at(-1) ?? '' };
          made.set(id, own);
          if (made.size > most) made.delete(made.keys().next().value ?? '');
          const doubt = doubts.get(id);
          // Its trace is over, and is not repeated.
          if (doubt !== undefined && doubt.named.by === own.by)
            yield { ...ruling(doubt), within: doubt.trace };
          doubts.delete(id);
          continue;
        }
        const named = made.get(pathValues(one.operation, one.exchange).at(-1) ?? '');
        const shown = named === undefined ? undefined : otherIn(context, trace, one, named);
        if (named === undefined || shown === undefined) continue;
        const doubt = { one, named, id: shown, trace };
        const other = made.get(shown);
        if (other === undefined && doubts.size < most / 100) doubts.set(shown, doubt);
        else if (other !== undefined && named.by === other.by) yield ruling(doubt);
      }
    },
  };
}

function ruling({ id, one }: Doubt): Violated {
  return violated([one], {
    expected: `the record ${pathValues(one.operation, one.exchange).at(-1)}`,
    actual: `the record ${id}`,
    because:
      'The result shows another record than the one that the command names, which another command made.',
    conclusive: true,
  });
}

/** The ID of another record in the result of an accepted command, where neither it nor the request names both. */
function otherIn(context: Context, trace: Trace, one: Answered, { name }: Made): string | undefined {
  const { answer, exchange, operation, step } = one;
  if (operation.kind !== 'command' || operation.method === 'DELETE' || !isAccepted(answer)) return undefined;
  if (faultsOf(step).length > 0) return undefined;
  const own = pathValues(operation, exchange).at(-1) ?? '';
  const id = idText(membersOf(exactJsonOf(answer)).get(name));
  // A part of the record may have a short ID, or a number, of its own that a record has as well.
  if (id === undefined || id.length < 8 || isCount(id) || answer.body.includes(own)) return undefined;
  if (exchange.request.body?.includes(id) === true || exchange.request.path.includes(id)) return undefined;
  return operation.method === 'POST' && !isLeft(seen(context, trace), one) ? undefined : id;
}

/** Whether reads before and after a command show the same of the record that it names. */
function isLeft(all: readonly Seen[], one: Answered): boolean {
  const at = all.findIndex(({ exchange }) => exchange === one.exchange);
  const before = all.slice(0, at).findLast(({ step }) => step.observes === 'before');
  const after = all.slice(at).find(({ step }) => step.observes === 'after');
  if (before === undefined || after === undefined) return false;
  return (
    [before, after].every(({ exchange }) => isAccepted(exchange.answer)) &&
    differences(before, after).every(isBookkeeping)
  );
}
