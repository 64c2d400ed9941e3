import { expect, test } from 'vitest';
import { stepsOf } from '../../src/model/scenario.ts';
import { object, operation, pageOf } from '../../src/selftest/shapes/document.ts';
import { contractOf } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import reads from '../reads.ts';

const record = object({ id: { type: 'string' } });
const named = object({ name: { type: 'string' } });

test('a list within two records is read within a sibling of the inner one, too', async () => {
  const contract = await contractOf(
    operation('POST /sites', 'createSite', { body: named, result: record }),
    operation('POST /sites/{siteId}/rooms', 'addRoom', {
      body: named,
      result: record,
      governed: { effect: { list: 'listRooms' } },
    }),
    operation('POST /sites/{siteId}/rooms/{roomId}/keys', 'addKey', {
      body: named,
      result: record,
      governed: { effect: { list: 'listKeys' } },
    }),
    operation('GET /sites/{siteId}/rooms/{roomId}/keys', 'listKeys', pageOf(record)),
    operation('GET /sites/{siteId}/rooms', 'listRooms', pageOf(record)),
  );
  const looks = (list: string) =>
    planned(reads, contract)
      .scenarios({ operation: list, probe: 'elsewhere' })
      .map(({ waves }) => {
        const steps = stepsOf(waves);
        const [made, look] = ['one', 'look-0'].map((id) => steps.find((step) => step.id === id)?.target);
        return ['siteId', 'roomId'].map((name) =>
          JSON.stringify(made?.[name]) === JSON.stringify(look?.[name]) ? `same ${name}` : `other ${name}`,
        );
      });
  expect(looks('listKeys')).toEqual([
    ['other siteId', 'other roomId'],
    ['same siteId', 'other roomId'],
  ]);
  // A list within one record has no such sibling.
  expect(looks('listRooms')).toEqual([['other siteId', 'same roomId']]);
});
