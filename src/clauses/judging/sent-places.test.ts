import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { shows } from './sent-places.ts';

test.each<[Json, Json, boolean]>([
  ['5.1', '5.10', true],
  ['5', '5.00', true],
  ['-0.50', '-0.5', true],
  ['5.1', '5.11', false],
  ['5', '5', true],
  ['5', '05', false],
  ['1.0.0', '1.0', false],
  [5.1, '5.10', false],
  ['a', 'a ', false],
  ['2027-01-05T23:11:55Z', '2027-01-05T23:11:55.000Z', true],
  ['2027-01-05T23:11:55Z', '2027-01-05T23:11:55.0000000+00:00', true],
  ['2027-01-05T23:11:55+02:00', '2027-01-05T21:11:55Z', true],
  ['2027-01-05T23:11:55+02:00', '2027-01-05T23:11:55Z', false],
  ['2027-01-05T23:11:55.5Z', '2027-01-05T23:11:55Z', false],
  ['2027-01-05T23:11:55Z', '2027-01-05T23:11:55', false],
  ['2027-01-05', '2027-01-05T00:00:00Z', false],
  [{ amount: '7' }, { amount: '7.00', currency: 'EUR' }, true],
])('what was sent as %j is shown as %j: %s', (sent, shown, isShown) => {
  expect(shows(sent, shown)).toBe(isShown);
});
