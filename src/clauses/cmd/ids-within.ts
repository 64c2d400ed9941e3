import type { Context, Fold, Ruling } from '../../model/clause.ts';
import type { OperationId } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { isArray, isObject, type Json, type JsonPointer, pointerOf, textsIn } from '../../model/json.ts';
import { listWithin } from '../../model/listed.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { listIn } from '../judging/listed-effects.ts';
import { chosenId, itemIds } from '../judging/listing.ts';
import {
  type Answered,
  answered,
  faultsOf,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isQueued,
  keyName,
  violated,
} from '../judging/reading.ts';
import { isThere, madeWithin } from './shown-within.ts';

type Doubt = { readonly one: Answered; readonly same: Answered; readonly trace: Trace };

/** So many pairs of commands are remembered for each operation. */
const mostPairs = 20;
const mostDoubts = 3;

const expected = 'a unique ID for every command';

/**
 * Two commands within one record that return one ID have two records with it if the list shows both (CMD-5), or if the result of
 * each shows what it sent itself, and bodies that have as much in common get two records elsewhere: then nothing that they share
 * names a record. Else the service may have added to one record, and returned that.
 */
export function idsWithin(): Fold {
  const apart = new Map<OperationId, readonly ReadonlySet<JsonPointer>[]>();
  const doubts = new Map<OperationId, readonly Doubt[]>();
  return {
    *see(context, trace) {
      const all = answered(context, trace);
      const made = madeWithin(context, all);
      for (const [{ operation }, places] of recordsApart(context, all)) {
        const known = apart.get(operation.id) ?? [];
        if (known.length < mostPairs) apart.set(operation.id, [...known, places]);
      }
      for (const [at, one] of made.entries()) {
        const { id: name } = one.operation;
        const others = made
          .slice(0, at)
          .filter(
            ({ operation, step }) =>
              operation === one.operation && keyName(step) !== keyName(one.step) && isThere(step, one),
          );
        if (others.length === 0) continue;
        const id = idOf(one.operation, one.answer);
        const same = others.find((other) => idOf(other.operation, other.answer) === id);
        if (same === undefined) yield holds([one, ...others], { expected, because: noOther });
        else {
          const found = listedTwice(context, all, one, same);
          const doubt = { one, same, trace };
          if (found.verdict === 'inconclusive' && showsItsOwn(doubt))
            doubts.set(name, [...(doubts.get(name) ?? []), doubt].slice(-mostDoubts));
          yield found;
        }
      }
      for (const [name, found] of doubts) {
        const doubt = found.find(({ one, same }) => {
          const shared = inCommon(same, one, isLike);
          return apart.get(name)?.some((pair) => [...shared].every((at) => pair.has(at)));
        });
        if (doubt === undefined) continue;
        doubts.delete(name);
        const { one, same } = doubt;
        yield {
          ...violated([one, same], {
            expected,
            actual: `${idOf(one.operation, one.answer)} for two commands`,
            because:
              'Two commands with different keys returned the same ID, each with what it sent itself. Bodies that have as much in common got records of their own elsewhere.',
            conclusive: true,
          }),
          ...(doubt.trace === trace ? {} : { within: doubt.trace }),
        };
      }
    },
  };
}

/** Commands that got another ID than one before them within the same record, and the places where the bodies of both agree. */
function* recordsApart(
  context: Context,
  all: readonly Answered[],
): Iterable<readonly [Answered, ReadonlySet<JsonPointer>]> {
  const before = new Map<string, Answered>();
  for (const one of all) {
    if (listWithin(context.contract, one.operation) === undefined) continue;
    if (!isAccepted(one.answer) || faultsOf(one.step).length > 0) continue;
    const id = idOf(one.operation, one.answer);
    if (id === undefined || chosenId(one) !== undefined) continue;
    const place = `${one.operation.id} ${one.exchange.request.path}`;
    const other = before.get(place);
    before.set(place, one);
    if (other !== undefined && idOf(other.operation, other.answer) !== id)
      yield [one, inCommon(other, one, isEqual)];
  }
}

const noOther = 'No other command there returned this ID.';

/** Two items of one ID are two records with it, unless the service added to one record and returned that. */
function listedTwice(context: Context, all: readonly Answered[], one: Answered, same: Answered): Ruling {
  const id = idOf(one.operation, one.answer);
  const list = all.find(
    ({ operation, step }) => operation.id === one.operation.effect?.list && step.observes === 'list-after',
  );
  const items = list === undefined || !isAccepted(list.answer) ? undefined : listIn(list);
  const idOfItem = itemIds(context, list?.operation.id ?? '');
  const times = items?.filter((item) => idOfItem(item) === id).length ?? 0;
  return list !== undefined && times > 1
    ? violated([one, same, list], {
        expected,
        actual: `${id} for two commands, and for ${times} items of the list`,
        because:
          'Two commands with different keys returned the same ID, and the list has two records with it.',
      })
    : inconclusive([one, same], 'Two commands returned the same ID, but no list shows two records with it.');
}

/** Whether each result is that of a new record: it shows a text that its command sent, and none that the other one sent there. */
function showsItsOwn({ one, same }: Doubt): boolean {
  if (isQueued(one.answer) || isQueued(same.answer)) return false;
  const [mine, its] = [one, same].map(({ answer }) => new Set(textsIn(exactJsonOf(answer))));
  const [own, other] = [one, same].map((each) => textPlaces(each));
  const pairs = [...(own ?? [])].flatMap(([at, text]) => {
    const there = other?.get(at);
    return there === undefined || isLike(text, there) ? [] : [[text, there] as const];
  });
  return (
    pairs.some(([text, there]) => mine?.has(text) === true && its?.has(there) === true) &&
    !pairs.some(([text, there]) => mine?.has(there) === true || its?.has(text) === true)
  );
}

function textPlaces({ exchange }: Answered): ReadonlyMap<JsonPointer, string> {
  return new Map(
    leavesOf(sentJson(exchange.request) ?? null, []).flatMap(([at, value]) =>
      typeof value === 'string' ? [[at, value] as const] : [],
    ),
  );
}

/** The places where two bodies agree. */
function inCommon(
  one: Answered,
  other: Answered,
  agree: (one: Json, other: Json) => boolean,
): ReadonlySet<JsonPointer> {
  const [mine, its] = [one, other].map(
    ({ exchange }) => new Map(leavesOf(sentJson(exchange.request) ?? null, [])),
  );
  return new Set(
    [...(mine ?? [])].flatMap(([at, value]) => {
      const there = its?.get(at);
      return there !== undefined && agree(value, there) ? [at] : [];
    }),
  );
}

function leavesOf(value: Json, path: readonly string[]): readonly (readonly [JsonPointer, Json])[] {
  const entries = isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) return [[pointerOf(path), value]];
  return entries.flatMap(([name, each]) => leavesOf(each, [...path, String(name)]));
}

function isEqual(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether a service may take two values for one: texts in another case, times of one day. */
function isLike(one: Json, other: Json): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return isEqual(one, other);
  const [mine, its] = [one, other].map((text) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''));
  const [day, another] = [one, other].map((text) => /^\d{4}-\d\d-\d\d/.exec(text)?.[0]);
  return mine === its || (day !== undefined && day === another);
}
