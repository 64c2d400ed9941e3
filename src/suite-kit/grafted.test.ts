import { expect, test } from 'vitest';
import { validator } from '../generate/index.ts';
import type { Json, JsonSchema } from '../model/json.ts';
import { grafted, ofOtherBranch } from './grafted.ts';

const transfer: JsonSchema = {
  type: 'object',
  required: ['from', 'amount'],
  properties: {
    from: { type: 'string', pattern: '^LL[0-9]{4}$' },
    amount: { type: 'integer' },
    note: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
  },
};

test('members that the plain body lacks are put into it, so that its records stay', () => {
  expect(
    grafted(
      { from: 'LL0001', amount: 5 },
      { from: 'LL9999', amount: 7, note: { text: 'x' } },
      validator(transfer),
    ),
  ).toEqual({ from: 'LL0001', amount: 5, note: { text: 'x' } });
});

test('a body that lacks no member of the drawn one leaves it as it is', () => {
  const drawn = { from: 'LL9999', amount: 7 };
  expect(grafted({ from: 'LL0001', amount: 5 }, drawn, validator(transfer))).toBe(drawn);
});

test('a body of another branch stays: nothing would judge its members in the plain one', () => {
  const method = (name: string, own: string, more: Record<string, Json> = {}): JsonSchema => ({
    type: 'object',
    required: ['method', own],
    properties: { method: { const: name }, [own]: { type: 'string' } },
    ...more,
  });
  const drawn = { method: 'bank', iban: 'y' };
  const check = validator({ oneOf: [method('card', 'pan'), method('bank', 'iban')] });
  expect(grafted({ method: 'card', pan: 'x' }, drawn, check)).toBe(drawn);
  const closed = validator({
    oneOf: [
      method('card', 'pan', { additionalProperties: false }),
      method('bank', 'iban', { additionalProperties: false }),
    ],
  });
  expect(grafted({ method: 'card', pan: 'x' }, drawn, closed)).toBe(drawn);
});

test('what is no object stays', () => {
  expect(grafted(['a'], { b: 1 }, () => [])).toEqual({ b: 1 });
  expect(grafted({ b: 1 }, 'text', () => [])).toBe('text');
});

const shipment: JsonSchema = {
  type: 'object',
  required: ['parcels'],
  properties: {
    parcels: {
      type: 'array',
      items: {
        type: 'object',
        required: ['sku'],
        properties: { sku: { type: 'string' }, count: { type: 'integer' }, size: { type: 'object' } },
      },
    },
    limits: { type: 'object', properties: { daily: { type: 'integer' } } },
    note: { type: 'string' },
  },
};

test('what an item or an inner object may have besides is put into that of the plain body', () => {
  expect(
    grafted(
      { parcels: [{ sku: 'AA1' }], limits: {} },
      {
        parcels: [
          { sku: 'zz9', count: 3 },
          { sku: 'zz8', size: {} },
        ],
        limits: { daily: 7 },
        note: 'x',
      },
      validator(shipment),
    ),
  ).toEqual({ parcels: [{ sku: 'AA1', count: 3 }], limits: { daily: 7 }, note: 'x' });
});

test('where an item is of another branch, the members of the root are put in all the same', () => {
  const item = (kind: string, own: string): JsonSchema => ({
    type: 'object',
    required: ['kind', own],
    properties: { kind: { const: kind }, [own]: { type: 'string' } },
    additionalProperties: false,
  });
  const check = validator({
    type: 'object',
    required: ['items'],
    properties: {
      items: { type: 'array', items: { oneOf: [item('card', 'pan'), item('bank', 'iban')] } },
      note: { type: 'string' },
    },
  });
  expect(
    grafted(
      { items: [{ kind: 'card', pan: 'x' }] },
      { items: [{ kind: 'bank', iban: 'y' }], note: 'n' },
      check,
    ),
  ).toEqual({ items: [{ kind: 'card', pan: 'x' }], note: 'n' });
});

const capture = (method: string, own: string): JsonSchema => ({
  type: 'object',
  required: ['method', own],
  properties: { method: { const: method }, [own]: { type: 'string' } },
});

test('a member of another branch is put into the plain body as a whole, and the others stay', () => {
  const check = validator({
    type: 'object',
    properties: {
      name: { type: 'string' },
      by: { oneOf: [capture('hand', 'tool'), capture('trap', 'bait')] },
      note: { type: 'string' },
    },
  });
  const plain = { name: 'known', by: { method: 'hand', tool: 'net' } };
  const drawn = { name: 'drawn', by: { method: 'trap', bait: 'honey' }, note: 'x' };
  expect(ofOtherBranch(plain, drawn, check)).toEqual({ name: 'known', by: drawn.by });
  expect(ofOtherBranch(plain, { name: 'drawn', note: 'x' }, check)).toBeUndefined();
});
