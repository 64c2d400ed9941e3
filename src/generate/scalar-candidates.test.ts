import { describe, expect, test } from 'vitest';
import type { Json, JsonSchema } from './json.ts';
import { candidates } from './literal/candidates.ts';

type Case = readonly [keyword: string, schema: JsonSchema, value: Json, edits: readonly string[]];

/** One line each: the member that is wrong, `*` where the fault stands inside, what is wrong, and the value. */
function lines(keyword: string, schema: JsonSchema, value: Json): readonly string[] {
  return candidates(keyword, schema, value).map(({ member = '', inside, describes, value: edited }) =>
    `${member}${inside === true ? '*' : ''} ${describes}: ${JSON.stringify(edited)}`.trim(),
  );
}

describe('of text and numbers', () => {
  test.each<Case>([
    ['minLength', { minLength: 0 }, 'abc', []],
    ['minLength', { minLength: '1' }, 'abc', []],
    [
      'minLength',
      { minLength: 1 },
      'abc',
      ['it has 0 characters instead of at least 1: ""', 'it has 0 characters instead of at least 1: ""'],
    ],
    [
      'minLength',
      { minLength: 13 },
      '😀bcdefghijklmn',
      [
        'it has 12 characters instead of at least 13: "😀bcdefghijkl"',
        'it has 12 characters instead of at least 13: "abcdefghijab"',
      ],
    ],
    ['maxLength', { maxLength: '1' }, 'abc', []],
    ['maxLength', { maxLength: 50001 }, 'abc', []],
    [
      'maxLength',
      { maxLength: 5 },
      'ab',
      [
        'it has 6 characters instead of at most 5: "abaaaa"',
        'it has 6 characters instead of at most 5: "abbbbb"',
        'it has 6 characters instead of at most 5: "abcdef"',
      ],
    ],
    [
      'maxLength',
      { maxLength: 1 },
      '😀bc',
      [
        'it has 2 characters instead of at most 1: "😀bca"',
        'it has 2 characters instead of at most 1: "😀bcc"',
        'it has 2 characters instead of at most 1: "ab"',
      ],
    ],
    [
      'maxLength',
      { maxLength: 0 },
      '',
      [
        'it has 1 characters instead of at most 0: "a"',
        'it has 1 characters instead of at most 0: "a"',
        'it has 1 characters instead of at most 0: "a"',
      ],
    ],
    [
      'format',
      { format: 'json-pointer' },
      '/a',
      [
        'it is not of format json-pointer: "not/a/pointer"',
        'it is not of format json-pointer: "/~2"',
        'it is not of format json-pointer: "/~"',
      ],
    ],
    ['format', { format: 'colour' }, 'red', []],
    ['format', { format: 7 }, 'red', []],
    ['title', { title: 'x' }, 'red', []],
    [
      'format',
      { format: 'int32' },
      7,
      [
        'it is not of format int32: 2147483648',
        'it is not of format int32: -2147483649',
        'it is not of format int32: 0.5',
      ],
    ],
    ['minimum', { minimum: '5' }, 7, []],
    [
      'minimum',
      { minimum: 5 },
      7,
      ['it is below 5: 4', 'it is below 5: 4', 'it is below 5: 4.5', 'it is below 5: 4'],
    ],
    [
      'minimum',
      { minimum: 5, multipleOf: 2 },
      6,
      ['it is below 5: 3', 'it is below 5: 4', 'it is below 5: 4.5', 'it is below 5: 4'],
    ],
    [
      'minimum',
      { minimum: 0.3, multipleOf: 0.1 },
      0.4,
      ['it is below 0.3: 0.2', 'it is below 0.3: -0.7', 'it is below 0.3: -0.2', 'it is below 0.3: 0.2'],
    ],
    [
      'minimum',
      { minimum: 1000000000000000 },
      1000000000000000,
      [
        'it is below 1000000000000000: 999999999999999',
        'it is below 1000000000000000: 999999999999999',
        'it is below 1000000000000000: 1000000000000000',
        'it is below 1000000000000000: 999999999999999',
      ],
    ],
    [
      'minimum',
      { minimum: -1.7e308, multipleOf: 1e308 },
      0,
      ['it is below -1.7e+308: -1.7e+308', 'it is below -1.7e+308: -1.7e+308'],
    ],
    [
      'maximum',
      { maximum: 5, multipleOf: 2 },
      4,
      ['it is above 5: 7', 'it is above 5: 6', 'it is above 5: 5.5', 'it is above 5: 8'],
    ],
    [
      'maximum',
      { maximum: 0.7, multipleOf: 0.1 },
      0.4,
      ['it is above 0.7: 0.8', 'it is above 0.7: 1.7', 'it is above 0.7: 1.2', 'it is above 0.7: 0.8'],
    ],
    [
      'exclusiveMinimum',
      { exclusiveMinimum: 5, multipleOf: 2 },
      6,
      ['it is not above 5: 5', 'it is not above 5: 3', 'it is not above 5: 4'],
    ],
    [
      'exclusiveMaximum',
      { exclusiveMaximum: 5, multipleOf: 2 },
      4,
      ['it is not below 5: 5', 'it is not below 5: 7', 'it is not below 5: 6'],
    ],
    [
      'multipleOf',
      { multipleOf: 3 },
      6,
      [
        'it is not a multiple of 3: 7',
        'it is not a multiple of 3: 5',
        'it is not a multiple of 3: 7.5',
        'it is not a multiple of 3: 4.5',
        'it is not a multiple of 3: 6.75',
      ],
    ],
    [
      'multipleOf',
      { multipleOf: 0.1 },
      0.3,
      [
        'it is not a multiple of 0.1: 1.3',
        'it is not a multiple of 0.1: -0.7',
        'it is not a multiple of 0.1: 0.35',
        'it is not a multiple of 0.1: 0.25',
        'it is not a multiple of 0.1: 0.325',
      ],
    ],
    ['title', { title: 7 }, 6, []],
  ])('%s of %j, from %j', (keyword, schema, value, expected) => {
    expect(lines(keyword, schema, value)).toEqual(expected);
  });

  test('text that does not match: in the other case, a character changed, added, or all of them', () => {
    const found = candidates('pattern', { pattern: '^a' }, 'ab').map(({ value }) => value);
    expect(found.slice(0, 6)).toEqual(['AB', '~b', 'a~', '~~', '!b', 'a!']);
    expect(found.slice(33)).toEqual([
      'ab~',
      'ab!',
      'ab#',
      'ab ',
      'abé',
      'ab_',
      'ab-',
      'abA',
      'aba',
      'ab0',
      '',
    ]);
    expect(
      candidates('pattern', { pattern: '.' }, '')
        .slice(0, 3)
        .map(({ value }) => value),
    ).toEqual(['', '~', '~']);
  });

  test('text that is too long is sent up to fifty thousand characters', () => {
    const sizes = [50_000, 50_001].map((maxLength) =>
      candidates('maxLength', { maxLength }, 'a').map(({ value }) => String(value).length),
    );
    expect(sizes).toEqual([[50_001, 50_001, 50_001], []]);
  });
});
