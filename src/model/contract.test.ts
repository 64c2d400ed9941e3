import { expect, test } from 'vitest';
import { createCase } from '../clauses/cases/contract.ts';
import { creates, idText, type Operation, type VersionRule } from './contract.ts';
import { parseJson } from './json.ts';

test('an ID is a text, or a number that JSON.parse reads exactly', () => {
  expect(['case_7', 7, 9007199254740991].map(idText)).toEqual(['case_7', '7', '9007199254740991']);
  expect(['9007199254740993', '9007199254740992'].map((text) => idText(parseJson(text)))).toEqual([
    undefined,
    undefined,
  ]);
  expect([undefined, null, true].map(idText)).toEqual([undefined, undefined, undefined]);
});

test('a POST that needs a current version or a state makes no record of its own, unless a list shows it', () => {
  const version: VersionRule = {
    carrier: { in: 'body', at: '/version' },
    source: { operation: 'getCase', in: 'body', at: '/version' },
    neutral: false,
  };
  const conflict = { after: createCase.id, body: undefined };
  const unlisted: Operation = { ...createCase, effect: undefined };
  const creating: readonly Operation[] = [
    createCase,
    unlisted,
    { ...createCase, version },
    { ...createCase, conflict },
  ];
  expect(creating.map(creates)).toEqual([true, true, true, true]);
  expect(
    [
      { ...unlisted, version },
      { ...unlisted, conflict },
    ].map(creates),
  ).toEqual([false, false]);
});
