import { describe, expect, test } from 'vitest';
import type { Json } from '../model/json.ts';
import { operation } from '../selftest/shapes/document.ts';
import { contractOf, made } from '../testing/contracts.ts';
import { planningOf } from '../testing/plans.ts';
import { withMarkerRoom } from './marker-room.ts';
import { markable } from './values.ts';

const most = 30;
const isValid = (value: Json): boolean => {
  const { text, tone } = Object(value);
  return typeof text === 'string' && text.length > 0 && text.length <= most && tone !== 'wrong';
};
const roomy = (text: string, more: object = {}) =>
  Object(withMarkerRoom({ text, ...more } as Json, '/text', isValid)).text;

describe('a text with a marker', () => {
  test.each<[string, string, string]>([
    ['stays where both fit', 'abcdefghi', 'abcdefghi'],
    ['loses its end where it would be too long', 'abcdefghij', ''],
    ['is as long as it may be', 'a'.repeat(30), 'a'.repeat(9)],
    ['does not end in a blank', `${'a'.repeat(8)} ${'b'.repeat(21)}`, 'a'.repeat(8)],
    ['that is empty anyway stays', '', ''],
  ])('%s', (_, text, expected) => expect(roomy(text)).toBe(expected));

  test('stays where another member is wrong', () => {
    expect(roomy('a'.repeat(30), { tone: 'wrong' })).toBe('a'.repeat(30));
  });

  test('stays where it is too long without the marker', () => {
    expect(roomy('a'.repeat(31))).toBe('a'.repeat(31));
  });
});

test('a drawn body is valid with its marker', async () => {
  const contract = await contractOf(
    operation('POST /sites', 'createSite', {
      body: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', minLength: 1, maxLength: 60 } },
      },
      result: made,
    }),
  );
  const planning = planningOf(contract);
  const [site] = contract.operations;
  if (site === undefined) throw new Error('there is no operation');
  const values = planning.values(site);
  expect(markable(values, { name: 'a'.repeat(60) })).toMatchObject({
    marker: '/name',
    value: { name: 'a'.repeat(39) },
  });
  expect(markable(values, { name: 'a'.repeat(61) })).toMatchObject({ value: { name: 'a'.repeat(61) } });
  expect(markable(values)).toMatchObject({ value: values.plain });
});
