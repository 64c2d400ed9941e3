import { expect, test } from 'vitest';
import { withParameters } from '../contract/given.ts';
import { loadContract } from '../contract/load.ts';
import { principalsOf, trialClock } from '../testing/trial.ts';
import { startReference } from './server.ts';

const plain = await loadContract('fixtures/contracts/extended-catalogue.yaml');
const operations = plain.operations.map((one) => ({
  ...one,
  path: `/tenants/{tenantId}${one.path}`,
  pathFields: [{ name: 'tenantId', schema: true, source: undefined }, ...one.pathFields],
}));

test('a path that names another scope than the caller has is refused', async () => {
  const principals = principalsOf(plain).map((one) => ({ ...one, parameters: { tenantId: 't a' } }));
  const contract = withParameters({ ...plain, operations }, {}, principals);
  const clock = trialClock();
  const reference = await startReference({ contract, clock, principals });
  const list = async (tenant: string): Promise<number> =>
    (
      await fetch(`${reference.url}/tenants/${tenant}/cases`, {
        headers: { Authorization: 'Bearer Token-of-full-0001' },
      })
    ).status;
  try {
    expect([await list('t%20a'), await list('t-b')]).toEqual([200, 403]);
  } finally {
    await reference.close();
  }
});
