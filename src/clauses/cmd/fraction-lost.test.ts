import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { fractionLost } from './fraction-lost.ts';

const cents = { type: 'string', pattern: '^\\d{1,6}\\.\\d{2}$' };
const text = { type: 'string' };
const properties: JsonObject = {
  ...{ id: text, subject: text, currency: text, amount: cents, whole: { type: 'string', pattern: '^\\d+$' } },
  ...{ free: text, limit: { type: 'string', format: 'decimal' } },
  ...{ price: { type: 'number', multipleOf: 0.01 }, weight: { type: 'number' } },
  lines: { type: 'array', items: { type: 'object', properties: { hours: cents, note: text } } },
};

function contextOf(shown: JsonObject) {
  const schema = { type: 'object', properties };
  return makeContext({
    contract: {
      ...contract,
      operations: contract.operations.map((operation: Operation) => {
        if (operation.id === 'getCase')
          return {
            ...operation,
            success: {
              ...operation.success,
              schema: { type: 'object', properties: { ...properties, ...shown } },
            },
          };
        return operation.id === 'createCase' && operation.body !== undefined
          ? { ...operation, body: { ...operation.body, schema } }
          : operation;
      }),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
}

/** What a command sends, and what its record shows of that. */
type Made = readonly [sent: JsonObject, is: JsonObject];

/** A record that is made, and read. */
function making([sent, is]: Made, index: number): readonly Line[] {
  const subject = `The ${index}. of them`;
  const body = { id: 'case_7', subject, ...sent, ...is };
  return [
    { id: 'a', status: 201, sent: JSON.stringify({ subject, ...sent }), result: 'case_7', body },
    { id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback', body },
  ];
}

function rulings(all: readonly Made[], shown: JsonObject = {}): readonly string[] {
  const fold = fractionLost();
  const context = contextOf(shown);
  return all.flatMap((made, index) =>
    [...fold.see(context, trace(making(made, index), { id: `t${index}` }))].map(
      ({ verdict }) => `t${index} ${verdict}`,
    ),
  );
}

const amounts = (...all: readonly (readonly [string, string])[]): readonly Made[] =>
  all.map(([sent, shown]) => [{ amount: sent }, { amount: shown }]);

test('a fraction that the contract declares, and that no record shows, is found', () => {
  expect(rulings(amounts(['12.40', '12.00'], ['7.90', '7.00']))).toEqual(['t1 violated']);
  expect(rulings(amounts(['12.40', '12.00'], ['7.90', '8.00']))).toEqual(['t1 violated']);
  expect(rulings(amounts(['12.50', '13.00'], ['7.01', '8.00']))).toEqual(['t1 violated']);
  const priced = [12.4, 7.9].map((price): Made => [{ price }, { price: Math.round(price) }]);
  expect(rulings(priced)).toEqual(['t1 violated']);
  const limited = ['12.40', '7.90'].map((limit): Made => [{ limit }, { limit: limit.slice(0, -3) }]);
  expect(rulings(limited)).toEqual(['t1 violated']);
});

test('so is one within the items of a list, and with several currencies, or one that has cents', () => {
  const lines = (hours: string): JsonObject => ({ lines: [{ hours, note: 'x' }] });
  expect(
    rulings([
      [lines('1.40'), lines('1.00')],
      [lines('2.90'), lines('2.00')],
    ]),
  ).toEqual(['t1 violated']);
  const of = (one: string, other: string): readonly Made[] => [
    [{ amount: '12.40', currency: one }, { amount: '12.00' }],
    [{ amount: '7.90', currency: other }, { amount: '7.00' }],
  ];
  expect(rulings(of('EUR', 'EUR'))).toEqual(['t1 violated']);
  expect(rulings(of('AAA', 'JPY'))).toEqual(['t1 violated']);
  // The yen has no cents.
  expect(rulings(of('JPY', 'JPY'))).toEqual([]);
});

test.each<[string, readonly Made[], JsonObject?]>([
  ['one number alone', amounts(['12.50', '12.00'], ['12.50', '12.00'])],
  ['whole numbers', amounts(['12.00', '12.00'], ['7.00', '7.00'])],
  ['another record with a fraction', amounts(['3.25', '3.25'], ['12.40', '12.00'], ['7.90', '7.00'])],
  ['what rounding to halves makes of them', amounts(['12.90', '13.00'], ['7.10', '7.00'], ['2.20', '2.00'])],
  ['what rounding down to halves makes of them', amounts(['12.40', '12.00'], ['7.30', '7.00'])],
  ['what rounding up to halves makes of them', amounts(['12.60', '13.00'], ['7.70', '8.00'])],
  ['another number', amounts(['12.40', '100.00'], ['7.90', '100.00'])],
  [
    'numbers of which the contract does not say that they have one',
    [12.4, 7.9].map((weight): Made => [{ weight }, { weight: Math.round(weight) }]),
  ],
  ['texts of any kind', ['12.40', '7.90'].map((free): Made => [{ free }, { free: free.slice(0, -3) }])],
  [
    'what a read declares as whole',
    amounts(['12.40', '12'], ['7.90', '7']),
    { amount: { type: 'string', pattern: '^\\d+$' } },
  ],
  [
    'nothing else of the command',
    amounts(['12.40', '12.00'], ['7.90', '7.00']).map(([sent, is]): Made => [sent, { ...is, subject: 'X' }]),
  ],
])('nothing is said where records show %s', (_, all, shown) => {
  expect(rulings(all, shown)).toEqual([]);
});
