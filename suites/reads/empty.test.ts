import { expect, test } from 'vitest';
import { linkTo, object, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf, made, paged } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import reads from '../reads.ts';

const text = { type: 'string' };
const parameters = [{ name: 'orderId', in: 'path', required: true, schema: text }];

test('a list within a new record is read while it is empty, and again only if that is refused', async () => {
  const contract = await contractOf(
    operation('POST /orders', 'addOrder', {
      governed: { effect: { list: 'listOrders' } },
      body: object({ title: text }),
      result: made,
      links: { ...linkTo('addLine', 'orderId'), ...linkTo('listLines', 'orderId') },
    }),
    operation('GET /orders', 'listOrders', paged),
    operation('POST /orders/{orderId}/lines', 'addLine', {
      governed: { effect: { list: 'listLines' } },
      parameters,
      body: object({ title: text }),
      result: made,
    }),
    operation('GET /orders/{orderId}/lines', 'listLines', {
      ...paged,
      parameters: [...parameters, ...paged.parameters],
    }),
  );
  const found = planned(reads, contract).probes({ probe: 'empty' });
  expect(found.map(({ operation: id, clauses }) => [id, clauses])).toEqual([['listLines', ['RDS-1']]]);
  const [scenario] = found[0]?.scenarios ?? [];
  expect(
    scenario?.waves.map((wave) =>
      'steps' in wave
        ? wave.steps.map(({ id }) => id)
        : 'when' in wave
          ? wave.when
          : 'poll' in wave
            ? wave.poll.id
            : wave,
    ),
  ).toEqual([['make-orderId'], 'visible', { wait: 'settle' }, ['empty'], { step: 'empty', was: 'refused' }]);
});
