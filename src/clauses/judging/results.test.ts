import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import type { JsonSchema } from '../../model/json.ts';
import { createCase } from '../cases/contract.ts';
import { noIdIn } from './results.ts';

const remedy = (schema: JsonSchema, more: Partial<Operation> = {}): string =>
  noIdIn({ ...createCase, effect: undefined, success: { ...createCase.success, schema }, ...more });

test('of a result with no place for an ID, the remedy is what shows the effect', () => {
  const count = { type: 'object', properties: { deleted: { type: 'integer' }, ok: { type: 'boolean' } } };
  expect(remedy(count)).toBe(
    'The result of createCase names no record. If a list or a read shows what it does, name it in x-governed.effect.',
  );
  const effect = { read: 'getCase', list: undefined, id: '/id' };
  expect(remedy(count, { effect })).toBe(
    'The result of createCase names no record. If a list shows what it does, name it in x-governed.effect.',
  );
});

test('of any other result, it is where the ID is', () => {
  const results = { type: 'object', properties: { done: { type: 'integer' }, results: { type: 'array' } } };
  for (const schema of [results, {}, true, { type: 'object', properties: { ref: { type: 'string' } } }])
    expect(remedy(schema)).toBe(
      'The result of createCase has no ID at /id. If it has one elsewhere, name the place in x-governed.effect.id.',
    );
});
