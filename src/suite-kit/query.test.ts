import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import type { JsonSchema } from '../model/json.ts';
import { operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { askedWithAll, optionalQuery, wrongQueries } from './query.ts';

const wrong = (schema: JsonSchema): readonly string[] =>
  wrongQueries({ schema }).map(({ keyword, value }) => `${keyword} ${value}`);

test.each<[JsonSchema, readonly string[]]>([
  [
    { type: 'integer', minimum: 1, maximum: 100 },
    ['type abc', 'minimum 0', 'maximum 101', 'type 7abc', 'type 7.5'],
  ],
  [
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 9 },
    ['type abc', 'exclusiveMinimum 0', 'exclusiveMaximum 9', 'type 7abc'],
  ],
  [{ type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 63 }, ['type abc', 'type 7abc', 'type 7.5']],
  [{ type: 'boolean' }, ['type maybe']],
  [{ type: 'string', maxLength: 3 }, ['maxLength aaaa']],
  [{ type: 'string', maxLength: 5000 }, []],
  [{ type: 'string', enum: ['open'] }, ['enum assay-none-of-these']],
  [{ type: 'string', format: 'date' }, ['format assay-none-of-these']],
  [{ type: 'string', pattern: '^[A-Z]+$' }, ['pattern assay-none-of-these']],
  [{ type: 'string', pattern: '^\\S+$' }, []],
  [{ type: 'string', pattern: '^[a-z-]+$' }, ['pattern 9~none_of~these']],
  [{ type: 'string', format: 'byte' }, []],
  [{ type: 'array', items: { type: 'string', enum: ['open'] } }, ['enum assay-none-of-these']],
  [{ type: 'array', items: { type: 'string' } }, []],
  [{ type: 'array' }, []],
  [true, []],
])('texts that %j refuses', (schema, texts) => expect(wrong(schema)).toEqual(texts));

test('optional query fields have valid values, but for a cursor', () => {
  const field = (name: string, schema: JsonSchema, required = false) => ({
    name,
    required,
    schema,
    filters: undefined,
  });
  const queryFields = [
    field('limit', { type: 'integer', minimum: 2 }),
    field('at', { type: 'string' }),
    field('status', { type: 'string', enum: ['open'] }),
    field('ledger', { type: 'string' }, true),
  ];
  const paged = (style: 'cursor' | 'offset') => ({
    queryFields,
    pagination: { limit: 'limit', cursor: 'at', style, items: '/items', next: undefined },
  });
  expect(optionalQuery(paged('cursor'))).toEqual([
    ['limit', '2'],
    ['status', 'open'],
  ]);
  expect(optionalQuery(paged('offset')).map(([name]) => name)).toEqual(['limit', 'at', 'status']);
});

test.each([
  ['a field that selects members', { name: 'fields', schema: { type: 'string' } }, ['fields']],
  ['a filter', { name: 'name', schema: { type: 'string' }, 'x-governed': { filters: '/name' } }, []],
])('a valid request with %s may ask for another form, or not', async (_, parameter, names) => {
  const contract = await contractOf(
    operation('GET /things', 'list', {
      parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer' } },
        { name: 'offset', in: 'query', schema: { type: 'integer' } },
        { in: 'query', ...parameter },
      ],
      governed: { pagination: { style: 'offset', limit: 'limit', cursor: 'offset', items: '' } },
      result: { type: 'array', items: { properties: { name: { type: 'string' } } } },
    }),
  );
  const { deviations, query } = askedWithAll(operationOf(contract, 'list'));
  expect(query?.map(([name]) => name)).toEqual(['limit', 'offset', parameter.name]);
  expect(deviations).toEqual(names.map((name) => ({ kind: 'parameter', name })));
});
