import { expect, test } from 'vitest';
import { type Case, linesOf } from './literal/mutations.ts';

const cases: readonly Case[] = [
  [
    'enum',
    { enum: ['a', 'b', 'A'] },
    'a',
    [
      ' the body is none of the listed values: "not-a"',
      ' the body is none of the listed values: "ax"',
      ' the body is none of the listed values: "c"',
    ],
  ],
  [
    'enum',
    { enum: ['x', 'unlisted', 'not-x', 'xx'] },
    'x',
    [
      ' the body is none of the listed values: "y"',
      ' the body is none of the listed values: "X"',
      ' the body is none of the listed values: "a"',
    ],
  ],
  [
    'enum',
    { enum: ['EU-2', 'FV-3', 'not-EU-2', 'EU-2x'] },
    'EU-2',
    [
      ' the body is none of the listed values: "GW-4"',
      ' the body is none of the listed values: "eu-2"',
      ' the body is none of the listed values: "unlisted"',
    ],
  ],
  [
    'enum',
    { enum: [1, 5] },
    1,
    [
      ' the body is none of the listed values: 6',
      ' the body is none of the listed values: 0',
      ' the body is none of the listed values: 1.5',
    ],
  ],
  [
    'enum',
    { type: 'integer', enum: [-4, -2] },
    -2,
    [
      ' the body is none of the listed values: 1',
      ' the body is none of the listed values: -3',
      ' the body is none of the listed values: 0',
    ],
  ],
  [
    'enum',
    { enum: ['a', null, 0] },
    null,
    [' the body is none of the listed values: "unlisted"', ' the body is none of the listed values: {}'],
  ],
  ['enum', { enum: [true, 'unlisted'] }, true, [' the body is none of the listed values: false']],
  ['const', { const: true }, true, [' the body is not the one value that is allowed: false']],
  [
    'const',
    { const: null },
    null,
    [
      ' the body is not the one value that is allowed: "unlisted"',
      ' the body is not the one value that is allowed: 0',
      ' the body is not the one value that is allowed: {}',
    ],
  ],
  [
    'const',
    { const: [1] },
    [1],
    [
      ' the body is not the one value that is allowed: "unlisted"',
      ' the body is not the one value that is allowed: 0',
      ' the body is not the one value that is allowed: {}',
    ],
  ],
  [
    'const',
    { const: 'Ab' },
    'Ab',
    [
      ' the body is not the one value that is allowed: "not-Ab"',
      ' the body is not the one value that is allowed: "Abx"',
      ' the body is not the one value that is allowed: "Bc"',
    ],
  ],
  [
    'type',
    { type: ['string', 'null'] },
    'x',
    [
      ' the body is an object instead of a string or null: {}',
      ' the body is an array instead of a string or null: ["x"]',
      ' the body is a number instead of a string or null: 0',
      ' the body is a boolean instead of a string or null: true',
    ],
  ],
  [
    'type',
    { type: 'number' },
    1,
    [
      ' the body is an object instead of a number: {}',
      ' the body is an array instead of a number: [1]',
      ' the body is a boolean instead of a number: true',
      ' the body is text instead of a number: "text"',
      ' the body is a number in quotes instead of a number: "1"',
      ' the body is null instead of a number: null',
    ],
  ],
  [
    'type',
    { type: ['integer', 'string'] },
    1,
    [
      ' the body is an object instead of an integer or a string: {}',
      ' the body is an array instead of an integer or a string: [1]',
      ' the body is a fraction instead of an integer or a string: 1.5',
      ' the body is a boolean instead of an integer or a string: true',
      ' the body is null instead of an integer or a string: null',
    ],
  ],
  [
    'type',
    { type: 'array' },
    [],
    [
      ' the body is an object instead of an array: {}',
      ' the body is a number instead of an array: 0',
      ' the body is a boolean instead of an array: true',
      ' the body is text instead of an array: "text"',
      ' the body is null instead of an array: null',
    ],
  ],
  [
    'type',
    { type: ['object', 'boolean'] },
    {},
    [
      ' the body is an array instead of an object or a boolean: []',
      ' the body is a number instead of an object or a boolean: 0',
      ' the body is text instead of an object or a boolean: "text"',
      ' the body is null instead of an object or a boolean: null',
    ],
  ],
  [
    'type',
    { type: ['array', 'integer'] },
    [1],
    [
      ' the body is an object instead of an array or an integer: {}',
      ' the body is a fraction instead of an array or an integer: 1.5',
      ' the body is a boolean instead of an array or an integer: true',
      ' the body is text instead of an array or an integer: "text"',
      ' the body is a number in quotes instead of an array or an integer: "1"',
      ' the body is null instead of an array or an integer: null',
    ],
  ],
  [
    'minLength',
    { type: 'string', minLength: 1 },
    'a',
    [' the body has 0 characters instead of at least 1: ""'],
  ],
  [
    'minLength',
    { type: 'string', minLength: 3 },
    '😀yz',
    [
      ' the body has 2 characters instead of at least 3: "😀y"',
      ' the body has 2 characters instead of at least 3: "ab"',
    ],
  ],
  ['minLength', { type: 'string', minLength: 0 }, '', []],
  [
    'maxLength',
    { type: 'string', maxLength: 0 },
    '',
    [' the body has 1 characters instead of at most 0: "a"'],
  ],
  [
    'maxLength',
    { type: 'string', maxLength: 2 },
    'z',
    [
      ' the body has 3 characters instead of at most 2: "zaa"',
      ' the body has 3 characters instead of at most 2: "zzz"',
      ' the body has 3 characters instead of at most 2: "abc"',
    ],
  ],
  [
    'maxLength',
    { type: 'string', maxLength: 3, pattern: '^x+$' },
    'x',
    [' the body has 4 characters instead of at most 3: "xxxx"'],
  ],
  [
    'maxLength',
    { type: 'string', maxLength: 3, pattern: '^[ab]' },
    'bb',
    [
      ' the body has 4 characters instead of at most 3: "bbaa"',
      ' the body has 4 characters instead of at most 3: "bbbb"',
      ' the body has 4 characters instead of at most 3: "abcd"',
    ],
  ],
  [
    'pattern',
    { type: 'string', pattern: '^[a-z]{2}$' },
    'ab',
    [
      ' the body does not match ^[a-z]{2}$: "AB"',
      ' the body does not match ^[a-z]{2}$: "~b"',
      ' the body does not match ^[a-z]{2}$: "a~"',
    ],
  ],
  [
    'pattern',
    { type: 'string', pattern: '^a' },
    'ab',
    [
      ' the body does not match ^a: "AB"',
      ' the body does not match ^a: "~b"',
      ' the body does not match ^a: "~~"',
    ],
  ],
  [
    'pattern',
    { type: 'string', pattern: 'b$' },
    'ab',
    [
      ' the body does not match b$: "AB"',
      ' the body does not match b$: "a~"',
      ' the body does not match b$: "~~"',
    ],
  ],
  // Not "a\n": in many dialects, `$` also matches before a last line break.
  ['pattern', { type: 'string', pattern: '^.{1,5}$' }, 'a', [' the body does not match ^.{1,5}$: "\\n"']],
  // Not "é", a letter in many dialects.
  [
    'pattern',
    { type: 'string', pattern: '^[-\\w~!# \\n]+$' },
    'a',
    [' the body does not match ^[-\\w~!# \\n]+$: ""'],
  ],
  [
    'pattern',
    { type: 'string', pattern: '.' },
    'ab',
    [' the body does not match .: "\\n\\n"', ' the body does not match .: ""'],
  ],
  [
    'pattern',
    { type: 'string', pattern: '^.{0,3}$' },
    'abc',
    [
      ' the body does not match ^.{0,3}$: "\\nbc"',
      ' the body does not match ^.{0,3}$: "\\n\\n\\n"',
      ' the body does not match ^.{0,3}$: "abc~"',
    ],
  ],
  [
    'format',
    { type: 'string', format: 'email' },
    'a@b.example',
    [
      ' the body is not of format email: "not-an-email"',
      ' the body is not of format email: "a@"',
      ' the body is not of format email: "@b.example"',
    ],
  ],
  [
    'format',
    { type: 'integer', format: 'int32' },
    1,
    [' the body is not of format int32: 2147483648', ' the body is not of format int32: -2147483649'],
  ],
  ['format', { type: 'integer', format: 'int64' }, 1, []],
  ['format', { type: 'string', format: 'colour' }, 'red', []],
  ['minimum', { type: 'integer', minimum: 10, multipleOf: 5 }, 10, [' the body is below 10: 5']],
  [
    'minimum',
    { type: 'number', minimum: 0.3, multipleOf: 0.1 },
    0.3,
    [' the body is below 0.3: 0.2', ' the body is below 0.3: -0.7', ' the body is below 0.3: -0.2'],
  ],
  [
    'minimum',
    { type: 'integer', minimum: 4, multipleOf: 3 },
    6,
    [' the body is below 4: 3', ' the body is below 4: 0'],
  ],
  ['minimum', { type: 'integer', minimum: 5 }, 5, [' the body is below 5: 4']],
  ['maximum', { type: 'integer', maximum: 4, multipleOf: 3 }, 3, [' the body is above 4: 6']],
  ['maximum', { type: 'number', maximum: 7 }, 7, [' the body is above 7: 8', ' the body is above 7: 7.5']],
  [
    'maximum',
    { type: 'number', maximum: 1, multipleOf: 0.25 },
    1,
    [' the body is above 1: 1.25', ' the body is above 1: 2', ' the body is above 1: 1.5'],
  ],
  [
    'minimum',
    { type: 'number', minimum: 1, exclusiveMinimum: 0.5 },
    1,
    [' the body is below 1: 0', ' the body is below 1: 0.5'],
  ],
  [
    'exclusiveMinimum',
    { type: 'number', minimum: 1, exclusiveMinimum: 0.5 },
    1,
    [' the body is not above 0.5: -0.5'],
  ],
  [
    'exclusiveMinimum',
    { type: 'number', exclusiveMinimum: 2, multipleOf: 0.5 },
    2.5,
    [' the body is not above 2: 2', ' the body is not above 2: 1.5', ' the body is not above 2: 1'],
  ],
  [
    'exclusiveMaximum',
    { type: 'integer', exclusiveMaximum: 9, multipleOf: 2 },
    8,
    [' the body is not below 9: 10'],
  ],
  [
    'exclusiveMaximum',
    { type: 'integer', exclusiveMaximum: 9 },
    8,
    [' the body is not below 9: 9', ' the body is not below 9: 10'],
  ],
  [
    'exclusiveMaximum',
    { type: 'number', exclusiveMaximum: 2, multipleOf: 0.5 },
    1.5,
    [' the body is not below 2: 2', ' the body is not below 2: 2.5', ' the body is not below 2: 3'],
  ],
  [
    'multipleOf',
    { type: 'integer', multipleOf: 3 },
    6,
    [' the body is not a multiple of 3: 7', ' the body is not a multiple of 3: 5'],
  ],
  [
    'multipleOf',
    { type: 'number', multipleOf: 0.25, minimum: 0, maximum: 1 },
    0.5,
    [
      ' the body is not a multiple of 0.25: 0.625',
      ' the body is not a multiple of 0.25: 0.375',
      ' the body is not a multiple of 0.25: 0.5625',
    ],
  ],
  [
    'multipleOf',
    { type: 'number', multipleOf: 2, minimum: 0, maximum: 1 },
    0,
    [' the body is not a multiple of 2: 1', ' the body is not a multiple of 2: 0.5'],
  ],
  ['minimum', { minimum: 3 }, 'x', [' the body is of another type and breaks minimum: 0']],
  ['minLength', { minLength: 2 }, 7, [' the body is of another type and breaks minLength: "a"']],
  ['required', { required: ['a'] }, 'x', ['/a the body is of another type and breaks required: {}']],
  ['minItems', { minItems: 2 }, 'x', [' the body is of another type and breaks minItems: []']],
  ['pattern', { items: { pattern: '^a$' } }, [1], ['/0 item 0 is of another type and breaks pattern: ["y"]']],
];

test.each(cases)('%s of %j, from %j', (...given) => {
  expect(linesOf(given)).toEqual(given[3]);
});
