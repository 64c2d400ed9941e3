import { expect, test } from 'vitest';
import { deepestJson, parseJson } from './json.ts';

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
