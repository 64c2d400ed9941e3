import { expect, test } from 'vitest';
import { stepsOf } from '../src/model/scenario.ts';
import { linkTo, operation } from '../src/selftest/shapes/document.ts';
import { contractOf } from '../src/testing/contracts.ts';
import { planned } from '../src/testing/plans.ts';
import staleVersions from './stale-versions.ts';

const result = {
  properties: { id: { type: 'string' }, version: { type: 'integer' }, tag: { type: 'string' } },
};
const versioned = (header: string, at: string) => ({
  parameters: [{ name: header, in: 'header', required: true, schema: { type: 'string' } }],
  governed: {
    version: { carrier: { in: 'header', name: header }, source: { operation: 'getCase', in: 'body', at } },
  },
});

test('a version is made stale for a removal by a change that sends it in another form', async () => {
  const contract = await contractOf(
    operation('POST /cases', 'createCase', {
      result,
      links: {
        ...linkTo('getCase', 'caseId'),
        ...linkTo('updateCase', 'caseId'),
        ...linkTo('deleteCase', 'caseId'),
      },
    }),
    operation('GET /cases/{caseId}', 'getCase', { result }),
    operation('PATCH /cases/{caseId}', 'updateCase', {
      ...versioned('If-Match', '/tag'),
      body: { properties: { title: { type: 'string' } } },
    }),
    operation('DELETE /cases/{caseId}', 'deleteCase', versioned('X-Version', '/version')),
  );
  const sent = planned(staleVersions, contract)
    .scenarios({ operation: 'deleteCase', probe: 'stale' })
    .flatMap(({ waves }) => stepsOf(waves).map((step) => `${step.id} ${step.operation}`));
  expect(sent).toContain('first updateCase');
  expect(sent).toContain('stale deleteCase');
});
