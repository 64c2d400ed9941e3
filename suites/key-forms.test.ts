import { expect, test } from 'vitest';
import type { Budget } from '../src/model/configured.ts';
import { type Scenario, stepsOf } from '../src/model/scenario.ts';
import { extendedContract } from '../src/testing/contracts.ts';
import { secondsOf } from '../src/testing/pauses.ts';
import { holder, planned } from '../src/testing/plans.ts';
import keyForms from './key-forms.ts';

const contract = await extendedContract();
const near = (operation: string): readonly Scenario[] =>
  planned(keyForms, contract, { hooks: ['verify'] }).scenarios({ operation, probe: 'near' });

test('a command without a body is tried with near keys on two records', () => {
  const scenarios = near('deleteContact');
  expect(scenarios.map(({ title }) => title)).toContain('keys that differ in the last character');
  for (const { waves } of scenarios) {
    const [first, second] = ['first', 'second'].map((id) => stepsOf(waves).find((step) => step.id === id));
    expect([first?.body, second?.body]).toEqual([{ use: 'none' }, { use: 'none' }]);
    expect(first?.target).not.toEqual(second?.target);
  }
});

const ends = (operation: string): readonly string[] => {
  const edits = near(operation).flatMap(({ waves }) =>
    stepsOf(waves).flatMap(({ key }) =>
      key.use === 'near' && key.edit.kind === 'followed' ? [key.edit.by] : [],
    ),
  );
  return [...new Set(edits)];
};

test('two pairs of keys have marks at which a careless service takes a key apart', () => {
  expect(ends('updateCase')).toEqual(['.:_a', '.:_b', '/|;=@#a', '/|;=@#b']);
});

test('pairs that a decoder, a hash or a count of attempts takes for one are sent with the first command that makes records', () => {
  expect(ends('createCase').slice(4)).toEqual(['+a', ' a', '_a', '-a', 'ab', 'ba', 'Aa', 'BB', '-1', '-2']);
});

test('another key of the same form is sent only where the service failed on the first', () => {
  const [scenario] = planned(keyForms, contract).scenarios({ operation: 'createCase', probe: 'odd' });
  const again = (scenario?.waves ?? []).flatMap((wave) => ('when' in wave ? [wave] : []));
  expect(again.map(({ when }) => when.was)).toEqual(Array.from({ length: 8 }, () => 'failed'));
  const keys = stepsOf(again).flatMap(({ key }) => (key.use === 'literal' ? [key.value] : []));
  expect(keys.map((key) => key.slice(0, 20))).toEqual([
    'l',
    'l'.repeat(20),
    '"rvpufe"',
    "ju't",
    'tdimüttfm',
    'b,c',
    '../../fud/qbttxe',
    '%00',
  ]);
});

test.each<readonly [string, (key: 'new' | 'again') => number, number]>([
  ['each time while it helps', (key) => (key === 'new' ? 409 : 201), 20],
  ['once where it does not help', () => 409, 1],
  ['never where nothing is refused', () => 201, 0],
])('of many keys those that are refused are sent again after a pause, %s', async (_, statusOf, pauses) => {
  const [many] = planned(keyForms, contract).scenarios({ operation: 'createCase', probe: 'many' });
  if (many === undefined) throw new Error('no scenario');
  expect(await secondsOf(contract, many, statusOf)).toBe(pauses);
});

test.each<readonly [Budget, string, readonly string[]]>([
  ['quick', 'a few keys are sent by the caller of all others', ['all']],
  ['standard', 'many keys are sent by another caller, whose limit nothing else uses up', ['peer']],
])('at the %s budget %s', (budget, _, callers) => {
  const principals = [
    holder(contract, 'all'),
    holder(contract, 'foreign', { scope: 'b' }),
    holder(contract, 'peer'),
  ];
  const scenarios = planned(keyForms, contract, { budget, principals }).scenarios({
    operation: 'createCase',
    probe: 'many',
  });
  const steps = scenarios.flatMap(({ waves }) => stepsOf(waves));
  expect([...new Set(steps.map((step) => step.as))]).toEqual(callers);
});

test('many keys are sent by the only caller that there is', () => {
  const scenarios = planned(keyForms, contract, { budget: 'standard' }).scenarios({ probe: 'many' });
  expect(new Set(scenarios.flatMap(({ waves }) => stepsOf(waves).map((step) => step.as)))).toEqual(
    new Set(['all']),
  );
});
