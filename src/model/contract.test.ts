import { expect, test } from 'vitest';
import { idText } from './contract.ts';
import { parseJson } from './json.ts';

test('an id is a text, or a number that JSON.parse reads exactly', () => {
  expect(['case_7', 7, 9007199254740991].map(idText)).toEqual(['case_7', '7', '9007199254740991']);
  expect(['9007199254740993', '9007199254740992'].map((text) => idText(parseJson(text)))).toEqual([
    undefined,
    undefined,
  ]);
  expect([undefined, null, true].map(idText)).toEqual([undefined, undefined, undefined]);
});
