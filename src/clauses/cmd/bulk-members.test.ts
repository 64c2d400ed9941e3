import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { bulkItems } from './bulk-items.ts';

const item: JsonObject = {
  type: 'object',
  properties: { id: { type: 'string' }, size: { type: 'integer' }, note: { type: 'string' } },
};
const list = (name: string): JsonObject => ({
  type: 'object',
  properties: { [name]: { type: 'array', items: item } },
});

/** The same contract, where parts have a schema that their list has as well. */
const context = makeContext({
  contract: {
    ...contract,
    operations: contract.operations.map((one) =>
      one.id === 'addParts'
        ? { ...one, success: { ...one.success, schema: list('parts') } }
        : one.id === 'listParts'
          ? { ...one, success: { ...one.success, schema: list('items') }, pagination: pages(one.pagination) }
          : one,
    ),
  },
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

function pages(given: (typeof contract.operations)[number]['pagination']) {
  return (
    given ?? { limit: 'limit', cursor: 'cursor', style: 'cursor' as const, items: '/items', next: '/next' }
  );
}

type Part = Readonly<Record<string, string | number>>;
const sent: readonly Part[] = [
  { size: 3, note: 'A passing remark' },
  { size: 8, note: 'A lasting remark' },
];
const made = sent.map((part, index): Part => ({ id: `part_${index + 1}`, ...part }));

/** What reads show of two parts that were made at once. */
function reasons(
  shown: readonly Part[],
  results: readonly Part[] = made,
  command: Partial<Line> = {},
): readonly string[] {
  const all = trace([
    { id: 'a', role: 'setup', status: 201, result: 'case_7', name: 'other' },
    {
      ...{ id: 'add', operation: 'addParts', on: 'a', role: 'test', status: 201 },
      ...{ sent: JSON.stringify({ parts: sent }), body: { parts: [...results] }, ...command },
    },
    {
      ...{ id: 'list', operation: 'listParts', on: 'a', role: 'readback', observes: 'list-after' },
      ...{ status: 200, body: { items: [...shown] } },
    },
  ]);
  return [...bulkItems(context, all)].map(({ because }) => because);
}

const [one = {}, two = {}] = made;

test('each record shows what its result shows, in whatever order', () => {
  expect(reasons(made)).toEqual([]);
  expect(reasons(made.toReversed(), made.toReversed())).toEqual([]);
});

test('the second record has less than its result shows', () => {
  const { note: _, ...less } = two;
  expect(reasons([one, less])).toEqual([expect.stringMatching(/\/note of item 2.*nothing or less/)]);
  expect(reasons([one, { ...two, note: '' }])).toEqual([expect.stringContaining('nothing or less')]);
});

test('the second record has what was sent of the first', () => {
  expect(reasons([one, { ...two, size: 3 }])).toEqual([expect.stringContaining('of another item')]);
  // In another form it may be its own.
  expect(reasons([one, { ...two, size: 9 }])).toEqual([]);
});

test('nothing follows from what the result does not show, or is only queued', () => {
  const { note: _, ...less } = two;
  expect(reasons([one, less], [one, less])).toEqual([]);
  expect(reasons([one, less], made, { status: 202 })).toEqual([]);
  expect(reasons([one, less], [one])).toEqual([]);
  expect(reasons([one])).toEqual([]);
});
