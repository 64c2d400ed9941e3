import { expect, test } from 'vitest';
import type { JsonSchema } from '../model/json.ts';
import { taking } from '../testing/contracts.ts';
import { hasFixedBody } from './fixed-body.ts';

const refund = { type: 'object', required: ['type'], properties: { type: { const: 'refund' } } };
const reason = { enum: ['fraud'] };

test.each<[what: string, schema: JsonSchema]>([
  ['an object without members', { type: 'object', additionalProperties: false }],
  ['an object whose only member has one value', refund],
  [
    'members of one value in several parts',
    {
      allOf: [refund, { $ref: '#/$defs/Why' }],
      $defs: { Why: { type: 'object', required: ['why'], properties: { why: reason } } },
      unevaluatedProperties: false,
    },
  ],
  ['a list of one value', { const: ['a'] }],
])('%s leaves no choice', (_, schema) => {
  expect(hasFixedBody(taking(schema))).toBe(true);
});

test.each<[what: string, schema: JsonSchema]>([
  ['any object', { type: 'object' }],
  ['a member that may be left out', { ...refund, required: [] }],
  ['members of other names', { ...refund, additionalProperties: true }],
  ['a member of two values', { ...refund, properties: { type: { enum: ['a', 'b'] } } }],
  ['branches', { ...refund, oneOf: [{ type: 'object' }] }],
  ['anything', true],
])('%s leaves a choice, or may', (_, schema) => {
  expect(hasFixedBody(taking(schema))).toBe(false);
});

test('what the engine puts in is no choice', () => {
  const schema: JsonSchema = {
    type: 'object',
    required: ['version'],
    properties: { version: { type: 'integer' } },
  };
  const operation = taking(schema);
  expect(hasFixedBody(operation)).toBe(false);
  expect(
    hasFixedBody({
      ...operation,
      verification: {
        carrier: { in: 'body', at: '/version' },
        hook: 'verify',
        singleUse: false,
        boundToTarget: false,
      },
    }),
  ).toBe(true);
});
