import { expect, test } from 'vitest';
import type { JsonSchema } from '../model/json.ts';
import { isObject } from '../model/json.ts';
import { taking } from '../testing/contracts.ts';
import { fullBody } from './full-body.ts';
import { operationValues } from './values.ts';

const order: JsonSchema = {
  type: 'object',
  required: ['reference'],
  properties: {
    reference: { type: 'string', minLength: 1, maxLength: 60 },
    urgent: { type: 'boolean' },
    labels: { type: 'array', items: { type: 'string', minLength: 1 } },
    ship: { type: 'object', required: ['to'], properties: { to: { type: 'string' } } },
    note: { type: ['string', 'null'] },
    customerId: { type: 'string' },
    lines: {
      type: 'array',
      items: { type: 'object', required: ['skuId'], properties: { skuId: { type: 'string' } } },
    },
  },
};

test('all that may be left out is added to the plain body, but for null, what is empty, and what may name a record', () => {
  const operation = taking(order);
  const full = fullBody(operation, operationValues(operation, [{ reference: 'A plain one' }]));
  if (!isObject(full)) throw new Error('no body');
  expect(Object.keys(full).sort()).toEqual(['labels', 'note', 'reference', 'ship', 'urgent']);
  expect(full['reference']).toBe('A plain one');
  expect(full['labels']).not.toEqual([]);
  expect(full['note']).toBeTypeOf('string');
});

test('a body that has all its members has no fuller one', () => {
  const operation = taking(order);
  const { properties: { reference } = {} } = order as { properties?: Record<string, JsonSchema> };
  const small = taking({
    type: 'object',
    required: ['reference'],
    properties: { reference: reference ?? true },
  });
  expect(fullBody(small, operationValues(small, []))).toBeUndefined();
  expect(fullBody(operation, operationValues(operation, [['a list']]))).toBeUndefined();
});
