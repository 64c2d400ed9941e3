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
  [
    'of alternatives, only what is wrong with the one for values of that kind',
    { properties: { name: { anyOf: [{ enum: ['a', 'b'] }, { type: 'array', minItems: 1 }] } } },
    'name: c\n',
    ["a.yaml:1:7: 'name' must be one of a, b; did you mean 'a'?"],
  ],
  [
    'of alternatives, only what is wrong with the one for lists',
    { properties: { name: { anyOf: [{ enum: ['a', 'b'] }, { type: 'array', minItems: 1 }] } } },
    'name: []\n',
    ["a.yaml:1:7: 'name' must have at least 1 item; correct it"],
  ],
  [
    'of alternatives, only what is wrong within the one that is a mapping',
    {
      properties: {
        name: { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { type: 'number' } } }] },
      },
    },
    'name: { a: x }\n',
    ["a.yaml:1:12: 'a' must be a number; correct it"],
  ],
  [
    'all kinds that are allowed, where the value is of none',
    { properties: { name: { anyOf: [{ type: 'string' }, { type: 'array' }] } } },
    'name: 5\n',
    [
      "a.yaml:1:7: 'name' must be text; put it in quotes: without them it is read as a number",
      "a.yaml:1:7: 'name' must be a list; correct it",
    ],
  ],
  [
    'alternatives that each need one key, in one line',
    { properties: { name: { oneOf: [{ required: ['a'] }, { required: ['b'] }] } } },
    'name: {}\n',
    ["a.yaml:1:7: 'a' or 'b' is missing in 'name'; add one of them"],
  ],
  [
    'alternatives of which one needs several keys, each',
    { properties: { name: { oneOf: [{ required: ['a', 'c'] }, { required: ['b'] }] } } },
    'name: {}\n',
    [
      "a.yaml:1:7: 'a' is missing in 'name'; add it",
      "a.yaml:1:7: 'c' is missing in 'name'; add it",
      "a.yaml:1:7: 'b' is missing in 'name'; add it",
    ],
  ],
  [
    'a key in small letters that a pattern knows in capitals',
    { properties: { default: true }, patternProperties: { '^[1-5]XX$': true }, additionalProperties: false },
    '2xx: a\n',
    ["a.yaml:1:1: unknown key '2xx'; did you mean '2XX'?"],
  ],
  [
    'a key that no pattern knows',
    { properties: { default: true }, patternProperties: { '^[1-5]XX$': true }, additionalProperties: false },
    '999: a\n',
    ["a.yaml:1:1: unknown key '999'; known are: default, and keys that match ^[1-5]XX$"],
  ],
])('names %s', (_, schema, text, expected) => {
  const document = readDocument(text, 'a.yaml');
  const validate = new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile(
    typeof schema === 'object' ? { ...schema } : {},
  );
  validate(document.value);
  expect(schemaProblems(document, validate.errors).map(problemText)).toEqual(expected);
});

test('what is validated apart from the rest of its document is named, not the document', () => {
  const document = readDocument('name: ""\n', 'a.yaml');
  const validate = new Ajv2020({ allErrors: true, verbose: true }).compile({ type: 'object' });
  validate('');
  const said = (root: string): readonly string[] =>
    schemaProblems(document, validate.errors, root).map(problemText);
  expect(said('/name')).toEqual(["a.yaml:1:7: 'name' must be a mapping; correct it"]);
  expect(said('')).toEqual(['a.yaml:1:1: the document must be a mapping; correct it']);
});
