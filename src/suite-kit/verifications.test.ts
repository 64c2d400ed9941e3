import { expect, test } from 'vitest';
import { type Deviation, type Step, stepsOf, type Wave } from '../model/scenario.ts';
import { verifiedEach } from './verifications.ts';

const step = (id: string, ...deviations: readonly Deviation[]): Step => ({
  id,
  operation: 'approveCase',
  as: 'full',
  role: 'control',
  key: { use: 'named', name: id },
  body: { use: 'none' },
  verification: { use: 'hook', step: 'verification' },
  deviations,
});
const issue: Wave = { hook: 'verify', as: 'verification', input: { kind: 'valid' } };
const hooks = (waves: readonly Wave[]): readonly string[] =>
  waves.flatMap((wave) => ('hook' in wave ? [wave.as] : 'when' in wave ? hooks(wave.waves) : []));

test('no two commands present one verification, whether the first was refused or not', () => {
  const waves = verifiedEach([
    issue,
    { steps: [step('probe', { kind: 'version', how: 'foreign' })] },
    { steps: [step('control')] },
    { when: { step: 'control', was: 'refused' }, waves: [{ steps: [step('fallback')] }] },
    { steps: [step('one'), step('two')] },
  ]);
  const presented = stepsOf(waves).map(({ verification }) =>
    verification?.use === 'hook' ? verification.step : undefined,
  );
  expect(new Set(presented).size).toBe(5);
  expect(hooks(waves)).toEqual(presented);
});

test('a duplicate presents what its command presented, and a used one is sent on purpose', () => {
  const waves = [
    issue,
    { steps: [step('first')] },
    { steps: [step('again', { kind: 'key-reuse', of: 'first', difference: 'none' })] },
    { steps: [step('used', { kind: 'verification', how: 'used' })] },
  ];
  expect(verifiedEach(waves)).toEqual(waves);
});

test('what is made is verified for its own target', () => {
  const ref = (literal: string): NonNullable<Step['target']> => ({
    house: { step: 'house', at: '/id' },
    room: { literal },
  });
  const input = { target: 'one', targets: { house: 'ref:house#/id', room: 'one' }, kind: 'valid' };
  const made = (id: string, role: Step['role']): Wave => ({
    steps: [{ ...step(id), role, target: ref(id) }],
  });
  const waves = verifiedEach([
    { ...issue, input },
    made('one', 'setup'),
    made('two', 'setup'),
    made('three', 'test'),
  ]);
  expect(waves.flatMap((wave) => ('hook' in wave ? [wave.input] : []))).toEqual([
    input,
    { ...input, target: 'two', targets: { ...input.targets, room: 'two' } },
    input,
  ]);
});

test('a record that the body names is no target of the verification', () => {
  const target = { house: { literal: 'two' }, ownerId: { literal: 'owner' } };
  const made: Wave = { steps: [{ ...step('made'), role: 'setup', target }] };
  const inputs = (of: string) =>
    verifiedEach([{ ...issue, input: { target: of } }, made]).flatMap((wave) =>
      'hook' in wave ? [wave.input] : [],
    );
  expect(inputs('two')).toEqual([{ target: 'two' }]);
  expect(inputs('one')).toEqual([{ target: 'one' }, { target: 'two' }]);
  // The command has no path field.
  expect(inputs('')).toEqual([{ target: '' }]);
});
