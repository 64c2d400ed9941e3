import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { canonicalJson, isArray, type Json, valueAt } from '../../model/json.ts';
import { bulkOf } from '../../model/listed.ts';
import { isUsual } from '../../model/marker.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { idAt, idPointer } from '../../model/result-id.ts';
import { listIn } from '../judging/listed-effects.ts';
import { itemIds } from '../judging/listing.ts';
import {
  type Answered,
  answered,
  faultsOf,
  holds,
  isAccepted,
  isQueued,
  markerOf,
  pathValues,
  violated,
} from '../judging/reading.ts';
import { bulkMembers } from './bulk-members.ts';
import { bulkPlaces } from './bulk-places.ts';

const expected = 'each item in the record that the result names for it';

/** Several records that one command made: each has the text that the result shows under its ID, and no text is there twice in place of another (CMD-6). */
export function* bulkItems(context: Context, trace: Trace): Iterable<Ruling> {
  const rulings = [...eachOfItsOwn(context, trace)];
  yield* rulings;
  // Who has the record of another item has its members as well.
  if (rulings.every(({ verdict }) => verdict !== 'violated')) yield* bulkMembers(context, trace);
  yield* bulkPlaces(context, trace);
}

function* eachOfItsOwn(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const [at, one] of all.entries()) {
    const { answer, exchange, operation, step } = one;
    const place = bulkOf(operation.effect);
    const marker = markerOf(trace, one);
    if (place === undefined || marker === undefined || !isUsual(marker) || step.role !== 'test') continue;
    if (!isAccepted(answer) || isQueued(answer) || faultsOf(step).length > 0) continue;
    const results = valueAt(exactJsonOf(answer), place);
    const sent = numbersIn(sentJson(exchange.request), marker);
    if (!isArray(results) || sent.length < 2) continue;
    const within = idPointer(operation).slice(place.length + '/0'.length);
    const named = results.flatMap((item) => {
      const id = idAt(item, within);
      return id === undefined ? [] : [{ id, number: onlyNumberIn(item, marker) }];
    });
    const shown = shownBy(context, all.slice(at + 1), one, marker);
    const other = named.find(({ id, number }) => {
      const is = shown.get(id)?.number;
      return number !== undefined && is !== undefined && is !== number;
    });
    const read = shown.get(other?.id ?? '')?.read;
    if (other !== undefined && read !== undefined) {
      yield violated([one, read], {
        expected,
        actual: `item ${shown.get(other.id)?.number} in ${other.id}`,
        because: `The result shows item ${other.number} as ${other.id}, but a read of ${other.id} shows item ${shown.get(other.id)?.number}.`,
      });
      continue;
    }
    const ids = new Set(named.map(({ id }) => id));
    const found = [...ids].flatMap((id) => shown.get(id) ?? []);
    // Only where each item has a record of its own is one of them known to be missing.
    if (ids.size !== sent.length || found.length !== sent.length) continue;
    const numbers = new Set(found.map(({ number }) => number));
    const missing = sent.find((number) => !numbers.has(number));
    const on = [one, ...new Set(found.map((each) => each.read))];
    yield missing === undefined
      ? holds(on, { expected, because: 'Each item has a record of its own.' })
      : violated(on, {
          expected,
          actual: `items ${found.map(({ number }) => number).join(', ')}`,
          because: `The command made ${ids.size} records, but item ${missing} is in none of them, and another item is in several.`,
        });
  }
}

/** What reads show of the records of a command: which item each of them is. */
function shownBy(
  context: Context,
  later: readonly Answered[],
  { operation }: Answered,
  marker: string,
): ReadonlyMap<string, { readonly number: number; readonly read: Answered }> {
  const shown = new Map<string, { readonly number: number; readonly read: Answered }>();
  const note = (id: string | undefined, value: Json | undefined, read: Answered): void => {
    const number = value === undefined ? undefined : onlyNumberIn(value, marker);
    if (id !== undefined && number !== undefined && !shown.has(id)) shown.set(id, { number, read });
  };
  for (const read of later) {
    if (read.operation.kind !== 'read' || !isAccepted(read.answer) || read.answer.truncated) continue;
    if (read.operation.id === operation.effect?.read)
      note(pathValues(read.operation, read.exchange).at(-1), exactJsonOf(read.answer), read);
    else if (read.step.observes === 'list-after') {
      const idOfItem = itemIds(context, read.operation.id);
      for (const item of listIn(read) ?? []) note(idOfItem(item), item, read);
    }
  }
  return shown;
}

/** The numbers before a marker in the texts of a value. */
function numbersIn(value: Json | undefined, marker: string): readonly number[] {
  const texts = canonicalJson(value ?? null).matchAll(new RegExp(`(\\d+)[ _-]+${marker}`, 'gi'));
  return [...new Set([...texts].map(([, number]) => Number(number)))];
}

function onlyNumberIn(value: Json, marker: string): number | undefined {
  const [number, ...others] = numbersIn(value, marker);
  return others.length > 0 ? undefined : number;
}
