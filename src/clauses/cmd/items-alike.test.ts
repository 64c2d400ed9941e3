import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { object } from '../../selftest/shapes/document.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { itemsAlike } from './items-alike.ts';

const text: JsonObject = { type: 'string' };
const line = object(
  { label: text, side: { enum: ['in', 'out'] }, count: { type: 'integer' }, currency: text },
  [],
);
const schema = object({ subject: text, lines: { type: 'array', items: line } }, []);

const context = makeContext({
  contract: {
    ...contract,
    operations: contract.operations.map((operation) =>
      operation.id === 'getCase'
        ? { ...operation, success: { ...operation.success, schema } }
        : operation.id === 'createCase' && operation.body !== undefined
          ? { ...operation, body: { ...operation.body, schema } }
          : operation,
    ),
  },
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

/** A record that was made with some lines, and what a read shows of it. */
function made(sent: readonly Json[], shown: readonly Json[] = sent, more: JsonObject = {}): readonly Line[] {
  const subject = `of ${JSON.stringify(sent).length}`;
  const record = { id: 'case_7', status: 'open', subject, lines: [...shown], ...more };
  return [
    {
      ...{ id: 'a', status: 201, result: 'case_7' },
      sent: JSON.stringify({ subject, lines: [...sent] }),
      body: record,
    },
    {
      ...{ id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback' },
      body: record,
    },
  ];
}

function rulings(...traces: readonly (readonly Line[])[]): readonly string[] {
  const fold = itemsAlike();
  return traces.flatMap((lines, index) =>
    [...fold.see(context, trace(lines, { id: `t${index}` }))].map(({ verdict }) => `t${index} ${verdict}`),
  );
}

const two = (one: JsonObject, other: JsonObject): readonly Json[] => [one, other];
const first = two({ label: 'a', count: 2 }, { label: 'b', count: 3 });
const second = two({ label: 'c', count: 4 }, { label: 'd', count: 5 });

test('each later item has the value of the first one, or none', () => {
  const labels = [
    made(first, two({ label: 'a', count: 2 }, { label: 'a', count: 3 })),
    made(second, two({ label: 'c', count: 4 }, { label: 'c', count: 5 })),
  ];
  expect(rulings(...labels)).toEqual(['t1 violated']);
  const counts = [
    made(first, two({ label: 'a', count: 2 }, { label: 'b' })),
    made(second, two({ label: 'c', count: 4 }, { label: 'd' })),
  ];
  expect(rulings(...counts)).toEqual(['t1 violated']);
});

const three = (...counts: readonly number[]): readonly Json[] =>
  counts.map((count, index) => ({ label: `${counts[0]} ${index}`, count }));
const taken = (sent: readonly number[], shown: readonly number[]): readonly Line[] =>
  made(
    three(...sent),
    three(...sent).map((item, index) => ({ ...(item as JsonObject), count: shown[index] ?? null })),
  );

test('an item has the value of the item before it, be it the greater one or the smaller one', () => {
  const [up, down] = [taken([2, 9, 5], [2, 2, 5]), taken([7, 3, 8], [7, 7, 8])];
  expect(rulings(up, down)).toEqual(['t1 violated']);
  expect(rulings(taken([2, 9, 5], [2, 2, 9]), down)).toEqual(['t1 violated']);
  // A bound may depend on the item before.
  expect(rulings(up, taken([3, 8, 6], [3, 3, 6]))).toEqual([]);
  expect(rulings(up)).toEqual([]);
  // Another value than that of the item before, and a list that is shown as it was sent.
  expect(rulings(up, taken([7, 3, 8], [7, 8, 8]))).toEqual([]);
  expect(rulings(made(three(1, 4, 6)), up, down)).toEqual([]);
});

test('each earlier item has the value of the last one', () => {
  const [one, other] = [taken([2, 9, 5], [5, 5, 5]), taken([7, 3, 8], [8, 8, 8])];
  expect(rulings(one, other)).toEqual(['t1 violated']);
  expect(rulings(one)).toEqual([]);
  expect(rulings(one, taken([7, 3, 8], [8, 3, 8]))).toEqual([]);
  expect(rulings(made(three(1, 4, 6)), one, other)).toEqual([]);
});

test('what all items may have to have in common is no value of another item', () => {
  const spent = (code: string, more: string): readonly Json[] =>
    [code, more, code].map((currency, index) => ({ label: `${code} ${index}`, currency }));
  const shown = (code: string): readonly Json[] =>
    [code, code, code].map((currency, index) => ({ label: `${code} ${index}`, currency }));
  expect(rulings(made(spent('EUR', 'USD'), shown('EUR')), made(spent('CHF', 'JPY'), shown('CHF')))).toEqual(
    [],
  );
});

test.each<[string, readonly (readonly Line[])[]]>([
  ['one command alone shows it', [made(first, two({ label: 'a', count: 2 }, { label: 'a', count: 3 }))]],
  [
    'the same values are sent again',
    [1, 2].map(() => made(first, two({ label: 'a', count: 2 }, { label: 'a', count: 3 }))),
  ],
  [
    'a later item has kept its own',
    [
      made(second),
      ...[first, two({ label: 'e', count: 6 }, { label: 'f', count: 7 })].map((sent) =>
        made(sent, [sent[0] ?? null, { ...Object(sent[1]), label: Object(sent[0]).label }]),
      ),
    ],
  ],
  ['items have changed their places', [made(first, first.toReversed()), made(second, second.toReversed())]],
  [
    'nothing says which item is which',
    [
      made(two({ label: 'a' }, { label: 'b' }), two({ label: 'a' }, { label: 'a' })),
      made(two({ label: 'c' }, { label: 'd' }), two({ label: 'c' }, { label: 'c' })),
    ],
  ],
  [
    'it is what all items may have to share, or one of few values',
    [first, second].map((sent) => {
      const [one, other] = sent.map((each, index) => ({
        ...Object(each),
        currency: `C${index}${sent.length}`,
      }));
      return made(two(one, other), two(one, { ...other, currency: one.currency }));
    }),
  ],
  [
    'something else is not as it was sent',
    [
      made(first, two({ label: 'a', count: 2 }, { label: 'a', count: 3 }), { subject: 'other' }),
      made(second, two({ label: 'c', count: 4 }, { label: 'c', count: 5 }), { subject: 'another' }),
    ],
  ],
])('nothing is said where %s', (_, traces) => {
  expect(rulings(...traces)).toEqual([]);
});
