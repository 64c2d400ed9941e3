import { expect, test } from 'vitest';
import type { Trace } from '../../model/exchange.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { listedAsAnother } from './listed-as-another.ts';

const context = makeContext({
  contract,
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

const marker = (digit: string): string => `asy-${digit.repeat(16)}`;
const item = (id: string, subject: string): JsonObject => ({ id, status: 'open', subject });

const made = (id: string, digit: string): Line => ({
  ...{ id, name: digit, status: 201, result: `case_${digit}` },
  sent: JSON.stringify({ subject: `x ${marker(digit)}` }),
  body: item(`case_${digit}`, `x ${marker(digit)}`),
});

const listed = (id: string, items: readonly Json[]): Line => ({
  ...{ id, status: 200, operation: 'listCases', role: 'readback' },
  body: { items: [...items] },
});

const own = item('case_b', `x ${marker('b')}`);
const others = item('case_b', `x ${marker('a')}`);

const bound = (one: Trace): Trace => ({
  ...one,
  bound: { ...one.bound, markers: { a: marker('a'), b: marker('b') } },
});

function rulings(...traces: readonly (readonly Line[])[]): readonly string[] {
  const fold = listedAsAnother();
  return traces.flatMap((lines, index) =>
    [...fold.see(context, bound(trace(lines, { id: `t${index}` })))].map(
      ({ verdict }) => `t${index} ${verdict}`,
    ),
  );
}

test('a list shows a record with the text of another one, and later with its own', () => {
  const doubt = [made('two', 'b'), listed('list', [others])];
  expect(rulings([...doubt, listed('again', [own])])).toEqual(['t0 violated']);
  expect(rulings(doubt, [{ ...listed('again', [own]), at: 1000 }])).toEqual(['t1 violated']);
  const read: Line = {
    ...{ id: 'read', status: 200, operation: 'getCase', on: 'two', role: 'readback' },
    body: own,
  };
  expect(rulings([...doubt, read])).toEqual(['t0 violated']);
});

test.each<[string, readonly (readonly Line[])[]]>([
  ['it never shows its own', [[made('two', 'b'), listed('list', [others]), listed('again', [others])]]],
  ['it has shown its own before', [[made('two', 'b'), listed('list', [own]), listed('again', [others])]]],
  [
    'it shows no record of the run',
    [[made('two', 'b'), listed('list', [item('case_b', 'another text')]), listed('again', [own])]],
  ],
  [
    'another command names the record',
    [
      [
        made('two', 'b'),
        { id: 'change', status: 200, operation: 'updateCase', on: 'two', sent: '{"subject":"case_b"}' },
        listed('list', [others]),
        listed('again', [own]),
      ],
    ],
  ],
])('nothing is said where %s', (_, traces) => {
  expect(rulings(...traces)).toEqual([]);
});
