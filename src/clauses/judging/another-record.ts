import type { Context, Fold, Violated } from '../../model/clause.ts';
import {
  creates,
  idText,
  isCount,
  isReadById,
  type Operation,
  operationNamed,
} from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { pointerTokens } from '../../model/json.ts';
import { bare, pathTexts } from '../../model/path.ts';
import { exactJsonOf, unescapedBody } from '../../model/response.ts';
import { idPointer } from '../../model/result-id.ts';
import { differences } from '../../oracle/record-state.ts';
import { membersOf } from './changes.ts';
import {
  type Answered,
  faultsOf,
  idOf,
  isAccepted,
  only,
  pathValues,
  type Seen,
  seen,
  violated,
} from './reading.ts';
import { isBookkeeping } from './removal.ts';

type Doubt = { readonly one: Answered; readonly id: string; readonly trace: Trace };

/** So many records are remembered, those that were made last. */
const most = 5000;

/**
 * The result of a command on one record, or a read of it, does not show another one, which another command made: then it was
 * run on that one (CMD-6), or that one was read (RDS-1), as it may be for an ID that no record has. What an action makes, or
 * merges into, is another record as well, so an action must have left its own as it was, and no command came before a read.
 */
export function anotherRecord(kind: Operation['kind']): Fold {
  const made = new Map<string, Operation>();
  const doubts = new Map<string, Doubt>();
  return {
    *see(context, trace) {
      for (const { exchange, operation, step } of seen(context, trace)) {
        const { answer } = exchange;
        if (answer === undefined) {
          // What was lost may have changed or merged the record.
          if (kind === 'read' && operation.kind === 'command') made.delete(nameOf({ exchange, operation }));
          continue;
        }
        const one: Answered = { answer, exchange, operation, step };
        const makes = creates(operation) || (kind === 'read' && isReadById(context.contract, operation));
        const id = makes && isAccepted(answer) ? idOf(operation, answer) : undefined;
        if (id !== undefined) {
          made.set(id, operation);
          if (made.size > most) made.delete(made.keys().next().value ?? '');
          const doubt = doubts.get(id);
          // Its trace is over, and is not repeated.
          if (doubt !== undefined && isAlike(doubt.one, made, operation))
            yield { ...ruling(doubt), within: doubt.trace };
          doubts.delete(id);
          continue;
        }
        const shown = operation.kind === kind ? shownIn(context, trace, one, made) : undefined;
        if (kind === 'read' && operation.kind === 'command') made.delete(nameOf(one));
        if (shown === undefined) continue;
        const doubt = { one, id: shown, trace };
        const other = made.get(shown);
        if (other === undefined && doubts.size < most / 100) doubts.set(shown, doubt);
        else if (other !== undefined && isAlike(one, made, other)) yield ruling(doubt);
      }
    },
  };
}

/** What a command or a read names in its path. */
function nameOf({ exchange, operation }: Pick<Answered, 'exchange' | 'operation'>): string {
  return pathValues(operation, exchange).at(-1) ?? '';
}

function ruling({ id, one }: Doubt): Violated {
  const isCommand = one.operation.kind === 'command';
  return violated([one], {
    expected: `the record ${nameOf(one)}`,
    actual: `the record ${id}`,
    because: `The ${isCommand ? 'command' : 'read'} names one record, but the result shows another, which a different command created.`,
    conclusive: true,
  });
}

/** Which command made the record of an ID. */
type Records = ReadonlyMap<string, Operation>;

/** Whether another record is of the kind of the one that a command or a read names. */
function isAlike(one: Answered, made: Records, maker: Operation): boolean {
  return one.operation.kind === 'command'
    ? made.get(nameOf(one))?.id === maker.id
    : isReadOf(one.operation, maker);
}

/** The member that has the ID in what a command makes. */
function idName(maker: Operation): string {
  return pointerTokens(idPointer(maker)).at(-1) ?? '';
}

/** Whether a read is that of the records that a command makes. */
function isReadOf({ id, path, pathFields }: Operation, maker: Operation): boolean {
  const field = pathFields.at(-1);
  const place = `/{${field?.name}}`;
  if (field === undefined || !bare(path).endsWith(place)) return false;
  return maker.effect?.read === id || bare(path) === `${bare(maker.path)}${place}`;
}

/** The ID of another record than a command or a read names. */
function shownIn(context: Context, trace: Trace, one: Answered, made: Records): string | undefined {
  const named = made.get(nameOf(one));
  if (one.operation.kind === 'command')
    return named === undefined ? undefined : otherIn(context, trace, one, idName(named));
  const maker =
    only(one.step, 'target') !== undefined
      ? operationNamed(context.contract, one.operation.pathFields.at(-1)?.source?.operation)
      : faultsOf(one.step).length === 0
        ? named
        : undefined;
  return maker === undefined || !isReadOf(one.operation, maker) || isMerged(context, trace, one)
    ? undefined
    : idIn(one, idName(maker));
}

/** Whether what a read names may have become a part of another record. */
function isMerged(context: Context, trace: Trace, one: Answered): boolean {
  return seen(context, trace).some(
    ({ exchange, operation }) =>
      operation.kind === 'command' && exchange.request.body?.includes(nameOf(one)) === true,
  );
}

/** The ID that an accepted result has, where it does not name the record that was asked for. */
function idIn(one: Answered, name: string): string | undefined {
  const { answer } = one;
  const id = isAccepted(answer) ? idText(membersOf(exactJsonOf(answer)).get(name)) : undefined;
  // A part of the record may have a short ID, or a number, of its own that a record has as well.
  return id === undefined || id.length < 8 || isCount(id) || unescapedBody(answer).includes(nameOf(one))
    ? undefined
    : id;
}

/** The ID of another record in the result of an accepted command, where neither it nor the request names both. */
function otherIn(context: Context, trace: Trace, one: Answered, name: string): string | undefined {
  const { exchange, operation, step } = one;
  if (operation.method === 'DELETE' || faultsOf(step).length > 0) return undefined;
  const id = idIn(one, name);
  if (id === undefined) return undefined;
  if (exchange.request.body?.includes(id) === true || pathTexts(exchange.request).includes(id))
    return undefined;
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
