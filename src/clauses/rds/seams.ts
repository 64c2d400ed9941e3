import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { nextPage } from '../../oracle/paging.ts';
import { itemIds, itemsOf, queryOf } from '../judging/listing.ts';
import { type Answered, answered, isAccepted, violated } from '../judging/reading.ts';

type Departure = { readonly expected: string; readonly actual: string; readonly because: string };

/**
 * The first records of a list on one page (`whole`), and between two such reads on two small pages (`half`). Only where
 * the list is the same throughout, and each round departs from it, is there a violation. It says nothing in favour of a
 * list, whose end it does not reach.
 */
export function* atSeams(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace).filter(({ answer }) => isAccepted(answer));
  const page = (id: string): Answered | undefined => all.find(({ step }) => step.id === id);
  const wholes = all.filter(({ step }) => step.id.startsWith('whole-'));
  const [whole] = wholes;
  if (whole === undefined || whole.operation.pagination === undefined || wholes.length < 2) return;
  const idOf = itemIds(context, whole.operation.id);
  const idsOf = (one: Answered): readonly string[] => itemsOf(one).flatMap((item) => idOf(item) ?? []);
  const records = idsOf(whole);
  // What is listed otherwise by now was written meanwhile, or has no order that a page could keep to.
  if (wholes.some((one) => idsOf(one).join() !== records.join())) return;
  const on: Answered[] = [whole];
  const departures: Departure[] = [];
  for (let round = 0; round < wholes.length - 1; round += 1) {
    const first = page(`half-${round}-0`);
    if (first === undefined || !isFull(first)) return;
    const second = page(`half-${round}-1`);
    const found = second === undefined ? undefined : idsOf(second);
    const ends = nextPage(first.operation, first.answer).kind === 'none';
    const departure = departureOf(records, idsOf(first), found, ends);
    if (departure === undefined) return;
    departures.push(departure);
    on.push(first, ...(second === undefined ? [] : [second]));
  }
  const [departure] = departures;
  if (departure !== undefined) yield violated(on, departure);
}

/** Of a page with fewer items than it may have, nobody who counts them knows where the next one begins. */
function isFull(one: Answered): boolean {
  const limit = queryOf(one).get(one.operation.pagination?.limit ?? '');
  return nextPage(one.operation, one.answer).kind !== 'unknown' || itemsOf(one).length === Number(limit);
}

/** How two small pages in turn depart from the records of one page that begins as they do. */
function departureOf(
  records: readonly string[],
  first: readonly string[],
  second: readonly string[] | undefined,
  ends: boolean,
): Departure | undefined {
  const [next] = records.slice(first.length);
  if (next === undefined || first.length === 0) return undefined;
  if (first.some((id, index) => id !== records[index])) return undefined;
  const expected = `${next} on the second page`;
  if (second === undefined)
    return ends
      ? {
          expected,
          actual: 'no second page',
          because: 'The list ends with a small page, and goes on where the page is larger.',
        }
      : undefined;
  const twice = second.find((id) => first.includes(id));
  if (twice !== undefined)
    return {
      expected,
      actual: `${twice} on both pages`,
      because: 'The second page begins before the end of the first.',
    };
  const [found] = second;
  return found === undefined || second.includes(next)
    ? undefined
    : {
        expected,
        actual: `${found}, and not ${next}`,
        because: 'The second page begins behind a record that no page shows.',
      };
}
