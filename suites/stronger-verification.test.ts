import { expect, test } from 'vitest';
import { loadContract } from '../src/contract/load.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { extendedCatalogue } from '../src/run/place.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import strongerVerification from './stronger-verification.ts';

test('a used verification is sent to another target as well, which is shown to accept the command', async () => {
  const contract = await loadContract(extendedCatalogue());
  const proposals = strongerVerification.propose({
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
  });
  const scenarios = [...proposals].flatMap((one) =>
    one.kind === 'probe' && one.id === 'used' && one.operation === 'approveCase' ? one.scenarios : [],
  );
  const steps = stepsOf(scenarios[1]?.waves ?? []).filter(({ operation }) => operation === 'approveCase');
  const at = (id: string) => steps.find((step) => step.id === id);
  expect(steps.map(({ id }) => id)).toEqual(['first', 'second', 'control']);
  expect(at('second')).toMatchObject({
    role: 'test',
    deviations: [{ kind: 'verification', how: 'used' }],
    target: { caseId: { step: 'other-make-caseId', at: '/id' } },
  });
  expect(at('second')?.verification).toEqual(at('first')?.verification);
  expect(at('second')?.target).not.toEqual(at('first')?.target);
  expect(at('control')?.target).toEqual(at('second')?.target);
  expect(at('control')?.controls).toBe('second');
  expect(at('control')?.verification).not.toEqual(at('first')?.verification);
});
