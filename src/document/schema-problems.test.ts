import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { problemText } from '../model/input-error.ts';
import type { Json } from '../model/json.ts';
import { readDocument } from './document.ts';
import { schemaProblems } from './schema-problems.ts';

test.each<[string, Json, string, readonly string[]]>([
  [
    'an item that is in a list twice, at the later one',
    { properties: { names: { uniqueItems: true } } },
    'names:\n  - a\n  - b\n  - a\n',
    ["a.yaml:4:5: 'names' has this item twice; remove one of the two"],
  ],
  [
    'a list that is too short',
    { properties: { names: { minItems: 1 } } },
    'names: []\n',
    ["a.yaml:1:8: 'names' must have at least 1 item; correct it"],
  ],
  [
    'a text that is too long, with the remedy of its schema',
    { properties: { name: { maxLength: 2, description: 'write two letters' } } },
    'name: abc\n',
    ["a.yaml:1:7: 'name' must have at most 2 characters; write two letters"],
  ],
  [
    'what is not allowed in a place',
    { properties: { name: false } },
    'name: abc\n',
    ["a.yaml:1:7: 'name' is not allowed here; remove it"],
  ],
  [
    'a form that is not allowed',
    { properties: { name: { not: { const: 'x' } } } },
    'name: x\n',
    ["a.yaml:1:7: 'name' has a form that is not allowed; correct it"],
  ],
  [
    'a form that is not allowed, where the type is wrong as well: the type alone',
    { properties: { name: { type: 'object', not: { required: ['a', 'b'] } } } },
    'name: x\n',
    ["a.yaml:1:7: 'name' must be a mapping; correct it"],
  ],
])('names %s', (_, schema, text, expected) => {
  const document = readDocument(text, 'a.yaml');
  const validate = new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile(
    typeof schema === 'object' ? { ...schema } : {},
  );
  validate(document.value);
  expect(schemaProblems(document, validate.errors).map(problemText)).toEqual(expected);
});
