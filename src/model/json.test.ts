import { expect, test } from 'vitest';
import { deepestJson, exactly, parseJson } from './json.ts';

const nested = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth);

test('what is nested too deeply to be walked is not JSON', () => {
  expect(parseJson(nested(deepestJson))).toBeDefined();
  expect(parseJson(nested(deepestJson + 1))).toBeUndefined();
  expect(parseJson(nested(120_000))).toBeUndefined();
  expect(parseJson(`{"a":${'{"a":'.repeat(300)}1${'}'.repeat(301)}`)).toBeUndefined();
});

test('many brackets next to each other, or in texts, are no depth', () => {
  const wide = Array.from({ length: 1000 }, () => [{}]);
  expect(parseJson(JSON.stringify(wide))).toEqual(wide);
  const text = { a: `\\"${'[{'.repeat(1000)}` };
  expect(parseJson(JSON.stringify(text))).toEqual(text);
});

test('whole numbers that JSON.parse takes for their neighbours are texts of their digits', () => {
  const text = `{"id":9007199254740993,"below":-9007199254740993,"safe":9007199254740991,
    "text":"a \\"9007199254740993, \\\\","real":1234567890123456.5,"list":[12345678901234567890]}`;
  expect(exactly(text, parseJson(text))).toEqual({
    id: '9007199254740993',
    below: '-9007199254740993',
    safe: 9007199254740991,
    text: 'a "9007199254740993, \\',
    real: 1234567890123456.5,
    list: ['12345678901234567890'],
  });
  expect(exactly('{"id":9007199254740993', undefined)).toBeUndefined();
  expect(exactly('{"id":7}', { id: 7 })).toEqual({ id: 7 });
});
