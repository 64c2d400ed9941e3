import { expect, test } from 'vitest';
import type { JsonSchema } from '../model/json.ts';
import { wrongLists } from './query-lists.ts';

const kinds: JsonSchema = { type: 'string', enum: ['a', 'b', 'c'] };

const wrong = (schema: JsonSchema, style = {}): readonly string[] =>
  wrongLists({ name: 'x', schema, ...style }).map(
    ({ keyword, pairs }) => `${keyword} ${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`,
  );

test.each<[JsonSchema, readonly string[]]>([
  [{ type: 'array', items: kinds, maxItems: 2 }, ['maxItems x=a&x=b&x=c', 'enum x=a&x=assay-none-of-these']],
  [
    { type: 'array', items: kinds, uniqueItems: true },
    ['uniqueItems x=a&x=a', 'enum x=a&x=assay-none-of-these'],
  ],
  [{ type: 'array', items: kinds, minItems: 2 }, ['minItems x=a', 'enum x=a&x=assay-none-of-these']],
  [
    { type: 'array', items: kinds, minItems: 3, uniqueItems: true },
    ['uniqueItems x=a&x=a&x=b', 'minItems x=a&x=b'],
  ],
  // No list of four choices of three has each only once.
  [
    { type: 'array', items: kinds, maxItems: 3, uniqueItems: true },
    ['uniqueItems x=a&x=a', 'enum x=a&x=assay-none-of-these'],
  ],
  [{ type: 'array', items: { type: 'integer', minimum: 7 }, maxItems: 1 }, ['maxItems x=7&x=8']],
  [{ type: 'array', items: { type: 'string', maxLength: 9 }, maxItems: 1 }, ['maxItems x=assay1&x=assay2']],
  [{ type: 'array', items: { $ref: '#/$defs/K' }, maxItems: 1, $defs: { K: kinds } }, ['maxItems x=a&x=b']],
  [{ type: 'array', items: { type: 'string', pattern: '^[0-9]$' }, maxItems: 1 }, ['maxItems x=0&x=5']],
  [
    { type: 'array', items: { type: 'string', pattern: '^[ab]$' }, uniqueItems: true },
    ['uniqueItems x=a&x=a', 'pattern x=a&x=assay-none-of-these'],
  ],
  // A value that would be two of them is none.
  [{ type: 'array', items: { type: 'string', pattern: '^a,b$' }, maxItems: 1 }, []],
  [{ type: 'array', items: kinds, minItems: 1 }, ['enum x=a&x=assay-none-of-these']],
  [{ type: 'array', items: { type: 'integer', minimum: 1 } }, ['type x=1&x=abc']],
  [{ type: 'array', items: { type: 'string', format: 'date' } }, []],
  [{ type: 'array', items: { type: 'string' } }, []],
  [{ type: 'array', items: kinds, maxItems: 5000 }, ['enum x=a&x=assay-none-of-these']],
  [{ type: 'array', maxItems: 1 }, []],
  [kinds, []],
])('lists that %j refuses', (schema, lists) => expect(wrong(schema)).toEqual(lists));

test('a list is written as its style says; one of another form is not tried', () => {
  const schema: JsonSchema = { type: 'array', items: kinds, maxItems: 1 };
  expect(wrong(schema, { explode: false })).toEqual(['maxItems x=a,b']);
  expect(wrong(schema, { style: 'pipeDelimited', explode: false })).toEqual(['maxItems x=a|b']);
  expect(wrong(schema, { style: 'spaceDelimited', explode: false })).toEqual(['maxItems x=a b']);
  expect(wrong(schema, { style: 'deepObject' })).toEqual([]);
  expect(wrong(schema, { style: 'json' })).toEqual([]);
});
