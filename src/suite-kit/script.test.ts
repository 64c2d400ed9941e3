import { expect, test } from 'vitest';
import { stepsOf } from '../model/scenario.ts';
import { linkTo, operation } from '../selftest/shapes/document.ts';
import { contractOf, made } from '../testing/contracts.ts';
import { planned } from '../testing/plans.ts';
import { suiteOfScript } from './script.ts';
import type { ScriptStep } from './script-schema.ts';

const contract = await contractOf(
  operation('POST /orders', 'placeOrder', {
    result: made,
    links: { ...linkTo('getOrder', 'order'), ...linkTo('sendOrder', 'order') },
  }),
  operation('GET /orders/{order}', 'getOrder', { result: true }),
  operation('POST /orders/{order}/send', 'sendOrder', {
    governed: { effect: { read: 'getOrder' } },
    status: '204',
  }),
);

const sent = (...faulty: readonly ScriptStep[]): readonly (readonly string[])[] => {
  const suite = suiteOfScript({
    suite: 'own',
    for: ['sendOrder'],
    probes: faulty.map((step, index) => ({ id: `p${index}`, faulty: step })),
  });
  return planned(suite, contract)
    .scenarios()
    .map(({ waves }) => stepsOf(waves).map(({ id }) => id));
};

const unread = ['make-order', 'test', 'control', 'fallback'];

test('the target is read before and after the first faulty step, which must leave it as it was', () => {
  expect(sent({ key: 'none' }, { key: { text: '' } })).toEqual([
    ['make-order', 'before', 'before-again', 'test', 'after', 'control', 'fallback'],
    unread,
  ]);
  expect(sent({ transport: 'fresh' })).toEqual([unread]);
});

test('a token elsewhere, or a word in its place, is a fault of the credential', () => {
  const suite = suiteOfScript({
    suite: 'own',
    for: ['placeOrder'],
    probes: (['in-cookie', 'in-header', 'null', 'truncated'] as const).map((token) => ({
      id: token,
      faulty: { token },
    })),
  });
  const faults = planned(suite, contract)
    .steps()
    .filter(({ id }) => id === 'test')
    .map(({ token, deviations }) => [token, deviations]);
  expect(faults).toEqual([
    ['in-cookie', [{ kind: 'credential', how: 'elsewhere' }]],
    ['in-header', [{ kind: 'credential', how: 'elsewhere' }]],
    ['null', [{ kind: 'credential', how: 'malformed' }]],
    ['truncated', [{ kind: 'credential', how: 'mutated' }]],
  ]);
});
