import { expect, test } from 'vitest';
import { contract, principals } from '../src/clauses/cases/contract.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import wrongPermissions from './wrong-permissions.ts';

test('a caller without permission or scope also sends a stronger verification that was issued to it', () => {
  const proposals = [
    ...wrongPermissions.propose({
      contract,
      declaration: {},
      principals: [
        ...principals.filter(({ name }) => name !== 'elsewhere'),
        {
          name: 'elsewhere',
          permissions: contract.operations.flatMap(({ permissions = [] }) => permissions),
          scope: 'another',
          state: 'valid',
          identity: 'elsewhere',
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
  const verified = proposals.flatMap((one) => {
    if (one.kind !== 'probe' || one.operation !== 'approveCase') return [];
    return one.cases.flatMap(({ waves }) => {
      const probe = waves
        .flatMap((wave) => ('steps' in wave ? wave.steps : []))
        .find(({ id }) => id === 'probe');
      const issued = probe?.verification?.use === 'hook' ? probe.verification.step : undefined;
      return waves.flatMap((wave) =>
        'hook' in wave && probe !== undefined && wave.as === issued && wave.input['principal'] === probe.as
          ? probe.deviations.map(({ kind }) => kind)
          : [],
      );
    });
  });
  expect(verified.sort()).toEqual(['permission', 'scope']);
});
