import { expect, test } from 'vitest';
import type { JsonSchema } from '../model/json.ts';
import { taking } from '../testing/contracts.ts';
import { addedMembers, emptyMembers, otherMembers, twoValues } from './other-values.ts';
import { operationValues } from './values.ts';

const order: JsonSchema = {
  type: 'object',
  required: ['reference', 'lines', 'payment'],
  properties: {
    reference: { type: 'string', minLength: 1, maxLength: 60 },
    rank: { type: 'integer' },
    lines: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['sku', 'count'],
        properties: { sku: { const: 'AA-1' }, count: { type: 'integer', minimum: 1 } },
      },
    },
    payment: {
      type: 'object',
      required: ['method', 'price'],
      properties: { method: { enum: ['card'] }, price: { enum: ['1.00', '01.0', '2.00'] } },
    },
  },
};

test('a body has another value in one member of each depth, none of which means the same', () => {
  const operation = taking(order);
  const found = otherMembers(operation, operationValues(operation, []), 1);
  expect(found.map(({ at, depth }) => [depth, at])).toEqual([
    ['body', '/rank'],
    ['object', '/payment/price'],
    ['item', '/lines/0/count'],
  ]);
  expect(found.map(({ other }) => other).slice(1)).toEqual(['2.00', 2]);
});

test('a value like that of the example comes before one that is drawn', () => {
  const weighing: JsonSchema = {
    type: 'object',
    required: ['parcel', 'gross'],
    properties: {
      parcel: { type: 'string', pattern: '^p[0-9]{6}$' },
      gross: { type: 'integer', minimum: 1, maximum: 9 },
    },
  };
  const operation = taking(weighing);
  const values = operationValues(operation, [{ parcel: 'p000007', gross: 4 }]);
  expect(otherMembers(operation, values, 1).map(({ at, other }) => [at, other])).toEqual([['/gross', 5]]);
  expect(otherMembers(operation, values, 2).map(({ at }) => at)).toEqual(['/gross', '/parcel']);
});

test('what is empty is put into the body of a PATCH that lacks the member, and null into a merge patch', () => {
  const amendment: JsonSchema = {
    type: 'object',
    required: ['reference'],
    properties: {
      reference: { type: 'string' },
      count: { type: 'integer' },
      least: { type: 'integer', minimum: 1 },
      express: { type: 'boolean' },
      note: { type: ['string', 'null'] },
      tags: { type: 'array', items: { type: 'string' } },
    },
  };
  const operation = taking(amendment);
  const values = operationValues(operation, [{ reference: 'first', count: 0 }]);
  const found = emptyMembers({ ...operation, method: 'PATCH' }, values, 3);
  expect(found.map(({ at, base, other }) => [at, base, other])).toEqual([
    ['/count', { reference: 'first' }, 0],
    ['/express', { reference: 'first' }, false],
    ['/tags', { reference: 'first' }, []],
  ]);
  expect(emptyMembers(operation, values, 3)).toEqual([]);
  const body = {
    ...operation.body,
    required: true,
    schema: amendment,
    mediaType: 'application/merge-patch+json',
  };
  const merged = emptyMembers({ ...operation, method: 'PATCH', body }, values, 9);
  expect(merged.map(({ at, other }) => [at, other])).toContainEqual(['/note', null]);
});

test('of what is empty, one member of each kind comes first', () => {
  const contact: JsonSchema = {
    type: 'object',
    required: ['reference'],
    properties: {
      reference: { type: 'string' },
      nickname: { type: ['string', 'null'] },
      email: { type: ['string', 'null'] },
      roles: { type: 'array', items: { type: 'string' } },
      labels: { type: 'array', items: { type: 'string' } },
      discount: { type: 'number', minimum: 0 },
    },
  };
  const operation = taking(contact);
  const body = { required: true, schema: contact, mediaType: 'application/merge-patch+json' };
  const values = operationValues(operation, [{ reference: 'first' }]);
  const found = emptyMembers({ ...operation, method: 'PATCH', body }, values, 3);
  expect(found.map(({ at, other }) => [at, other])).toEqual([
    ['/nickname', null],
    ['/roles', []],
    ['/discount', 0],
  ]);
});

const field = (schema: JsonSchema, more = {}) =>
  twoValues({ name: 'carrier', required: true, schema, filters: undefined, ...more });

test('a parameter has two values, first the one that requests have anyway', () => {
  expect(field({ type: 'string', enum: ['dhl', 'ups'] })).toEqual(['dhl', 'ups']);
  expect(field({ type: 'string', enum: ['dhl', 'ups'] }, { value: 'ups' })).toEqual(['ups', 'dhl']);
  expect(field({ type: 'boolean' })).toEqual(expect.arrayContaining(['true', 'false']));
  expect(field({ const: 'dhl' })).toBeUndefined();
});

test('what may be left out is put into one body, with another value for each of it', () => {
  const schema: JsonSchema = {
    type: 'object',
    required: ['title'],
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 120 },
      copies: { type: 'integer', minimum: 1, maximum: 9 },
      urgent: { type: 'boolean' },
      labels: { type: 'array', items: { type: 'string' } },
    },
  };
  const operation = taking(schema);
  const found = addedMembers(operation, operationValues(operation, [{ title: 'A plain one' }]), 6, 'others');
  expect(found.map(({ at }) => at).toSorted()).toEqual(['/copies', '/urgent']);
  for (const { base, other } of found) {
    expect(base).toEqual({ title: 'A plain one', copies: expect.any(Number), urgent: expect.any(Boolean) });
    expect(Object.values(Object(base))).not.toContain(other);
  }
});

test('a member of another branch is not added, which may be ignored', () => {
  const branch = (kind: string, own: string): JsonSchema => ({
    type: 'object',
    required: ['kind', own],
    properties: {
      kind: { const: kind },
      [own]: { type: 'integer', minimum: 0, maximum: 99 },
      [`${own}Note`]: { type: 'string', minLength: 1, maxLength: 30 },
      rank: { type: 'integer', minimum: 1, maximum: 9 },
    },
  });
  const operation = taking({ oneOf: [branch('dog', 'bark'), branch('cat', 'lives')] });
  const values = operationValues(operation, [{ kind: 'dog', bark: 4 }]);
  const found = addedMembers(operation, values, 6, 'others').map(({ at }) => at);
  expect(found.toSorted()).toEqual(['/barkNote', '/rank']);
});

test('a drawn ID is not put into the body of the others, which may be refused for it', () => {
  const operation = taking({
    type: 'object',
    required: ['title'],
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 120 },
      copies: { type: 'integer', minimum: 1, maximum: 9 },
      queue_id: { type: 'string', pattern: '^queue_[a-z]+$' },
    },
  });
  const values = operationValues(operation, [{ title: 'A plain one' }]);
  const members = (of: 'ids' | 'others') => addedMembers(operation, values, 6, of).map(({ at }) => at);
  expect([members('others'), members('ids')]).toEqual([['/copies'], ['/queue_id']]);
});
