import { expect, test } from 'vitest';
import type { JsonSchema } from '../model/json.ts';
import { taking } from '../testing/contracts.ts';
import { claimedInBody } from './claims.ts';

const text = { type: 'string' };

test('a scope is claimed in members that the schema does not name', () => {
  const claims = claimedInBody('b', taking({ type: 'object', properties: { subject: text } }), {
    subject: 'x',
  });
  expect(claims?.edit).toMatchObject({ all: expect.arrayContaining([{ at: '/tenantId', set: 'b' }]) });
  expect(claims?.deviations).toContainEqual({ kind: 'unknown-member', at: '/tenantId' });
});

test('a member is no unknown one where the schema expressly lets any be', () => {
  const open = taking({ type: 'object', properties: { subject: text }, additionalProperties: text });
  expect(claimedInBody('b', open, { subject: 'x' })?.deviations).toContainEqual({
    kind: 'unknown-member',
    at: '/tenantId',
    free: true,
  });
});

test.each<[string, JsonSchema]>([
  ['forbids other members', { type: 'object', properties: { subject: text }, additionalProperties: false }],
  ['has such a member itself', { type: 'object', properties: { subject: text, accountId: text } }],
  ['has one in an alternative', { oneOf: [{ properties: { tenant: text } }, { required: ['subject'] }] }],
  ['wants numbers', { type: 'object', additionalProperties: { type: 'number' } }],
])('nothing is claimed where the schema %s', (_, schema) => {
  expect(claimedInBody('b', taking(schema), { subject: 'x' })).toBeUndefined();
});
