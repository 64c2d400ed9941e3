import { expect, test } from 'vitest';
import { stepsOf } from '../src/model/scenario.ts';
import { extendedContract } from '../src/testing/contracts.ts';
import { planned } from '../src/testing/plans.ts';
import strongerVerification from './stronger-verification.ts';

test('a used verification is sent to another target as well, which is shown to accept the command', async () => {
  const plan = planned(strongerVerification, await extendedContract(), { hooks: ['verify'] });
  const scenarios = plan.scenarios({ probe: 'used', operation: 'approveCase' });
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

test('a verification for another target is sent only where the contract binds one to its target', async () => {
  const contract = await extendedContract();
  const titles = (boundToTarget: boolean): readonly string[] => {
    const operations = contract.operations.map((one) =>
      one.verification === undefined ? one : { ...one, verification: { ...one.verification, boundToTarget } },
    );
    const plan = planned(strongerVerification, { ...contract, operations }, { hooks: ['verify'] });
    return plan.scenarios({ probe: 'unfit', operation: 'approveCase' }).map(({ title }) => title);
  };
  expect(titles(true)).toContain('stronger verification: for another target record');
  expect(titles(false)).not.toContain('stronger verification: for another target record');
});

test('good verifications are altered, each of which serves for nothing else', async () => {
  const plan = planned(strongerVerification, await extendedContract(), { hooks: ['verify'] });
  const altered = plan
    .scenarios({ probe: 'unfit', operation: 'approveCase' })
    .flatMap(({ waves }) => stepsOf(waves))
    .filter(({ deviations }) => deviations.some((one) => 'how' in one && one.how === 'altered'));
  expect(altered.map(({ verification }) => verification)).toEqual(
    ['flip-case', 'truncated', 'extended', 'middle-changed', 'end-changed'].map((how) => ({
      use: 'hook',
      step: 'unfit',
      altered: how,
    })),
  );
});

test('a header that carries the verification is also sent empty', async () => {
  const plan = planned(strongerVerification, await extendedContract(), { hooks: ['verify'] });
  const sent = plan
    .steps({ probe: 'absent', operation: 'approveCase' })
    .flatMap(({ role, verification }) => (role === 'test' ? [verification] : []));
  expect(sent).toEqual([{ use: 'absent' }, { use: 'literal', value: '' }]);
});
