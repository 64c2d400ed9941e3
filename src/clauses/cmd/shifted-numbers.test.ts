import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { shiftedNumbers } from './shifted-numbers.ts';

const members: JsonObject = {
  subject: { type: 'string' },
  amount: { type: 'number' },
  price: { type: 'string' },
  quantity: { type: 'integer' },
  taxRate: { type: 'number' },
};
const withMembers = (operation: Operation): Operation =>
  operation.id === 'createCase' && operation.body !== undefined
    ? { ...operation, body: { ...operation.body, schema: { type: 'object', properties: members } } }
    : operation;
const context = makeContext({
  contract: { ...contract, operations: contract.operations.map(withMembers) },
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

/** Records that are made with each of these, and what their reads show in their place. */
function rulings(
  name: string,
  sent: readonly Json[],
  is: (value: Json) => Json,
  more: JsonObject = {},
): readonly string[] {
  const fold = shiftedNumbers();
  return sent.flatMap((value, index) => {
    const subject = `The ${index}. of them`;
    const body = { id: 'case_9', status: 'open', subject, [name]: is(value), ...more };
    const lines: readonly Line[] = [
      {
        ...{ id: 'a', status: 201, result: 'case_9', role: 'test', body },
        sent: JSON.stringify({ subject, [name]: value }),
      },
      { id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback', body },
    ];
    return [...fold.see(context, trace(lines, { id: `t${index}` }))].map(
      (ruling) => `t${index} ${ruling.verdict} ${'actual' in ruling ? ruling.actual : ''}`,
    );
  });
}
const times = (by: number) => (value: Json) => Number(value) * by;

test('numbers that are all stored by one rule are found', () => {
  expect(rulings('amount', [1, 7, 100], (value) => Number(value) - 1)).toEqual(['t2 violated 99 at /amount']);
  expect(rulings('amount', [1, 7, 100], (value) => Number(value) + 1)).toEqual([
    't2 violated 101 at /amount',
  ]);
  expect(rulings('amount', [0, 1.5, 7, 12.25], times(100))).toEqual(['t3 violated 1225 at /amount']);
  expect(rulings('amount', [500, 20, 7], times(0.001))).toEqual(['t2 violated 0.007 at /amount']);
  expect(rulings('price', ['1.50', '7.00', '12.25'], (value) => String(Number(value) * 100))).toEqual([
    't2 violated "1225" at /price',
  ]);
});

test.each<[string, string, readonly Json[], (value: Json) => Json]>([
  ['they are stored', 'amount', [1, 7, 100], (value) => value],
  ['one of them is stored', 'amount', [1, 7, 100, 3], (value) => (value === 1 ? 1 : Number(value) - 1)],
  ['there are but two of them', 'amount', [1, 7, 7], (value) => Number(value) - 1],
  ['each has a rule of its own', 'amount', [1, 7, 100], (value) => Number(value) + (value === 7 ? 1 : -1)],
  ['a part of a whole is shown in per cent', 'taxRate', [0.1, 0.25, 0.5], times(100)],
  ['a tax is added', 'amount', [100, 200, 300], times(1.19)],
  ['the command may use one up', 'quantity', [1, 7, 100], (value) => Number(value) - 1],
  ['an amount has more digits', 'price', ['1.5', '7', '12.25'], (value) => Number(value).toFixed(2)],
])('nothing is said of numbers where %s', (_, name, sent, is) => {
  expect(rulings(name, sent, is)).toEqual([]);
});

test('nothing is said where the record shows something else of the command as well', () => {
  expect(rulings('amount', [1, 7, 100], (value) => Number(value) - 1, { subject: 'Another' })).toEqual([]);
});
