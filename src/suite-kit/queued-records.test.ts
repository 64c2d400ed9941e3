import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import { object, operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { planningOf, present } from '../testing/plans.ts';
import { sceneOf } from './scene.ts';

const text = { type: 'string' };
const result = object({ id: text });

/** What is read before a command on an order that is sent to the command with this status. */
async function polled(status: readonly string[], reads: readonly ReturnType<typeof operation>[]) {
  const contract = await contractOf(
    operation('POST /orders', 'createOrder', { status, result: object({ id: text, workId: text }) }),
    ...reads,
    operation('POST /orders/{orderId}/approve', 'approveOrder', { result }),
    operation('POST /refunds', 'createRefund', { body: object({ orderId: text }, ['orderId']), result }),
  );
  return ['approveOrder', 'createRefund'].map((id) => {
    const scene = present(sceneOf(planningOf(contract), operationOf(contract, id)));
    return scene.prelude.flatMap((wave) =>
      'poll' in wave ? [`${wave.poll.operation} ${wave.queuedBy}`] : [],
    );
  });
}

const order = operation('GET /orders/{orderId}', 'getOrder', { result });
const work = operation('GET /works/{workId}', 'getWork', { result: object({ workId: text, state: text }) });

test('a record that may only be queued is read until it is there', async () => {
  const both = [['getOrder make-orderId'], ['getOrder make-orderId']];
  expect(await polled(['202'], [work, order])).toEqual(both);
  expect(await polled(['201', '202'], [order])).toEqual(both);
});

test('nothing is read of a record that is made at once, nor another record than this', async () => {
  expect(await polled(['201'], [order])).toEqual([[], []]);
  expect(await polled(['202'], [work])).toEqual([[], []]);
});
