import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import type { JsonObject } from '../model/json.ts';
import { stepsOf } from '../model/scenario.ts';
import { object, operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { planningOf, present } from '../testing/plans.ts';
import { makingOf } from './makers.ts';
import { sceneOf } from './scene.ts';

const result = object({ id: { type: 'string' } });
const contract = await contractOf(
  operation('POST /orders', 'createOrder', {
    body: object({ title: { type: 'string' }, lines: { type: 'array', items: { type: 'string' } } }, [
      'title',
    ]),
    result,
  }),
  operation('POST /orders/{orderId}/approve', 'approveOrder', { result }),
  operation('POST /orders/{orderId}/deliveries', 'addDelivery', {
    result,
    governed: { effect: { list: 'listDeliveries' } },
  }),
  operation('GET /orders/{orderId}/deliveries', 'listDeliveries', {
    result: { type: 'array', items: result },
  }),
);
const fuller = { title: 'An order', lines: ['a'] };
const planning = planningOf(contract, {
  prepared: new Map([
    ['addDelivery', { bodies: new Map([['createOrder', fuller]]), first: ['approveOrder'] }],
  ]),
});
const add = operationOf(contract, 'addDelivery');
const list = operationOf(contract, 'listDeliveries');

test('a new target record is made with more in it, and another command comes first', () => {
  const scene = present(sceneOf(planning, add));
  const steps = stepsOf(scene.prelude);
  expect(steps.map(({ operation: id, role }) => [id, role])).toEqual([
    ['createOrder', 'setup'],
    ['approveOrder', 'setup'],
  ]);
  expect(scene.bodies['make-orderId']?.value).toEqual(fuller);
  expect(steps[1]?.target).toEqual(scene.request('command').target);
  // The record of another command is as it was.
  const plain = present(sceneOf(planning, operationOf(contract, 'approveOrder')));
  expect(stepsOf(plain.prelude).map(({ operation: id }) => id)).toEqual(['createOrder']);
  expect(plain.bodies['make-orderId']?.value).not.toEqual(fuller);
});

test('a command that may only be queued is waited for', async () => {
  const waits = async (status: readonly string[]) => {
    const queued = await contractOf(
      operation('POST /orders', 'createOrder', { result }),
      operation('POST /orders/{orderId}/approve', 'approveOrder', { result, status }),
      operation('POST /orders/{orderId}/send', 'sendOrder', { result }),
    );
    const sent = planningOf(queued, {
      prepared: new Map([['sendOrder', { bodies: new Map(), first: ['approveOrder'] }]]),
    });
    const { prelude } = present(sceneOf(sent, operationOf(queued, 'sendOrder')));
    return prelude.flatMap((wave) => ('wait' in wave && typeof wave.wait === 'number' ? wave.wait : []));
  };
  expect(await waits(['202'])).toEqual([3000]);
  expect(await waits(['200', '202'])).toEqual([3000]);
  expect(await waits(['200'])).toEqual([]);
});

test('what stands for a queued command is read, as it may go on only then', async () => {
  const queued = await contractOf(
    operation('POST /orders', 'createOrder', { result }),
    operation('GET /jobs/{jobId}', 'getJob', { result }),
    operation('POST /orders/{orderId}/approve', 'approveOrder', {
      ...{ result, status: '202', governed: { effect: { read: 'getJob' } } },
    }),
    operation('POST /orders/{orderId}/send', 'sendOrder', { result }),
  );
  const sent = planningOf(queued, {
    prepared: new Map([['sendOrder', { bodies: new Map(), first: ['approveOrder'] }]]),
  });
  const { prelude } = present(sceneOf(sent, operationOf(queued, 'sendOrder')));
  const steps = stepsOf(prelude);
  expect(steps.map(({ operation: id }) => id)).toEqual(['createOrder', 'approveOrder', 'getJob']);
  expect(steps[2]?.target).toEqual({ jobId: { step: steps[1]?.id, at: '/id' } });
});

test('what adds to the list of a record runs on that record, after the other command', () => {
  const read = present(sceneOf(planning, list));
  const made = present(makingOf(planning, read, add));
  const [approve] = stepsOf(made.prelude);
  expect(approve?.operation).toBe('approveOrder');
  expect(approve?.target).toEqual(read.request('read').target);
  expect(made.request('add').target).toEqual(read.request('read').target);
});

test('where all operations are POST, it comes first on each record that the body names', async () => {
  const text = { type: 'string' };
  const filled = (operationId: string, ...names: readonly string[]): JsonObject => ({
    operationId,
    requestBody: Object.fromEntries(names.map((name) => [name, '$response.body#/id'])),
  });
  const bank = await contractOf(
    operation('POST /accounts.open', 'open', {
      result,
      links: { deposit: filled('deposit', 'account'), move: filled('move', 'payer', 'payee') },
    }),
    operation('POST /accounts.deposit', 'deposit', { body: object({ account: text }), result }),
    operation('POST /accounts.move', 'move', { body: object({ payer: text, payee: text }), result }),
  );
  const prepared = new Map([['move', { bodies: new Map(), first: ['deposit'] }]]);
  const scene = present(sceneOf(planningOf(bank, { prepared }), operationOf(bank, 'move')));
  const { payer, payee } = scene.request('command').target ?? {};
  const deposits = stepsOf(scene.prelude).filter(({ operation: id }) => id === 'deposit');
  expect(deposits.map(({ target }) => target?.['account'])).toEqual([payer, payee]);
  expect(payer).not.toEqual(payee);
});
