import { expect, test } from 'vitest';
import type { JsonSchema } from './json.ts';
import { invalidValues } from './mutations.ts';
import { validator } from './validator.ts';
import { validValues } from './values.ts';

const names = Array.from({ length: 2500 }, (_, index) => `member${index}`);
const wide = (required: readonly string[]): JsonSchema => ({
  type: 'object',
  required,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string', minLength: 1 }])),
});

test('a validator that stops at the first error takes an object with thousands of members', () => {
  const check = validator(wide([]), { errors: 'first' });
  expect(check({ member7: 'x' })).toEqual([]);
  expect(check({ member2499: 1 })).toMatchObject([{ pointer: '/member2499', keyword: 'type' }]);
});

test('members of a wide object are broken all over it, and not each of them', () => {
  const schema = wide(names);
  const values = validValues(schema);
  const { mutations } = invalidValues(schema, values.kind === 'supported' ? values.smallest : null);
  const missing = mutations.filter(({ keyword }) => keyword === 'required').map(({ pointer }) => pointer);
  expect(missing).toHaveLength(40);
  expect([missing[0], missing.at(-1)]).toEqual(['/member0', '/member2499']);
  expect(mutations.length).toBeLessThan(600);
});
