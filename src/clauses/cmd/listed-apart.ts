import type { Context, Ruling } from '../../model/clause.ts';
import type { Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  pointerTokens,
} from '../../model/json.ts';
import { recordOf } from '../../model/listed.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { requires, schemasAt } from '../../model/schema-places.ts';
import { showsWhole } from '../../model/whole-items.ts';
import { dateTime } from '../../oracle/instant.ts';
import { masked, opaque, secret } from '../judging/changes.ts';
import { listIn } from '../judging/listed-effects.ts';
import { itemIds } from '../judging/listing.ts';
import { isOneCaller } from '../judging/readers.ts';
import {
  type Answered,
  answered,
  faultsOf,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isQueued,
  pathValues,
  seen,
  violated,
} from '../judging/reading.ts';
import { plainMembers, saysNothing } from '../judging/record-changes.ts';
import { isBookkeeping } from '../judging/removal.ts';
import { isOtherInstant, shows } from '../judging/sent-places.ts';
import { isOther } from './contradicted.ts';

type Scalar = string | number | boolean;
type Scalars = ReadonlyMap<JsonPointer, Scalar>;

/**
 * A list that declares its items as the results of commands shows a new record with another value than its command sent, and than
 * its result and the reads by ID before and after the list show (CMD-6): a constant, the default of its type, or the day before.
 * A list may leave a member out, or show a part of it. No other command was sent meanwhile.
 */
export function* listedApart(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const one of all) {
    const id = idOf(one.operation, one.answer);
    if (one.operation.method !== 'POST' || id === undefined || faultsOf(one.step).length > 0) continue;
    if (!isAccepted(one.answer) || isQueued(one.answer)) continue;
    const later = all.slice(all.indexOf(one) + 1);
    const list = later.find(({ step }) => step.observes === 'item');
    const [before, after] = (['made', 'item-read'] as const).map((observes) =>
      later.find(
        ({ exchange, operation, step }) =>
          step.observes === observes &&
          operation.id === one.operation.effect?.read &&
          pathValues(operation, exchange).at(-1) === id,
      ),
    );
    if (before === undefined || list === undefined || after === undefined) continue;
    const reads = [before, list, after];
    if (!reads.every((each) => isAccepted(each.answer) && !each.answer.truncated)) continue;
    if (!reads.every(({ step }) => isOneCaller(context, one.step.as, step.as))) continue;
    const ends = [one, ...reads].map(({ exchange }) => exchange);
    if (!ends.every((each, at) => at === 0 || (ends[at - 1]?.endedAt ?? 0) <= each.startedAt)) continue;
    const isAlone = seen(context, trace).every(
      ({ exchange, operation }) =>
        operation.kind === 'read' ||
        exchange.id === one.exchange.id ||
        exchange.startedAt > after.exchange.endedAt ||
        (exchange.answer !== undefined && exchange.endedAt < one.exchange.startedAt),
    );
    if (isAlone && showsWhole(list.operation, one.operation))
      yield* ruling(context, one, list, before, after);
  }
}

function* ruling(
  context: Context,
  one: Answered,
  list: Answered,
  before: Answered,
  after: Answered,
): Iterable<Ruling> {
  const idOfItem = itemIds(context, list.operation.id);
  const own = (listIn(list) ?? []).filter((item) => idOfItem(item) === idOf(one.operation, one.answer));
  const [item] = own;
  if (item === undefined || own.length > 1) return;
  const sent = scalarsIn(sentJson(one.exchange.request));
  const views = [one, before, after].map(({ answer }) => scalarsIn(exactJsonOf(answer)));
  const shown = scalarsIn(recordOf(context.contract, list.operation, item));
  const known = [...sent, ...madeOf(one.operation, sent, views[0] ?? new Map())].filter(
    ([at, value]) =>
      shown.has(at) &&
      isKept(at, value) &&
      views.every((each) => each.has(at) && shows(value, each.get(at) ?? null)),
  );
  const apart = known.filter(([at, value]) => isApart(one.operation, at, value, shown.get(at)));
  const on = [one, before, list, after];
  const expected = 'the record in its list as the reads by its ID show it';
  const [first] = apart;
  if (first === undefined) {
    if (known.some(([at, value]) => shows(value, shown.get(at) ?? null)))
      yield holds(on, { expected, because: 'The list shows what was sent, as the reads by ID do.' });
    return;
  }
  const [at, value] = first;
  // What is converted has another unit, and another number in it.
  const isConverted =
    apart.some(([place]) => ofUnit.test(place)) && apart.some(([, each]) => typeof each === 'number');
  yield isConverted
    ? inconclusive(on, 'The list shows another unit and other numbers: it may have converted them.')
    : violated(on, {
        expected: `${JSON.stringify(value).slice(0, 80)} at ${at}, as in the record`,
        actual: `${JSON.stringify(shown.get(at)).slice(0, 80)} at ${at} in the list`,
        because: `The result and the reads by ID, before the list and after it, agree at ${at}. The list declares the record as the result does, but shows something else there. No other command was sent meanwhile.`,
      });
}

/** Numbers that a record must have, and that the service took from another member of the command: a balance is what was paid in. */
function madeOf({ success }: Operation, sent: Scalars, result: Scalars): Scalars {
  const numbers = [...sent.values()].filter((value) => typeof value === 'number');
  return new Map(
    [...result].filter(
      ([at, value]) =>
        !sent.has(at) && typeof value === 'number' && numbers.includes(value) && requires(success.schema, at),
    ),
  );
}

/** A state that a list may show more coarsely, and what depends on the list, or on who reads it. */
const ofList = /stat(e|us)$|phase|stage|rank|position|index|order|score|distance|relevance/i;
const ofUnit = /currency|unit|locale|language|zone/i;
function isKept(at: JsonPointer, value: Scalar): boolean {
  const names = pointerTokens(at);
  return (
    !saysNothing(value) && !isBookkeeping(at) && !names.some((name) => secret.test(name) || ofList.test(name))
  );
}

/** Whether a list shows another value, and neither the same in another form, nor a part of it, nor none. */
function isApart({ success }: Operation, at: JsonPointer, sent: Scalar, shown: Json | undefined): boolean {
  if (shown === undefined || shows(sent, shown)) return false;
  // A member that the list need not have is not filled in there.
  if (shown === 0 || shown === false)
    return typeof shown === typeof sent && sent !== shown && requires(success.schema, at);
  if (saysNothing(shown) || typeof shown !== typeof sent) return false;
  if (typeof sent !== 'string' || typeof shown !== 'string') return isOther({ at, sent, shown });
  if (day.test(sent)) return day.test(shown);
  if (dateTime(sent) !== undefined) return isOtherInstant(sent, shown);
  if (masked.test(shown) || opaque.test(shown)) return false;
  // Of a text a list may show another form; of what is chosen from a few it shows another choice.
  const isChosen = schemasAt(success.schema, at).some((schema) => isArray(schema['enum']));
  return isChosen && isOther({ at, sent, shown });
}

const day = /^\d{4}-\d\d-\d\d$/;

/** The texts, numbers and flags of a record, within objects as well; not those of lists. */
function scalarsIn(value: Json | undefined, path: readonly string[] = []): Scalars {
  const members = path.length === 0 ? plainMembers(value) : Object.entries(isObject(value) ? value : {});
  return new Map(
    [...(members ?? [])].flatMap(([name, each]): readonly (readonly [JsonPointer, Scalar])[] => {
      const at = [...path, name];
      if (isObject(each)) return [...scalarsIn(each, at)];
      return each === null || isArray(each) ? [] : [[pointerOf(at), each]];
    }),
  );
}
