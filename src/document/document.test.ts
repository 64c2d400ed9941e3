import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { InputError } from '../model/input-error.ts';
import type { Json } from '../model/json.ts';
import { isArray, isObject, pointerOf, valueAt } from '../model/json.ts';
import { readDocument } from './document.ts';

function messageOf(text: string): string {
  try {
    readDocument(text, 'a.yaml');
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'no error';
}

describe('readDocument', () => {
  test('reads YAML and JSON, and keeps how keys are written', () => {
    const text = "responses:\n  403: { a: null }\n  5XX: [1.5, true, 'x']\n  1.0: on\n";
    expect(readDocument(text, 'a.yaml').value).toEqual({
      responses: { '403': { a: null }, '5XX': [1.5, true, 'x'], '1.0': 'on' },
    });
    expect(readDocument('{"a": [1, {"b": null}]}', 'a.json').value).toEqual({ a: [1, { b: null }] });
  });

  test('knows where keys and values stand', () => {
    const document = readDocument('a:\n  b/c: 12\n  d:\n    - x\n    - { y: 1 }\n', 'a.yaml');
    expect(document.at('')).toEqual({ line: 1, column: 1 });
    expect(document.at('/a/b~1c')).toEqual({ line: 2, column: 8 });
    expect(document.at('/a/b~1c', 'key')).toEqual({ line: 2, column: 3 });
    expect(document.at('/a/d/1/y')).toEqual({ line: 5, column: 12 });
  });

  test('of a missing value, knows where the nearest parent stands', () => {
    const document = readDocument('a:\n  b: 1\n', 'a.yaml');
    expect(document.at('/a/x/y')).toEqual({ line: 2, column: 3 });
    expect(document.at('/a/x/y', 'key')).toEqual({ line: 1, column: 1 });
  });

  test('follows aliases, in values and in positions', () => {
    const document = readDocument('a: &one\n  b: 1\nc: *one\n', 'a.yaml');
    expect(document.value).toEqual({ a: { b: 1 }, c: { b: 1 } });
    expect(document.at('/c/b')).toEqual({ line: 2, column: 6 });
  });

  test.each([
    ['a: [1\nb: 2\n', 'a.yaml:2:1: this is not valid YAML'],
    ['a: 1\na: 2\n', "a.yaml:2:1: duplicate key 'a'; remove one of the two"],
    ['a: &x { b: 1 }\nc:\n  <<: *x\n  <<: *x\n', "a.yaml:4:3: duplicate key '<<'; merge several mappings"],
    ["1: a\n'1': b\n", "a.yaml:2:1: duplicate key '1'; remove one of the two"],
    ['a: 1\n---\nb: 2\n', 'a.yaml:2:1: there is more than one YAML document'],
    [
      'a: 1\nb: x\0\n',
      'a.yaml:2:5: this is not text: there is a NUL character; remove it, or save the file as UTF-8',
    ],
    [`${'k'.repeat(1100)}: 1\n`, 'a.yaml:1:1: this is not valid YAML: a key is longer than 1024 characters;'],
    ['a: .nan\n', "a.yaml:1:4: 'NaN' is not a JSON value"],
    ['? [a]\n: 1\n', 'a.yaml:1:3: a key must be a plain scalar'],
    [
      'a: *b\n',
      'a.yaml:1:4: this alias has no anchor; add the anchor before it, or quote the text if it is not an alias',
    ],
    ['a: &x { b: *x }\n', 'a.yaml:'],
    ['a: !!binary aGk=\n', 'is not a JSON value; use a string'],
    ['a: !thing 1\n', 'a.yaml:1:4: this is not valid YAML: Unresolved tag'],
  ])('refuses %j', (text, expected) => {
    expect(messageOf(text)).toContain(expected);
  });

  test.each([
    '*',
    '!',
    '!!',
    '!x!',
    '&',
    '&a &',
    '!<',
    '@',
    '`',
    '%',
    '"',
    "'",
    '|',
    '>',
    '[',
    '{',
    '- ',
    '? ',
    '',
  ])('never shows a secret that begins with %j', (start) => {
    const secret = 's3cretToken0001';
    for (const line of [
      `${start}${secret}`,
      `${start}${secret}: *x`,
      `${start}${secret}!`,
      `${start}${secret} "`,
    ])
      expect(messageOf(`token: ${line}\nother: [`)).not.toContain('s3cret');
  });

  test('refuses aliases that unfold without end', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 10; level += 1) {
      const before = Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ');
      lines.push(`a${level}: &a${level} [${before}]`);
    }
    expect(messageOf(lines.join('\n'))).toContain('aliases make this document too large');
  });

  test('reads many keys, and many aliases of a long document, in time', () => {
    const many = Array.from({ length: 8_000 }, (_, at) => `k${at}: { v: *a }\n`).join('');
    const read = readDocument(`a: &a 1\n${many}`, 'a.yaml');
    expect(valueAt(read.value, '/k7999/v')).toBe(1);
    expect(messageOf(`a: &a 1\n${many}k7: 2\n`)).toContain("a.yaml:8002:1: duplicate key 'k7'");
  }, 60_000);

  test('refuses aliases that make a long text longer', () => {
    const text = `a: &a ${'x'.repeat(100_000)}\nb: [${Array.from({ length: 700 }, () => '*a').join(', ')}]\n`;
    expect(messageOf(text)).toContain('aliases make this document too large');
  });

  test.each([
    '['.repeat(100_000),
    '{a: '.repeat(100_000),
    '- '.repeat(100_000),
    '? '.repeat(100_000),
    `${'['.repeat(2000)}${']'.repeat(2000)}`,
    Array.from({ length: 2000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
  ])('refuses deep nesting (%#)', (text) => {
    expect(messageOf(text)).toMatch(/^a\.yaml:\d+:\d+: this is nested too deeply; nest it less deeply$/);
  });

  test('gives back what was written, each value where it stands', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, asJson) => {
        const given: Json = JSON.parse(JSON.stringify(value));
        const text = asJson ? JSON.stringify(given, null, 2) : stringify(given);
        const document = readDocument(text, 'a.yaml');
        expect(document.value).toEqual(given);
        const lines = text.split('\n');
        for (const pointer of pointersOf(document.value)) {
          const held = valueAt(document.value, pointer);
          if (typeof held !== 'number' && typeof held !== 'boolean') continue;
          const { line, column } = document.at(pointer);
          expect(lines[line - 1]?.slice(column - 1)).toMatch(/^(-?\d|true|false)/);
        }
      }),
    );
  });

  test('throws nothing but InputError', () => {
    const fragment = fc.constantFrom(
      ...[
        'a',
        ': ',
        '- ',
        '\n',
        '\n  ',
        '[',
        ']',
        '{',
        '}',
        ',',
        '&x ',
        '*x',
        '!!',
        '!t ',
        '"',
        "'",
        '|',
        '>',
        '---\n',
      ],
      ...['<<: ', '? ', '%YAML 1.1\n', '#', '\t', '0x1f', '.inf', '~', '\u0000', '\ufeff', '__proto__: '],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(fragment, fc.string({ maxLength: 4 })), { maxLength: 30 }), (parts) => {
        const message = messageOf(parts.join(''));
        if (message !== 'no error') expect(message).toMatch(/^a\.yaml(:\d+:\d+)?: .+; .+$/s);
      }),
      { numRuns: 2000 },
    );
  });
});

function pointersOf(value: Json, pointer = ''): readonly string[] {
  if (isArray(value)) return value.flatMap((item, index) => pointersOf(item, `${pointer}/${index}`));
  if (!isObject(value)) return [pointer];
  return Object.entries(value).flatMap(([name, member]) => pointersOf(member, pointer + pointerOf([name])));
}
