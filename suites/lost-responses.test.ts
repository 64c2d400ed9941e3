import { expect, test } from 'vitest';
import { stepsOf } from '../src/model/scenario.ts';
import { linkTo, operation } from '../src/selftest/shapes/document.ts';
import { contractOf, made, paged } from '../src/testing/contracts.ts';
import { planned } from '../src/testing/plans.ts';
import lostResponses from './lost-responses.ts';

/** Bookings within a vehicle, which its list shows, and the retirement of the vehicle, which no list shows. */
const contract = await contractOf(
  operation('POST /vehicles', 'register', {
    result: made,
    links: {
      ...linkTo('getVehicle', 'vehicle'),
      ...linkTo('book', 'vehicle'),
      ...linkTo('bookings', 'vehicle'),
      ...linkTo('retire', 'vehicle'),
    },
  }),
  operation('GET /vehicles/{vehicle}', 'getVehicle', { result: true }),
  operation('POST /vehicles/{vehicle}/retirement', 'retire', {
    governed: { effect: { read: 'getVehicle' } },
    status: '204',
  }),
  operation('POST /vehicles/{vehicle}/bookings', 'book', {
    governed: { effect: { list: 'bookings' } },
    result: made,
  }),
  operation('GET /vehicles/{vehicle}/bookings', 'bookings', paged),
);

/** Operations of the steps after the target was made, in the scenario of a failure after the commit. */
const sent = (operation: string): readonly string[] => {
  const plan = planned(lostResponses, contract, { hooks: ['failBeforeCommit', 'failAfterCommit'] });
  const last = plan.scenarios({ probe: 'failed', operation }).at(-1);
  return stepsOf(last?.waves ?? []).map(({ id, operation: name }) => `${id} ${name}`);
};

test('a list within the target is read before the command that fails, and after its retries', () => {
  expect(sent('book').slice(1, 8)).toEqual([
    'listed-before bookings',
    'listed-before-again bookings',
    'failed book',
    'retry book',
    'retry-2 book',
    'retry-3 book',
    'control-make-vehicle register',
  ]);
  expect(sent('book').at(-1)).toBe('listed-after bookings');
});

test('of a target that no list shows, no list is read', () => {
  expect(sent('retire').filter((step) => step.startsWith('listed'))).toEqual([]);
});

test('a target that no list shows is read around the command, and after one under another key', () => {
  expect(sent('retire').filter((step) => !step.startsWith('control'))).toEqual([
    'make-vehicle register',
    'before getVehicle',
    'before-again getVehicle',
    'failed retire',
    'retry retire',
    'retry-2 retire',
    'retry-3 retire',
    'after getVehicle',
    'next retire',
    'later getVehicle',
  ]);
});

test('a command that a hook holds is cut before it ends, and sent again', () => {
  const title = 'the connection is cut while the command is held';
  const held = (hooks: readonly string[]) =>
    planned(lostResponses, contract, { hooks })
      .scenarios({ probe: 'cut', operation: 'register' })
      .find((one) => one.title === title);
  expect(held([])).toBeUndefined();
  const [hook, lost, retry] = held(['slow'])?.waves ?? [];
  expect(hook).toMatchObject({ hook: 'slow', input: { key: 'key:key', milliseconds: 1500 } });
  expect(lost).toMatchObject({ steps: [{ transport: 'cut-after-send', leaves: 400 }] });
  expect(retry).toMatchObject({ steps: [{ key: { name: 'key' } }] });
});

test('what a PUT does that fails is read before its retry, and after it', async () => {
  const parameters = [{ name: 'vehicle', in: 'path', required: true, schema: { type: 'string' } }];
  const lights = await contractOf(
    operation('POST /vehicles', 'register', { result: made, links: linkTo('set', 'vehicle') }),
    operation('PUT /vehicles/{vehicle}/light', 'set', {
      governed: { effect: { read: 'see' } },
      parameters,
      body: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      result: true,
    }),
    operation('GET /vehicles/{vehicle}/light', 'see', { parameters, result: true }),
  );
  const [before, after] = planned(lostResponses, lights, { hooks: ['failBeforeCommit', 'failAfterCommit'] })
    .scenarios({ probe: 'failed', operation: 'set' })
    .map(({ waves }) => stepsOf(waves).map(({ id }) => id));
  expect(before?.slice(0, 4)).toEqual(['make-vehicle', 'failed', 'retry', 'retry-2']);
  expect(after?.slice(0, 8)).toEqual([
    ...['make-vehicle', 'failed', 'before', 'before-again', 'retry', 'retry-2', 'retry-3', 'after'],
  ]);
});
