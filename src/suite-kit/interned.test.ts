import { expect, test } from 'vitest';
import type { Scenario, Step } from '../model/scenario.ts';
import { interning } from './interned.ts';

const step = (id: string): Step => ({
  id,
  operation: 'createCase',
  as: 'full',
  role: 'control',
  key: { use: 'named', name: id },
  body: { use: 'named', name: 'body' },
  deviations: [],
});

const scenario = (title: string, test: string): Scenario => ({
  title,
  bodies: { body: { value: { subject: 'late' }, marker: '/subject' } },
  waves: [
    { steps: [step(test)] },
    { when: { step: 'control', was: 'refused' }, waves: [{ steps: [step('fallback')] }, { wait: 5 }] },
  ],
});

test('scenarios stay what they are', () => {
  const interned = interning();
  expect(interned(scenario('one', 'first'))).toEqual(scenario('one', 'first'));
  expect(interned(scenario('two', 'second'))).toEqual(scenario('two', 'second'));
});

test('what is equal in two scenarios is one, and what is not equal is not', () => {
  const interned = interning();
  const one = interned(scenario('one', 'first'));
  const two = interned(scenario('two', 'second'));
  expect(two.bodies).toBe(one.bodies);
  expect(two.waves[1]).toBe(one.waves[1]);
  expect(two.waves[0]).not.toEqual(one.waves[0]);
});
