import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unknownId } from './unknown-id.ts';

test.each([
  ['17', '2147483646'],
  ['fol_fc7588d8', 'fol_cf0811a1'],
  ['FOL-00A7', 'FOL-33D0'],
  ['0190b3a2-7c1d-7e00-8a4f-1c2d3e4f5a6b', '0190b3a2-7c1d-7e00-8a4f-1c2d6b7c8d9e'],
  ['01JD8ZK3T4V5W6X7Y8Z9ABCDEF', '01JD8ZK3T4V5W6X7Y8C2DEFGHJ'],
])('%s is like %s', (id, other) => {
  expect(unknownId(id)).toBe(other);
});

test('an ID keeps its length and the kinds of its characters, and is another one', () => {
  const formOf = (id: string): string =>
    id.replaceAll(/\d/g, '0').replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A');
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{2,4}_[0-9a-zA-Z]{4,24}$/), (id) => {
      expect(formOf(unknownId(id))).toBe(formOf(id));
      expect(unknownId(id)).not.toBe(id);
    }),
  );
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      expect(unknownId(id)).toMatch(/^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      expect(unknownId(id)).not.toBe(id);
    }),
  );
});
