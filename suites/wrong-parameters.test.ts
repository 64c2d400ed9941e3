import { expect, test } from 'vitest';
import type { HeaderField, QueryField } from '../src/model/contract.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { extendedContract, withOperation } from '../src/testing/contracts.ts';
import { planned } from '../src/testing/plans.ts';
import wrongParameters from './wrong-parameters.ts';

const channel: QueryField = {
  name: 'channel',
  required: true,
  schema: { type: 'string', enum: ['web', 'mail'] },
  filters: undefined,
};
const site: HeaderField = {
  in: 'header',
  name: 'X-Site',
  required: true,
  schema: { type: 'string', enum: ['berlin'] },
  examples: [],
  style: 'simple',
  explode: false,
};

test('a command is sent without each required field, and with a wrong value of each, next to a valid one', async () => {
  const fields = { queryFields: [channel], headerFields: [site] };
  const contract = withOperation(await extendedContract(), 'createCase', fields);
  const steps = planned(wrongParameters, contract)
    .scenarios()
    .map(({ waves }) => stepsOf(waves));
  expect(
    steps.map(([probe, control]) => [
      probe?.omits,
      probe?.query,
      probe?.headers,
      probe?.deviations.length,
      control?.deviations.length,
    ]),
  ).toEqual([
    [['channel'], undefined, undefined, 1, 0],
    [['X-Site'], undefined, undefined, 1, 0],
    [undefined, [['channel', 'assay-none-of-these']], undefined, 1, 0],
    [undefined, undefined, [['X-Site', 'assay-none-of-these']], 1, 0],
  ]);
});
