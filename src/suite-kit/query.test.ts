import { expect, test } from 'vitest';
import type { JsonSchema } from '../model/json.ts';
import { wrongQueries } from './query.ts';

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
  [{ type: 'boolean' }, ['type maybe']],
  [{ type: 'string', maxLength: 3 }, ['maxLength aaaa']],
  [{ type: 'string', maxLength: 5000 }, []],
  [{ type: 'string', enum: ['open'] }, ['enum assay-none-of-these']],
  [{ type: 'string', format: 'date' }, ['format assay-none-of-these']],
  [{ type: 'string', pattern: '^[A-Z]+$' }, ['pattern assay-none-of-these']],
  [{ type: 'string', pattern: '^[a-z-]+$' }, []],
  [{ type: 'string', format: 'byte' }, []],
  [true, []],
])('texts that %j refuses', (schema, texts) => expect(wrong(schema)).toEqual(texts));
