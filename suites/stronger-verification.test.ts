import { expect, test } from 'vitest';
import { type Step, stepsOf } from '../src/model/scenario.ts';
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

test('two commands with one verification race on records of their own, or on one to which it is bound', async () => {
  const contract = await extendedContract();
  const racers = (
    bound: boolean,
    { singleUse = true, budget = 'standard' }: { singleUse?: boolean; budget?: 'quick' | 'standard' } = {},
  ) => {
    const operations = contract.operations.map((one) =>
      one.verification === undefined
        ? one
        : { ...one, verification: { ...one.verification, boundToTarget: bound, singleUse } },
    );
    return planned(strongerVerification, { ...contract, operations }, { hooks: ['verify'], budget })
      .scenarios({ probe: 'race', operation: 'approveCase' })
      .map(({ waves }) =>
        waves.flatMap((wave) => ('steps' in wave && wave.steps.length > 1 ? wave.steps : [])),
      );
  };
  const targets = (steps: readonly Step[]) => steps.map(({ target }) => JSON.stringify(target));
  const [apart = [], onOne = []] = racers(false);
  expect(new Set(targets(apart)).size).toBe(2);
  expect(new Set(targets(onOne)).size).toBe(1);
  expect(racers(true).map((steps) => new Set(targets(steps)).size)).toEqual([1]);
  for (const steps of [apart, onOne]) {
    expect(steps.map(({ key }) => key)).toEqual([
      { use: 'named', name: 'one' },
      { use: 'named', name: 'two' },
    ]);
    expect(steps[1]?.verification).toEqual(steps[0]?.verification);
    expect(steps[1]?.body).not.toEqual(steps[0]?.body);
  }
  expect(racers(true, { singleUse: false })).toEqual([]);
  expect(racers(true, { budget: 'quick' })).toEqual([]);
});
