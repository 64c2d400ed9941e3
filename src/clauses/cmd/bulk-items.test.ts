import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { bulkItems } from './bulk-items.ts';

const context = makeContext({
  contract,
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

type Pair = readonly [id: string, number: number | undefined];

const part = ([id, number]: Pair): Json =>
  number === undefined ? { id } : { id, subject: `Conformance ${number} asy-t-body` };

/** Three parts are made at once: which of them the result shows under which ID, and the list. */
function verdicts(
  results: readonly Pair[],
  listed: readonly Pair[],
  command: Partial<Line> = {},
): readonly string[] {
  const sent = { parts: [1, 2, 3].map((number) => ({ subject: `Conformance ${number} asy-t-body` })) };
  const all = trace([
    { id: 'a', role: 'setup', status: 201, result: 'case_7', name: 'other' },
    {
      ...{ id: 'add', operation: 'addParts', on: 'a', role: 'test', status: 201 },
      ...{ sent: JSON.stringify(sent), body: { parts: results.map(part) }, ...command },
    },
    {
      ...{ id: 'list', operation: 'listParts', on: 'a', role: 'readback', observes: 'list-after' },
      ...{ status: 200, body: { items: listed.map(part) } },
    },
  ]);
  return [...bulkItems(context, all)].map(({ verdict }) => verdict);
}

const each: readonly Pair[] = [
  ['part_1', 1],
  ['part_2', 2],
  ['part_3', 3],
];

test('each item is in the record that the result names for it, in whatever order', () => {
  expect(verdicts(each, each)).toEqual(['holds']);
  expect(verdicts(each.toReversed(), each)).toEqual(['holds']);
  expect(verdicts(each, [...each, ['part_9', undefined]])).toEqual(['holds']);
  const crossed: readonly Pair[] = [
    ['part_2', 1],
    ['part_3', 2],
    ['part_1', 3],
  ];
  expect(verdicts(crossed, each)).toEqual(['violated']);
  expect(verdicts([each[0] ?? ['', 1], ['part_1', 2], ['part_1', 3]], each)).toEqual(['violated']);
});

test('no item is there several times in place of another', () => {
  const same = each.map(([id]): Pair => [id, 1]);
  expect(verdicts(same, same)).toEqual(['violated']);
  expect(
    verdicts(
      each.map(([id]): Pair => [id, undefined]),
      same,
    ),
  ).toEqual(['violated']);
});

test('nothing follows where items have no record each, or nothing shows whose it is', () => {
  const few = each.slice(0, 1);
  expect(verdicts(few, few)).toEqual([]);
  expect(verdicts(each, few)).toEqual([]);
  const unnamed = each.map(([id]): Pair => [id, undefined]);
  expect(verdicts(unnamed, unnamed)).toEqual([]);
  expect(
    verdicts(
      each,
      each.map(([id]): Pair => [id, 1]),
      { status: 202 },
    ),
  ).toEqual([]);
  expect(verdicts(each, each, { status: 422, body: {} })).toEqual([]);
});
