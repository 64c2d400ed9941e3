import { expect, test } from 'vitest';
import { loadContract } from '../src/contract/load.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { extendedCatalogue } from '../src/run/place.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import stateConflicts from './state-conflicts.ts';

test('a command is forbidden only where what forbids it was accepted', async () => {
  const contract = await loadContract(extendedCatalogue());
  const proposals = [
    ...stateConflicts.propose({
      contract,
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
      hooks: new Set(['verify']),
      isJwt: () => false,
      caseMatters: () => true,
      values: (operation) => operationValues(operation, []),
    }),
  ];
  const cases = proposals.flatMap((proposal) => (proposal.kind === 'probe' ? proposal.cases : []));
  expect(cases.length).toBeGreaterThan(0);
  for (const { waves } of cases) {
    const last = waves.at(-1);
    if (last === undefined || !('when' in last)) throw new Error('the last wave has a condition');
    expect(last.when).toEqual({ step: 'provoking', was: 'accepted' });
    expect(stepsOf(last.waves).map(({ id }) => id)).toContain('probe');
    expect(stepsOf(waves.slice(0, -1)).map(({ id }) => id)).not.toContain('probe');
  }
});
