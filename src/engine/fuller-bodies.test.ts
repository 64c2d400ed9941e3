import { expect, test } from 'vitest';
import { operationNamed } from '../model/contract.ts';
import { linkTo, operation } from '../selftest/shapes/document.ts';
import { contractOf, made } from '../testing/contracts.ts';
import { planningOf } from '../testing/plans.ts';
import { fullerBodies } from './fuller-bodies.ts';

test('of few bodies one has all that may be left out, however many values there are for the rest', async () => {
  const count = { type: 'integer', minimum: 1 };
  const contract = await contractOf(
    operation('POST /orders', 'order', {
      body: {
        type: 'object',
        properties: { count, price: { type: 'integer' }, refills: count },
        required: ['count', 'price'],
      },
      result: made,
      links: linkTo('refill', 'order'),
    }),
    operation('POST /orders/{order}/refills', 'refill', { status: '204' }),
  );
  const refill = operationNamed(contract, 'refill');
  if (refill === undefined) throw new Error('no operation');
  const bodies = fullerBodies(planningOf(contract), refill, 0).map((one) => one.bodies.get('order'));
  expect(bodies.some((body) => JSON.stringify(body).includes('refills'))).toBe(true);
});
