import { expect, test } from 'vitest';
import { stepsOf } from '../../src/model/scenario.ts';
import { operation } from '../../src/selftest/shapes/document.ts';
import { contractOf } from '../../src/testing/contracts.ts';
import { holder, planned } from '../../src/testing/plans.ts';
import reads from '../reads.ts';

test('a caller of another scope reads its own list to the end twice, behind records that it made', async () => {
  const id = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const contract = await contractOf(
    operation('POST /cases', 'createCase', { result: id, governed: { effect: { list: 'listCases' } } }),
    operation('GET /cases', 'listCases', {
      parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 50 } },
        { name: 'cursor', in: 'query', schema: { type: 'string' } },
      ],
      result: {
        type: 'object',
        properties: { items: { type: 'array', items: id }, next: { type: ['string', 'null'] } },
      },
      governed: { pagination: { limit: 'limit', cursor: 'cursor', items: '/items', next: '/next' } },
    }),
  );
  const principals = [holder(contract, 'all'), holder(contract, 'afar', { scope: 'b' })];
  const steps = planned(reads, contract, { principals })
    .scenarios({ probe: 'foreign' })
    .map(({ waves }) => stepsOf(waves))
    .find((each) => each.some(({ observes }) => observes === 'end-page'));
  const ends = steps?.filter(({ observes }) => observes === 'end-page') ?? [];
  expect(ends.map(({ as, id: step }) => [as, step])).toEqual(
    ['end-0', 'end-1', 'end-2', 'end-again-0', 'end-again-1', 'end-again-2'].map((step) => ['afar', step]),
  );
  expect(ends.map(({ query = [] }) => query[0])).toEqual(ends.map(() => ['limit', '50']));
  const made = steps?.filter(({ as, operation: of }) => as === 'afar' && of === 'createCase') ?? [];
  expect(made.length).toBeGreaterThan(1);
});
