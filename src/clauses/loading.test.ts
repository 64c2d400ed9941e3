import { expect, test } from 'vitest';

/** What is wrong with a module as a whole shows here as a test that fails, not as one that could not be begun. */
test('the catalogue and the register of open points can be loaded', async () => {
  const { clauses } = await import('./catalogue.ts');
  const { openPoints } = await import('../oracle/open-points/register.ts');
  expect([clauses.length, openPoints.length]).toEqual([115, 19]);
});
