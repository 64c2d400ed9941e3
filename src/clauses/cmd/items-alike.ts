import type { Fold, Violated } from '../../model/clause.ts';
import { canonicalJson, type Json, type JsonPointer, pointerTokens } from '../../model/json.ts';
import { sentJson } from '../../model/response.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { isSame, membersOf, shownFor } from '../judging/changes.ts';
import { type Answered, answered, type Seen, seen, violated } from '../judging/reading.ts';
import { readOfRecord } from '../judging/record-reads.ts';
import { type SentPlace, sentPlaces, shows } from '../judging/sent-places.ts';
import { isPlain } from '../judging/settable-members.ts';

/** One member in all items of a list, the first item first. */
type Column = { readonly list: JsonPointer; readonly member: string; readonly values: readonly SentPlace[] };

type How = 'lost' | 'first' | 'last' | 'before';

type Doubt = {
  readonly one: Answered;
  readonly read: Seen;
  readonly column: Column;
  readonly how: How;
};

/** So many commands show it: one may have met a rule about its values. */
const enough = 2;

/** So many of them are remembered. */
const most = 4;

/**
 * A member that only the first item of a list has as it was sent (CMD-6), as the variable of a loop loses it: each later item has
 * the value of the first one, or none; or each earlier one has that of the last. The items keep their places and all else that was
 * sent. It may hold for all lists of an operation, so no such item has ever shown a value of its own there. Or one item or more
 * have the value of the item before, as an index that is one off takes it: then no list has ever shown all of its own values.
 */
export function itemsAlike(): Fold {
  const kept = new Set<string>();
  const doubts = new Map<string, readonly Doubt[]>();
  return {
    *see(context, trace) {
      const all = seen(context, trace);
      for (const one of answered(context, trace)) {
        if (one.operation.method !== 'POST') continue;
        const read = readOfRecord(context, all, one);
        if (read === undefined) continue;
        const is = shownFor(one, read.exchange.answer);
        const places = sentPlaces(one.operation, membersOf(sentJson(one.exchange.request)), is, undefined);
        const columns = columnsOf(places);
        for (const column of columns) {
          const own = `${one.operation.id} ${generic(column.list)} ${column.member}`;
          if (isKept(column)) kept.add(`${own} lost`).add(`${own} first`);
          if (isKept(reversed(column))) kept.add(`${own} last`);
          if (isWhole(column)) kept.add(`${own} before`);
          for (const how of howsOf(one, column)) {
            const key = `${own} ${how}`;
            if (kept.has(key) || !isRest(places, columns, column, how)) continue;
            const found = withDoubt(doubts.get(key) ?? [], { one, read, column, how });
            doubts.set(key, found);
            const [last] = isEnough(found, how) ? found.slice(-1) : [];
            if (last === undefined) continue;
            yield ruling(last, found.length);
            break;
          }
        }
      }
    },
  };
}

/** Doubts of commands that sent other values: a repeat takes the place of what it repeats. */
function withDoubt(doubts: readonly Doubt[], doubt: Doubt): readonly Doubt[] {
  const sent = ({ column }: Doubt): string => canonicalJson(column.values.map((each) => each.sent));
  return [...doubts.filter((each) => sent(each) !== sent(doubt)).slice(1 - most), doubt];
}

function columnsOf(places: readonly SentPlace[]): readonly Column[] {
  const columns = new Map<string, SentPlace[]>();
  for (const place of places) {
    const found = /^(.*)\/(\d+)(\/[^/]*\D[^/]*(?:\/[^/]*\D[^/]*)*)$/.exec(place.at);
    if (found === null) continue;
    const key = `${found[1]} ${found[3]}`;
    columns.set(key, [...(columns.get(key) ?? []), place]);
  }
  return [...columns].map(([key, values]) => {
    const [list = '', member = ''] = key.split(' ');
    return { list, member, values };
  });
}

const generic = (at: JsonPointer): string => at.replaceAll(/\/\d+(?=\/|$)/g, '/0');

/** The last item first: one variable for all items may keep the value of the last one. */
function reversed(column: Column): Column {
  return { ...column, values: column.values.toReversed() };
}

/** Whether a later item shows a value of its own. */
function isKept({ values: [first, ...later] }: Column): boolean {
  return later.some(({ sent, shown }) => !isSame(sent, first?.sent ?? null) && shows(sent, shown));
}

/** Whether all items show values of their own, and two of them that follow each other do not have the same one. */
function isWhole({ values }: Column): boolean {
  const isOther = ({ sent }: SentPlace, at: number): boolean =>
    at > 0 && !isSame(sent, values[at - 1]?.sent ?? null);
  return values.every(({ sent, shown }) => shows(sent, shown)) && values.some(isOther);
}

/** The items that show what was sent for the item before them; undefined where others do not show their own value either. */
function takenBefore({ values }: Column): readonly SentPlace[] | undefined {
  const taken = values.filter(({ sent, shown }) => !shows(sent, shown));
  const isBefore = (one: SentPlace): boolean => {
    const before = values[values.indexOf(one) - 1];
    return before !== undefined && one.shown !== undefined && isSame(before.sent, one.shown);
  };
  return taken.length > 0 && taken.every(isBefore) ? taken : undefined;
}

