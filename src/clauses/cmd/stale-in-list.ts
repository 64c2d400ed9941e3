import type { Context, Ruling } from '../../model/clause.ts';
import { operationNamed } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { isObject, type Json, type JsonPointer, pointerOf } from '../../model/json.ts';
import { recordOf, showsIn } from '../../model/listed.ts';
import { exactJsonOf } from '../../model/response.ts';
import { type Observes, stepsOf } from '../../model/scenario.ts';
import { changes } from '../judging/changes.ts';
import { listIn } from '../judging/listed-effects.ts';
import { itemIds } from '../judging/listing.ts';
import {
  type Answered,
  answered,
  holds,
  inconclusive,
  isAccepted,
  isQueued,
  pathValues,
  seen,
  violated,
} from '../judging/reading.ts';
import { plainMembers } from '../judging/record-changes.ts';
import { isBookkeeping } from '../judging/removal.ts';

type Scalar = string | number | boolean | null;
type Shown = ReadonlyMap<JsonPointer, Scalar>;

/**
 * What the list of a record showed as the record had it, it still shows so after a command changed it (CMD-6), though the
 * record itself shows the change, and later as well. A list may say less of a record, or something else from the start.
 */
export function* staleInList(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const [at, one] of all.entries()) {
    if (one.step.role !== 'test' || one.step.deviations.length > 0 || !changes(one.operation)) continue;
    if (!isAccepted(one.answer) || isQueued(one.answer) || !isOwn(context, trace, one)) continue;
    const read = (from: readonly Answered[], observes: Observes): Answered | undefined =>
      from.find(({ answer, step }) => step.observes === observes && isAccepted(answer) && !answer.truncated);
    const [earlier, later] = [all.slice(0, at), all.slice(at + 1)];
    const lists = [read(earlier, 'item-before'), read(later, 'item'), read(later, 'item-again')].flatMap(
      (each) => each ?? [],
    );
    const records = [
      ...earlier.filter(({ answer, step }) => step.observes === 'before' && isAccepted(answer)),
      read(later, 'after'),
      read(later, 'item-read'),
    ].flatMap((each) => each ?? []);
    const [listBefore, list, listAgain] = lists;
    const [after, last] = records.slice(-2);
    if (listBefore === undefined || list === undefined || listAgain === undefined) continue;
    if (after === undefined || last === undefined || records.length < 3) continue;
    // What another command did, be its response lost, the list may show sooner or later than this one.
    const [start, end] = [records[0]?.exchange.startedAt ?? 0, last.exchange.endedAt];
    const isAlone = seen(context, trace).every(
      ({ exchange, operation, step }) =>
        operation.kind === 'read' ||
        step.id === one.step.id ||
        exchange.startedAt > end ||
        (exchange.answer !== undefined && exchange.endedAt < start),
    );
    if (isAlone) yield* ruling(context, one, [listBefore, list, listAgain], records);
  }
}

function* ruling(
  context: Context,
  one: Answered,
  lists: readonly [Answered, Answered, Answered],
  records: readonly Answered[],
): Iterable<Ruling> {
  const [listBefore, list, listAgain] = lists;
  const id = pathValues(one.operation, one.exchange).at(-1);
  const [was, is, still] = lists.map((each) => itemIn(context, each, id));
  const before = records.slice(0, -2).map(recordIn);
  const [now, last] = records.slice(-2).map(recordIn);
  if (was === undefined || is === undefined || still === undefined) return;
  if (now === undefined || last === undefined) return;
  const changed = [...now].flatMap(([at, value]) => {
    const shown = was.get(at);
    // A member that lists leave empty need not be filled in there.
    const isFilled = shown !== undefined && shown !== null && shown !== '' && shown !== 0 && shown !== false;
    const wasSame = before.every((each) => each.get(at) === shown);
    return isFilled && wasSame && value !== shown && last.get(at) === value && !isBookkeeping(at) ? [at] : [];
  });
  const stale = changed.filter((at) => is.get(at) === was.get(at) && still.get(at) === was.get(at));
  const fresh = changed.filter((at) => still.get(at) === now.get(at));
  const [first] = stale;
  const on = [one, listBefore, ...records.slice(-2), listAgain];
  const expected = 'the record in its list as the read by ID shows it';
  if (first === undefined) {
    if (fresh.length > 0)
      yield holds(on, { expected, because: `The list shows the new value at ${fresh[0]}.` });
    return;
  }
  // It may say in its own way what has become of the record, such as that it has a draft.
  const isOtherwise = [...still].some(
    ([at, value]) => was.get(at) !== value && last.get(at) !== value && !isBookkeeping(at),
  );
  yield isOtherwise
    ? inconclusive(on, 'The list shows a change of the record in another member than the record does.')
    : violated([one, listBefore, ...records.slice(-2), list, listAgain], {
        expected,
        actual: `${JSON.stringify(still.get(first))} at ${first} in the list, ${JSON.stringify(last.get(first))} in the record`,
        because: `Before the command, the list and the record showed the same at ${first}. The record shows the new value, but the list still shows the earlier one after the settling time, and again later.`,
      });
}

/** Whether a command of the scenario made the target, and the list shows what that one makes. */
function isOwn({ contract }: Context, { scenario }: Trace, { operation, step }: Answered): boolean {
  const ref = step.target?.[operation.pathFields.at(-1)?.name ?? ''];
  const steps = stepsOf(scenario.waves);
  if (ref === undefined || 'literal' in ref) return false;
  const made = 'step' in ref ? steps.find(({ id }) => id === ref.step)?.operation : operation.id;
  const list = steps.find(({ observes }) => observes === 'item-again')?.operation;
  return list !== undefined && showsIn(operationNamed(contract, made)?.effect, list);
}

/** The only item of that ID in a list. */
function itemIn(context: Context, list: Answered, id: string | undefined): Shown | undefined {
  const idOf = itemIds(context, list.operation.id);
  const [item, another] = (listIn(list) ?? []).filter((each) => idOf(each) === id);
  return item === undefined || another !== undefined || id === undefined
    ? undefined
    : scalarsIn(plainMembers(recordOf(context.contract, list.operation, item)));
}

function recordIn({ answer }: Answered): Shown {
  return scalarsIn(plainMembers(exactJsonOf(answer)));
}

function scalarsIn(members: Iterable<readonly [string, Json]>, path: readonly string[] = []): Shown {
  return new Map(
    [...members].flatMap(([name, value]): readonly (readonly [JsonPointer, Scalar])[] => {
      const at = [...path, name];
      if (isObject(value)) return [...scalarsIn(Object.entries(value), at)];
      return value === null || typeof value !== 'object' ? [[pointerOf(at), value]] : [];
    }),
  );
}
