import { expect, test } from 'vitest';
import type { Operation } from '../model/contract.ts';
import type { Json, JsonSchema } from '../model/json.ts';
import { taking } from '../testing/contracts.ts';
import { usualCode } from './codes.ts';
import { operationValues } from './values.ts';

const now = Date.parse('2030-05-01T12:00:00Z');
const text = { type: 'string' };
const object = (properties: Record<string, JsonSchema>, more: Record<string, Json> = {}): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  ...more,
});
const standIns = (operation: Operation, examples: readonly Json[] = []): readonly Json[] =>
  operationValues(operation, examples).standIns(now);

test.each<[string, JsonSchema, Json]>([
  ['a number that is not 0', object({ amount: { type: 'integer' } }), { amount: 1 }],
  ['a multiple', object({ amount: { type: 'number', multipleOf: 0.5, maximum: 0.9 } }), { amount: 0.5 }],
  ['a list with an item', object({ tags: { type: 'array', items: text } }), { tags: ['a'] }],
  [
    'items that say more',
    object({ lines: { type: 'array', items: object({ count: { type: 'integer' } }) } }),
    { lines: [{ count: 1 }] },
  ],
  [
    'items that say more, where there must be some',
    object({ lines: { type: 'array', items: object({ count: { type: 'integer' } }), minItems: 2 } }),
    { lines: [{ count: 1 }, { count: 1 }] },
  ],
  ['true', object({ accepted: { type: 'boolean' } }), { accepted: true }],
  ['not null', object({ note: { type: ['null', 'integer'] } }), { note: 1 }],
  [
    'a value that is named',
    object({ kind: { enum: ['NONE', 'KIND_UNSPECIFIED', 'STANDARD'] } }),
    { kind: 'STANDARD' },
  ],
  ['the example of a member', object({ plate: { ...text, examples: ['B-AB 12'] } }), { plate: 'B-AB 12' }],
  [
    'the example of what a member refers to',
    object({ plate: { $ref: '#/$defs/Plate' } }, { $defs: { Plate: { ...text, examples: ['B-AB 12'] } } }),
    { plate: 'B-AB 12' },
  ],
  ['the example of a code', object({ currency: { ...text, examples: ['USD'] } }), { currency: 'USD' }],
  ['the default of a member', object({ size: { type: 'integer', default: 7 } }), { size: 7 }],
  [
    'one of the members that may be left out',
    { type: 'object', properties: { size: { type: 'integer' }, note: { enum: ['a', 'b'] } } },
    { size: 1 },
  ],
  ['a code that the contract calls a text', object({ currencyCode: text }), { currencyCode: 'EUR' }],
  [
    'a code that fits the pattern',
    object({ price: object({ currency: { ...text, pattern: '^[A-Z]{3}$' } }) }),
    { price: { currency: 'EUR' } },
  ],
  [
    'another code that fits the pattern',
    object({ phone: { ...text, pattern: '^\\+[0-9]{6,15}$' } }),
    { phone: '+493012345678' },
  ],
])('a body that is refused is tried with %s', (_, schema, expected) => {
  expect(standIns(taking(schema))[0]).toEqual(expected);
});

test('a text is not made a code that its pattern forbids', () => {
  const currency = { ...text, pattern: '^[A-Z]{4}$' };
  expect(standIns(taking(object({ currency })))).toEqual([]);
});

test('items that must differ are not made equal', () => {
  const lines = { type: 'array', items: { type: 'integer' }, minItems: 2, uniqueItems: true };
  expect(standIns(taking(object({ lines })))).toEqual([{ lines: [10, 20] }, { lines: [100, 1000] }]);
});

test.each<[string, JsonSchema, readonly Json[]]>([
  ['at its minimum', { type: 'integer', minimum: 1 }, [10, 100]],
  ['within bounds', { type: 'integer', minimum: 3, maximum: 8 }, [5]],
  ['in steps', { type: 'number', minimum: 0.5, multipleOf: 0.5, maximum: 60 }, [10, 50]],
  ['above the one that says more', { type: 'integer', minimum: 0 }, [1, 10, 100]],
  ['that is a text', { ...text, pattern: '^[1-9]\\d{0,3}\\.\\d{2}$' }, ['10.00', '100.00']],
  ['that has one value', { type: 'integer', minimum: 3, maximum: 3 }, []],
])('a number %s is tried with larger ones, as far as they are valid', (_, amount, expected) => {
  expect(standIns(taking(object({ amount })))).toEqual(expected.map((value) => ({ amount: value })));
});

test('dates to come and of late are tried, each later than the one before it', () => {
  const date = { type: 'string', format: 'date' };
  const range = object({ from: date, to: { type: 'string', format: 'date-time' } });
  expect(standIns(taking(range))).toEqual([
    { from: '2030-06-01', to: '2030-06-02T12:00:00Z' },
    { from: '2030-04-02', to: '2030-04-03T12:00:00Z' },
  ]);
});

test('the examples of the document come first, where they are valid', () => {
  const operation = taking(object({ amount: { type: 'integer' } }));
  const examples = [{ amount: 'many' }, { amount: 250 }];
  const body = operation.body && { ...operation.body, examples };
  expect(standIns({ ...operation, body })).toEqual([
    { amount: 250 },
    { amount: 1 },
    { amount: 10 },
    { amount: 100 },
  ]);
});

test.each<[string, JsonSchema, readonly Json[]]>([
  ['the body is one of texts that may say anything', object({ title: text, note: text }), []],
  ['the configuration gives an example', object({ amount: { type: 'integer' } }), [{ amount: 5 }]],
  ['there is only one valid value', object({ kind: { const: 'a' } }), []],
])('nothing else is tried where %s', (_, schema, examples) => {
  expect(standIns(taking(schema), examples)).toEqual([]);
});

test('a marker goes into a text that is no code, whichever comes first', () => {
  const schema = object({ currency: text, purpose: text });
  expect(operationValues(taking(schema), []).marker).toBe('/purpose');
  const example = { currency: 'EUR', purpose: 'Rent' };
  expect(operationValues(taking(schema), [example]).marker).toBe('/purpose');
  expect(operationValues(taking(object({ currency: text })), [{ currency: 'EUR' }]).marker).toBeUndefined();
});

test.each([
  ['/currency', 'EUR'],
  ['/billing/countryCode', 'DE'],
  ['/contact_email', 'ann@example.com'],
  ['/phoneNumber', '+493012345678'],
  ['/lines/0/amount', '1.00'],
  ['/subject', undefined],
  ['/countryside', undefined],
  ['/emailed', undefined],
])('%s usually holds %s', (at, expected) => {
  expect(usualCode(at)).toBe(expected);
});