function isEnough(doubts: readonly Doubt[], how: How): boolean {
  if (how !== 'before' || doubts.length < enough) return doubts.length >= enough;
  // A service may have a bound for each number that the one before sets.
  const numbers = doubts
    .flatMap(({ column }) => takenBefore(column) ?? [])
    .flatMap(({ sent, shown }) =>
      typeof sent === 'number' && typeof shown === 'number' ? [sent - shown] : [],
    );
  return numbers.length === 0 || (numbers.some((more) => more > 0) && numbers.some((more) => more < 0));
}

function howsOf(one: Answered, column: Column): readonly How[] {
  const how = howOf(one, column) ?? (howOf(one, reversed(column)) === 'first' ? 'last' : undefined);
  const isBefore = takenBefore(column) !== undefined && isFree(one, column);
  return [...(how === undefined ? [] : [how]), ...(isBefore ? ['before' as const] : [])];
}

/** Whether callers may set a member of each item to any value. */
function isFree({ operation }: Answered, { values }: Column): boolean {
  return values.every(
    ({ at, sent }) => isPlain(at, sent) && typeof sent !== 'boolean' && isOpen(operation, at),
  );
}

function howOf(one: Answered, column: Column): How | undefined {
  const [first, ...later] = column.values;
  if (first === undefined || !shows(first.sent, first.shown) || first.shown === null) return undefined;
  const telling = later.filter(({ sent }) => !isSame(sent, first.sent));
  if (telling.length === 0 || telling.length < later.length || !isFree(one, column)) return undefined;
  if (later.every(({ shown }) => shown === undefined || shown === null || shown === '')) return 'lost';
  return later.every(({ shown }) => shown !== undefined && isSame(shown, first.shown ?? null))
    ? 'first'
    : undefined;
}

/** What all items of a list may have to have in common, or only one of them may have. */
const shared =
  /^(type|kind|category|units?|currency|language|locale|country|price|rate|tax|vat|date|day|status|state|default|primary|main|is|code|key|number|position|order|rank|index)$/i;

/** Whether a member may have any value. */
function isOpen({ body }: Answered['operation'], at: JsonPointer): boolean {
  const schemas = schemasAt(body?.schema, at);
  const words = (pointerTokens(at).at(-1) ?? '').split(/[_-]|(?<=[a-z])(?=[A-Z])/);
  return (
    schemas.length > 0 &&
    !schemas.some((schema) => 'enum' in schema || 'const' in schema) &&
    !words.some((word) => shared.test(word) || /^ids?$/i.test(word))
  );
}

/** Whether all else is as it was sent, and another member says which item is which. */
function isRest(places: readonly SentPlace[], columns: readonly Column[], column: Column, how: How): boolean {
  // What takes one member of another item may take an object that has it.
  const others = how !== 'before' ? [] : columns.filter((each) => each.list === column.list);
  const alike = new Set(others.flatMap((each) => takenBefore(each) ?? []));
  const own = `${generic(column.list)}/0${column.member}`;
  // In a list within another one, the same may hold for the items of all.
  const rest = places.filter(({ at }) => generic(at) !== own && !own.startsWith(`${generic(at)}/`));
  const isTelling = (each: Column): boolean => each.list === column.list && each !== column && isKept(each);
  return (
    rest.every((each) => shows(each.sent, each.shown) || each.sent === null || alike.has(each)) &&
    (columns.some(isTelling) ||
      rest.some(({ at, sent }) => isWithin(at, column.list) && typeof sent === 'object'))
  );
}

/** Whether a place is that of a list or an object in an item behind the first one. */
function isWithin(at: JsonPointer, list: JsonPointer): boolean {
  return at.startsWith(`${list}/`) && !at.startsWith(`${list}/0/`);
}

function ruling({ column, how, one, read }: Doubt, times: number): Violated {
  const [first, later] = column.values;
  const next = how === 'before' ? takenBefore(column)?.[0] : how === 'last' ? first : later;
  const short = (value: Json | undefined): string => JSON.stringify(value ?? null).slice(0, 80);
  return violated([one, read], {
    expected: `${short(next?.sent)} at ${next?.at}, as it was sent`,
    actual: `${short(next?.shown)} at ${next?.at}`,
    because: `The record shows the rest of the accepted command, but ${wordsFor[how](first?.at)}. ${times} commands that sent other values show that.`,
    moved: { read: read.operation.id, at: next === undefined ? [] : [next.at] },
  });
}

const wordsFor: Readonly<Record<How, (first: JsonPointer | undefined) => string>> = {
  lost: () => 'nothing at that place of each later item',
  first: (at) => `the value of ${at} at that place of each later item`,
  last: () => 'the value of the last item at that place of each item',
  before: () => 'the value of the item before it there',
};
