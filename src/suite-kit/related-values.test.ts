import { expect, test } from 'vitest';
import type { Json, JsonSchema } from '../model/json.ts';
import { taking } from '../testing/contracts.ts';
import { datesFor, isDate, weeksAfter, withoutUnknownRecords } from './related-values.ts';

test('dates are days, with a time or without', () => {
  expect(
    ['2024-01-01', '2024-01-01T10:00:00Z', '2024-13-77', 'May', 20240101].map((one) => isDate(one)),
  ).toEqual([...[true, true, false, false, false]]);
  expect(weeksAfter('2024-02-26', 1)).toBe('2024-03-04');
  expect(weeksAfter('2024-01-01T10:00:00+02:00', 2)).toBe('2024-01-15T10:00:00+02:00');
});

test('dates stay as far from each other as they are in the plain body', () => {
  const plain: Json = { from: '2024-01-01', to: '2024-01-03', note: 'a' };
  expect([0, 1].map((nth) => datesFor('/from', '2024-01-01', { plain, grown: plain }, nth))).toEqual([
    ['2024-01-01'],
    ['2024-01-08'],
  ]);
  expect([0, 1].map((nth) => datesFor('/to', '2024-01-03', { plain, grown: plain }, nth))).toEqual([
    ['2024-01-03'],
    ['2024-01-10'],
  ]);
});

test('what the plain body lacks is later, or all of one day where that has no date', () => {
  const until = [0, 1].map((nth) =>
    datesFor('/until', '1971-05-05T08:00:00Z', { plain: { from: '2024-01-01' }, grown: {} }, nth),
  );
  expect(until).toEqual([['2024-01-08T08:00:00Z'], ['2024-01-15T08:00:00Z']]);
  const bodies = {
    plain: { name: 'a' },
    grown: { name: 'a', of: { from: '2024-05-06' }, until: '1971-05-05' },
  };
  expect([0, 1].map((nth) => datesFor('/until', '1971-05-05', bodies, nth))).toEqual([
    ['2024-05-06'],
    ['2024-05-13'],
  ]);
});

const id: JsonSchema = { type: 'integer', minimum: 1 };
const schema: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    deputy: { type: ['integer', 'null'], minimum: 1 },
    seats: { type: 'integer', minimum: 1, maximum: 50 },
    code: { type: 'string' },
  },
};

test('what has the form of an ID is left out, unless the plain body has it or it may not be left out', () => {
  const operation = taking(schema);
  const body = { name: 'a', deputy: 7, seats: 3, code: 'b' };
  const without = (plain: Json, fits: (value: Json) => boolean = () => true): Json =>
    withoutUnknownRecords({ operation, ids: [id, { type: 'string' }], plain, fits }, body);
  expect(without({ name: 'a' })).toEqual({ name: 'a', seats: 3, code: 'b' });
  expect(without({ name: 'a', deputy: 1 })).toBe(body);
  expect(without({ name: 'a' }, () => false)).toBe(body);
});
