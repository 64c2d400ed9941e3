import { expect, test } from 'vitest';
import type { JsonSchema } from '../model/json.ts';
import { optionalQuery, wrongQueries } from './query.ts';

const wrong = (schema: JsonSchema): readonly string[] =>
  wrongQueries({ schema }).map(({ keyword, value }) => `${keyword} ${value}`);

test.each<[JsonSchema, readonly string[]]>([
  [
    { type: 'integer', minimum: 1, maximum: 100 },
    ['type abc', 'minimum 0', 'maximum 101', 'minimum -1', 'type 7abc', 'type 7.5'],
  ],
  [
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 9 },
    ['type abc', 'exclusiveMinimum 0', 'exclusiveMaximum 9', 'type 7abc', 'type NaN'],
  ],
  [{ type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 63 }, ['type abc', 'type 7abc', 'type 7.5']],
  [{ type: 'boolean' }, ['type maybe']],
  [{ type: 'string', maxLength: 3 }, ['maxLength aaaa']],
  [{ type: 'string', maxLength: 5000 }, []],
  [{ type: 'string', minLength: 3 }, ['minLength aa']],
  // An empty value may stand for none.
  [{ type: 'string', minLength: 1 }, []],
  [{ type: 'string', enum: ['open'] }, ['enum assay-none-of-these', 'enum OPEN']],
  [{ type: 'string', enum: ['1', 'a', 'A', 'Ended'] }, ['enum assay-none-of-these', 'enum ENDED']],
  [{ type: 'string', enum: ['a', 'A', '7'] }, ['enum assay-none-of-these']],
  [
    { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$', format: 'date' },
    ['pattern assay-none-of-these', 'pattern 2024-01-01x', 'pattern x2024-01-01'],
  ],
  [
    { type: 'string', pattern: '^[0-9]{4}$' },
    ['pattern assay-none-of-these', 'pattern 0000x', 'pattern x0000'],
  ],
  [{ type: 'string', pattern: '[0-9]{4}$', maxLength: 4 }, ['maxLength aaaaa']],
  [{ type: 'string', format: 'date' }, ['format assay-none-of-these']],
  [{ type: 'string', pattern: '^[A-Z]+$' }, ['pattern assay-none-of-these', 'pattern Ax', 'pattern xA']],
  [{ type: 'string', pattern: '^\\S+$' }, []],
  [{ type: 'string', pattern: '^[a-z-]+$' }, ['pattern 9~none_of~these', 'pattern a0', 'pattern 0a']],
  [{ type: 'string', format: 'byte' }, []],
  [{ type: 'array', items: { type: 'string', enum: ['open'] } }, ['enum assay-none-of-these', 'enum OPEN']],
  [{ type: 'array', items: { type: 'string' } }, []],
  [
    { type: 'integer', enum: [0, 1, 9] },
    ['type abc', 'type 7abc', 'type 7.5', 'enum 10', 'enum assay-none-of-these'],
  ],
  [
    { type: 'integer', enum: [1, 2], maximum: 2 },
    ['type abc', 'maximum 3', 'type 7abc', 'type 7.5', 'enum assay-none-of-these'],
  ],
  [
    { type: 'array', items: { $ref: '#/$defs/Kind' }, $defs: { Kind: { type: 'string', enum: ['open'] } } },
    ['enum assay-none-of-these', 'enum OPEN'],
  ],
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
  [{ type: 'integer' }, ['7abc', '7.5']],
  [{ type: 'integer', minimum: 0, maximum: 3 }, ['0abc', '0.5']],
  [{ type: 'integer', minimum: 20 }, ['20abc', '20.5']],
  [{ type: 'integer', exclusiveMinimum: 0, maximum: 4 }, ['3abc', '3.5']],
  [{ type: 'integer', enum: [1, 2] }, ['7abc', '7.5']],
])('what is no whole number is within the bounds of %j, where it can be', (schema, texts) => {
  const found = wrongQueries({ schema }).filter(
    ({ keyword, value }) => keyword === 'type' && value !== 'abc',
  );
  expect(found.map(({ value }) => value)).toEqual(texts);
});
