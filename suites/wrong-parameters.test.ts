import { expect, test } from 'vitest';
import { loadContract } from '../src/contract/load.ts';
import type { HeaderField, QueryField } from '../src/model/contract.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { extendedCatalogue } from '../src/run/place.ts';
import { operationValues } from '../src/suite-kit/values.ts';
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
  const contract = await loadContract(extendedCatalogue());
  const proposals = [
    ...wrongParameters.propose({
      contract: {
        ...contract,
        operations: contract.operations.map((one) =>
          one.id === 'createCase' ? { ...one, queryFields: [channel], headerFields: [site] } : one,
        ),
      },
      declaration: {},
      principals: [
        {
          name: 'all',
          permissions: contract.operations.flatMap(({ permissions }) => permissions ?? []),
          scope: 'a',
          state: 'valid',
          identity: 'all',
          use: 'any',
        },
      ],
      budget: 'quick',
      throttling: { maxRequests: 1, maxSeconds: 1 },
      hooks: new Set(),
      isJwt: () => false,
      caseMatters: () => true,
      values: (operation) => operationValues(operation, []),
    }),
  ];
  const steps = proposals
    .flatMap((proposal) => (proposal.kind === 'probe' ? proposal.scenarios : []))
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
