import { expect, test } from 'vitest';
import { validator } from './validator.ts';

test('two patterns of one schema are not taken for each other', () => {
  const check = validator({
    properties: { one: { type: 'string', pattern: '^a' }, two: { type: 'string', pattern: '^b' } },
  });
  expect(check({ one: 'a', two: 'b' })).toEqual([]);
  expect(check({ one: 'b', two: 'a' }).length).toBeGreaterThan(0);
});
