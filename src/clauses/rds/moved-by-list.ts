import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isObject, type Json, type JsonPointer, pointerOf } from '../../model/json.ts';
import { exactJsonOf } from '../../model/response.ts';
import { listIn } from '../judging/listed-effects.ts';
import { itemIds } from '../judging/listing.ts';
import {
  type Answered,
  answered,
  faultsOf,
  headerValues,
  holds,
  isAccepted,
  pathValues,
  violated,
} from '../judging/reading.ts';
import { isBookkeeping } from '../judging/removal.ts';
import { isMade, isRead } from './kept-version.ts';

/** So many reads of the list show that each of them moves the version. */
const leastLists = 3;
/** What moves by itself moves in this time as well, in milliseconds. */
const longPause = 1000;

/** A record is read again and again, and its list in between: the version moves behind each read of the list, and never else (RDS-8). */
export function* movedByList(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  const later = all.slice(all.findLastIndex(({ operation }) => operation.kind === 'command') + 1);
  const first = later.find(({ step }) => step.observes === 'before');
  const lists = later.filter(({ step }) => step.observes === 'item');
  const [list] = lists;
  if (first === undefined || list === undefined || lists.length < leastLists || !isMade(first.step)) return;
  const reads = later.filter((one) => isRead(one, first.operation.id, first));
  if (reads.length + lists.length < later.length) return;
  if (!lists.every((one) => isRead(one, list.operation.id, list) && faultsOf(one.step).length === 0)) return;
  const id = pathValues(first.operation, first.exchange).at(-1);
  const idOf = itemIds(context, list.operation.id);
  const isListed = lists.every((one) => (listIn(one) ?? []).some((item) => idOf(item) === id));
  const gaps = reads.slice(1).map((one, at) => {
    const before = reads[at] ?? one;
    return {
      hasList: later.slice(later.indexOf(before), later.indexOf(one)).some((each) => lists.includes(each)),
      lasts: one.exchange.startedAt - before.exchange.endedAt,
    };
  });
  const isRested = gaps.some(({ hasList, lasts }) => !hasList && lasts >= longPause);
  const between = gaps.filter(({ hasList }) => hasList).length;
  if (!isListed || !isRested || between < leastLists || gaps.length < 2 * between) return;
  const on = [list, ...lists.slice(1), ...reads];
  const expected = 'the version that the record had before its list was read';
  const shown = reads.map(versionsIn);
  const places = [...(shown[0]?.keys() ?? [])].filter((at) => shown.every((each) => each.has(at)));
  const moved = places.find((at) =>
    gaps.every(({ hasList }, index) => hasList === (shown[index]?.get(at) !== shown[index + 1]?.get(at))),
  );
  if (moved !== undefined)
    yield violated(on, {
      expected,
      actual: shown.map((each) => each.get(moved)).join(', '),
      because: `${moved} of the record is another one after each read of its list, and stays as it is between other reads.`,
    });
  else if (places.length > 0 && places.every((at) => new Set(shown.map((each) => each.get(at))).size === 1))
    yield holds(on, { expected, because: 'Reads of the list leave the version as it was.' });
}

/** Members that are named like a version or the time of a change, and the ETag. */
function versionsIn({ answer }: Answered): ReadonlyMap<JsonPointer, string> {
  const [etag] = isAccepted(answer) ? headerValues(answer.headers, 'etag') : [];
  return new Map([
    ...textsIn(exactJsonOf(answer) ?? null).filter(([at]) => isBookkeeping(at)),
    ...(etag === undefined ? [] : [['ETag', etag] as const]),
  ]);
}

function textsIn(value: Json, path: readonly string[] = []): readonly (readonly [JsonPointer, string])[] {
  if (isObject(value)) return Object.entries(value).flatMap(([name, each]) => textsIn(each, [...path, name]));
  return typeof value === 'string' || typeof value === 'number' ? [[pointerOf(path), String(value)]] : [];
}
