import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../model/json.ts';
import { object } from '../../selftest/shapes/document.ts';
import { contextOfListed } from '../../testing/listed-cases.ts';
import { type Line, trace } from '../cases/trace.ts';
import { listedOtherwise } from './listed-otherwise.ts';

const words = { type: 'string' } as const;
const members = {
  ...{ title: words, due: { ...words, format: 'date-time' }, state: { enum: ['open', 'closed'] } },
  seats: { type: 'integer' },
};
const item = object({ id: words, ...members }, ['id']);

type Made = {
  readonly sent?: JsonObject;
  readonly result?: JsonObject;
  /** The record in the list; null where that lacks it. */
  readonly is: JsonObject | null;
  readonly look?: Partial<Line>;
  readonly make?: Partial<Line>;
  readonly between?: readonly Line[];
};

/** The verdicts on records that are made and listed, each in a trace of its own. */
async function verdicts(all: readonly Made[], shown: JsonObject = item): Promise<readonly string[]> {
  const [context, fold] = [await contextOfListed({ members, item, shown }), listedOtherwise()];
  return all.flatMap(({ between = [], is, look, make, result, sent: given }, index) => {
    const id = `case_${index}`;
    const sent = given ?? { title: `title of ${index}` };
    const items: readonly Json[] = [
      { id: 'case_x', title: 'another' },
      ...(is === null ? [] : [{ id, ...is }]),
    ];
    const lines: readonly Line[] = [
      { id: 'a', status: 201, sent: JSON.stringify(sent), body: { id, ...sent, ...result }, ...make },
      ...between,
      { id: 'list', operation: 'listCases', role: 'readback', status: 200, body: [...items], ...look },
    ];
    return [...fold.see(context, trace(lines, { id: `t${index}` }))].map(
      ({ verdict }) => `${index} ${verdict}`,
    );
  });
}

const fine: Made = { is: { title: 'title of 0' } };

test('a list that shows a text as it was sent shows no other ones in its place', async () => {
  const [one, other] = [{ is: { title: 'unnamed' } }, { is: { title: 'nobody' } }];
  expect(await verdicts([fine, one])).toEqual([]);
  expect(await verdicts([fine, one, other])).toEqual(['2 violated']);
  expect(await verdicts([one, other, { is: { title: 'title of 2' } }])).toEqual(['2 violated']);
  // What another command sent may be of somebody whom the records have in common.
  const [shared, again] = [
    { is: { title: 'asy-0000000000000001' } },
    { is: { title: 'asy-0000000000000001' } },
  ];
  expect(await verdicts([fine, shared, again])).toEqual([]);
  const due = (hour: number): JsonObject => ({ due: `2026-05-01T${hour}:00:00Z` });
  const late = (hour: number): Made => ({ sent: due(hour), is: due(hour + 2) });
  expect(await verdicts([{ sent: due(10), is: due(10) }, late(11), late(12)])).toEqual(['2 violated']);
  // The same instants in another zone.
  const zoned = (hour: number): Made => ({
    sent: due(hour),
    is: { due: `2026-05-01T${hour + 2}:00:00+02:00` },
  });
  expect(await verdicts([{ sent: due(10), is: due(10) }, zoned(11), zoned(12)])).toEqual([]);
});

test('a list that shows one text of all records is wrong, though it shows none as it was sent', async () => {
  expect(await verdicts([{ is: { title: 'x' } }])).toEqual([]);
  expect(await verdicts([{ is: { title: 'xyz' } }, { is: { title: 'xyz' } }])).toEqual(['1 violated']);
  // A form of its own, which differs from record to record.
  expect(await verdicts([{ is: { title: 'N. N.' } }, { is: { title: 'M. M.' } }])).toEqual([]);
});

test.each<[string, Made]>([
  ['nothing', { is: {} }],
  ['an empty text', { is: { title: '' } }],
  ['a part', { is: { title: 'title' } }],
  ['the text in another case', { is: { title: 'TITLE OF 1' } }],
  ['a mask', { is: { title: '••••' } }],
  ['no such record', { is: null }],
  ['what the result shows', { is: { title: 'named' }, result: { title: 'named' } }],
  ['to another caller', { is: { title: 'unnamed' }, look: { as: 'peer' } }],
  ['a state that goes on', { sent: { state: 'open' }, is: { state: 'closed' } }],
  ['what is left of a number', { sent: { seats: 4 }, is: { seats: 3 } }],
  ['what is queued', { is: { title: 'unnamed' }, make: { status: 202 } }],
])('a list may show %s', async (_, made) => {
  const as: Made = {
    sent: { title: 'title of 0', state: 'open', seats: 4 },
    is: { title: 'title of 0', state: 'open', seats: 4 },
  };
  expect(await verdicts([as, made, made])).toEqual([]);
});

test('another schema, and another command on the record, leave it open', async () => {
  const summary = object({ id: words, title: words }, ['id']);
  const unnamed: Made = { is: { title: 'unnamed' } };
  expect(await verdicts([fine, unnamed, unnamed])).toEqual(['2 violated']);
  expect(await verdicts([fine, unnamed, unnamed], summary)).toEqual([]);
  const named = (id: string): Made => ({
    ...unnamed,
    between: [{ id: 'b', status: 201, sent: `{"title":"copy of ${id}"}`, body: { id: 'case_9' } }],
  });
  expect(await verdicts([fine, named('case_1'), named('case_2')])).toEqual([]);
});
