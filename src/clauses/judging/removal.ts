import type { Context, Ruling } from '../../model/clause.ts';
import { idText, type Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { canonicalJson, isObject, type Json, type JsonPointer, pointerTokens } from '../../model/json.ts';
import { partsShown } from '../../model/parts.ts';
import { bare } from '../../model/path.ts';
import { exactJsonOf } from '../../model/response.ts';
import { differences, movedBetween, sameState } from '../../oracle/record-state.ts';
import { listIn } from './listed-effects.ts';
import { itemIds } from './listing.ts';
import {
  holds,
  inconclusive,
  isAccepted,
  isFailed,
  isQueued,
  isThrottled,
  pathValues,
  type Seen,
  seen,
  summary,
  violated,
} from './reading.ts';

export function deletes({ effect, method, pathFields }: Operation): boolean {
  return method === 'DELETE' && pathFields.length > 0 && (effect?.read ?? effect?.list) !== undefined;
}

/** An accepted deletion leaves the record not as it was; how it then reads, is up to the service (CMD-6). */
export function* deleted(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  for (const [at, one] of all.entries()) {
    if (one.step.role !== 'test' || !deletes(one.operation) || !isAccepted(one.exchange.answer)) continue;
    if (one.step.deviations.length > 0 || partsShown(context.contract, one.operation) !== undefined) continue;
    if (one.operation.effect?.read === undefined) {
      const listed = keptInList(context, all, at, one);
      if (listed !== undefined) yield listed;
      continue;
    }
    const before = all.slice(0, at).findLast(({ step }) => step.observes === 'before');
    const after = all.slice(at).find(({ step }) => step.observes === 'after');
    if (before === undefined || after === undefined || !isAccepted(before.exchange.answer)) continue;
    const lost = lostNeighbour(all, one);
    if (lost !== undefined) yield lost;
    const on = [one, before, after];
    const expected = 'another state of the record than before';
    const actual = summary(after.exchange);
    const answer = after.exchange.answer;
    if (answer === undefined || isThrottled(answer) || isFailed(answer))
      yield inconclusive(on, 'The target record could not be read.');
    else if (isAccepted(answer) && differences(before, after).every(isBookkeeping)) {
      const same = sameState(before, after);
      // What is only queued (202) may be deleted later.
      if (isQueued(one.exchange.answer))
        yield inconclusive(on, 'The deletion was queued (202), and the record is still there.');
      else if (mayFindNothing(all.slice(0, at), one, before))
        yield inconclusive(
          on,
          'The record reads as before. Nothing shows that it had the part that was to be deleted.',
        );
      else
        yield violated(on, {
          expected,
          actual,
          because: `The deletion was accepted, but the record reads as before${same ? '' : ', except for its version'}.`,
        });
    } else if ([404, 410].includes(answer.status))
      yield stillListed(context, all.slice(at), one, on, { expected, actual });
    else yield holds(on, { expected, actual, because: 'The record no longer reads as before.' });
  }
}

/** Whether a deletion is of a part of the record (`DELETE /photos/{photoId}/like`), which nothing has put there. */
function mayFindNothing(earlier: readonly Seen[], { exchange, operation }: Seen, before: Seen): boolean {
  const path = bare(operation.path);
  return (
    !path.endsWith('}') &&
    bare(before.operation.path) !== path &&
    !earlier.some(
      (one) =>
        ['POST', 'PUT'].includes(one.operation.method) &&
        one.exchange.request.path.split('?')[0] === exchange.request.path.split('?')[0] &&
        isAccepted(one.exchange.answer),
    )
  );
}

/** A deletion whose effect a list alone shows, be it on a later page: what was in it is not there as it was. */
function keptInList(context: Context, all: readonly Seen[], at: number, one: Seen): Ruling | undefined {
  const id = pathValues(one.operation, one.exchange).at(-1);
  const isOf = ({ exchange, operation, step }: Seen): boolean =>
    operation.id === one.operation.effect?.list && step.role === 'readback' && isAccepted(exchange.answer);
  const [before, after] = [all.slice(0, at).filter(isOf), all.slice(at).filter(isOf)];
  const shownIn = (lists: readonly Seen[]): readonly { readonly list: Seen; readonly item: Json }[] =>
    lists.flatMap((list) => {
      const { answer } = list.exchange;
      const idOfItem = itemIds(context, list.operation.id);
      const items = answer === undefined || id === undefined ? undefined : listIn({ ...list, answer });
      const item = items?.find((each) => idOfItem(each) === id);
      return item === undefined ? [] : [{ list, item }];
    });
  const was = shownIn(before).at(-1);
  const [first] = after;
  // Where fewer pages were read than before, it may be on the next one.
  if (was === undefined || first === undefined || after.length <= before.indexOf(was.list)) return undefined;
  const is = shownIn(after).find(({ item }) => isAsBefore(item, was.item, id ?? ''));
  const on = [one, was.list, is?.list ?? first];
  const expected = 'another state of the list than before';
  if (is === undefined)
    return holds(on, { expected, because: 'The list no longer shows the record as before.' });
  return isQueued(one.exchange.answer)
    ? inconclusive(on, 'The deletion was queued (202), and the record is still listed.')
    : mayFindNothing(all.slice(0, at), one, was.list)
      ? inconclusive(
          on,
          'The list shows the record as before. Nothing shows that it had the part that was to be deleted.',
        )
      : violated(on, {
          expected,
          actual: `${id} in the list`,
          because: 'The deletion was accepted, but the declared list shows the record as before.',
        });
}

/** Another record of the same kind that could be read before a deletion, and is gone afterwards. */
function lostNeighbour(all: readonly Seen[], one: Seen): Ruling | undefined {
  const reads = (when: 'elsewhere-before' | 'elsewhere'): readonly Seen[] =>
    all.filter(
      ({ operation, step }) => step.observes === when && operation.id === one.operation.effect?.read,
    );
  for (const after of reads('elsewhere')) {
    const before = reads('elsewhere-before').find(
      ({ exchange }) => exchange.request.path === after.exchange.request.path,
    );
    const isGone = [404, 410].includes(after.exchange.answer?.status ?? 0);
    if (isGone && before !== undefined && isAccepted(before.exchange.answer))
      return violated([one, before, after], {
        expected: 'other records as they were',
        actual: summary(after.exchange),
        because:
          'The command named one record, but another record, which could be read before, is gone as well.',
        moved: movedBetween(before, after),
      });
  }
  return undefined;
}

/** Members that any command may move, and that do not say that a record is deleted. */
const bookkeeping =
  /^(?:(?:row|lock|record|object|resource|observed)?(?:version|revision|generation)(?:number|id|tag)?|rev|etag|(?:last)?(?:updated|modified|changed)(?:at|on|date|time(?:stamp)?)?|(?:last)?(?:update|modification|change)(?:date|time(?:stamp)?)|date(?:updated|modified|changed))$/;

export function isBookkeeping(at: JsonPointer): boolean {
  const name = pointerTokens(at).at(-1) ?? '';
  return bookkeeping.test(name.toLowerCase().replaceAll(/[^a-z]/g, ''));
}

/** What no read shows is in no list. */
function stillListed(
  context: Context,
  later: readonly Seen[],
  one: Seen,
  on: readonly Seen[],
  words: { readonly expected: string; readonly actual: string },
): Ruling {
  const id = pathValues(one.operation, one.exchange).at(-1);
  const lists = later.filter(
    ({ exchange, step }) =>
      (step.observes === 'list-after' || step.observes === 'removed-page') && isAccepted(exchange.answer),
  );
  const [first] = lists;
  if (first === undefined || id === undefined)
    return holds(on, { ...words, because: 'The record no longer reads as before.' });
  const was = exactJsonOf(on.find(({ step }) => step.observes === 'before')?.exchange.answer);
  const itemIn = (list: Seen): Json | undefined => {
    const { answer } = list.exchange;
    const idOfItem = itemIds(context, list.operation.id);
    return answer === undefined
      ? undefined
      : listIn({ ...list, answer })?.find((item) => idOfItem(item) === id);
  };
  const list = lists.find((each) => {
    const shown = itemIn(each);
    return shown !== undefined && was !== undefined && isAsBefore(shown, was, id);
  });
  return list !== undefined
    ? violated([...on, list], {
        expected: words.expected,
        actual: `${id} in the list`,
        because:
          list.step.observes === 'list-after'
            ? 'The record was deleted and cannot be read, but the list still shows it.'
            : 'The record was deleted and cannot be read, but a page of the list still shows it.',
      })
    : holds([...on, first], {
        ...words,
        because: 'No read shows the record, and the list does not show it as before.',
      });
}

/** What other records move: where an item stands among them. */
const standing = /^(position|rank|index|ordinal|place|order|sequence|sort(order|index|key|position)?)$/;

export function isStanding(at: JsonPointer): boolean {
  return standing.test((pointerTokens(at).at(-1) ?? '').toLowerCase().replaceAll(/[^a-z]/g, ''));
}

/** An item that says more than the record did, or something else, may say that it was deleted. */
export function isAsBefore(shown: Json, was: Json | undefined, id: string): boolean {
  const [item, record] = [named(shown, id), named(was, id)];
  if (!isObject(item) || !isObject(record)) return true;
  const isMoved = (name: string, value: Json): boolean =>
    isStanding(`/${name}`) && [value, record[name]].every((one) => typeof one === 'number');
  return Object.entries(item).every(
    ([name, value]) =>
      idText(value) === id ||
      isBookkeeping(`/${name}`) ||
      isMoved(name, value) ||
      (record[name] !== undefined && canonicalJson(record[name]) === canonicalJson(value)),
  );
}

/** The object with an ID: a read may have an envelope around what a list shows without one. */
function named(value: Json | undefined, id: string): Json | undefined {
  const isNamed = (each: Json): boolean =>
    isObject(each) && Object.values(each).some((member) => idText(member) === id);
  if (!isObject(value) || isNamed(value)) return value;
  return Object.values(value).find(isNamed) ?? value;
}
