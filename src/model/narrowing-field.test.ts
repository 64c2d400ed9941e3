import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { operationNamed, operationOf, type QueryField } from './contract.ts';
import { listOfMade } from './listed.ts';
import { narrowingField } from './narrowing-field.ts';

const owner: QueryField = { name: 'ownerId', required: true, schema: { type: 'string' }, filters: undefined };
const list = operationOf(contract, 'listCases');
const asking = (more: Partial<QueryField>, ownParameters: readonly string[] = []) => ({
  ...list,
  ownParameters,
  queryFields: [...list.queryFields, { ...owner, ...more }],
});

test.each<[string, Partial<QueryField>]>([
  ['free text', {}],
  ['a member of the items, whatever its values', { name: 'kind', filters: '/kind', schema: { enum: ['a'] } }],
  ['a record, with an example', { examples: ['own_1'] }],
  ['a record in another spelling', { name: 'owner_id', schema: { type: 'string', default: 'own_1' } }],
])('a query field that a list requires selects by %s', (_, more) => {
  expect(narrowingField(asking(more))).toBe(more.name ?? 'ownerId');
});

test.each<[string, Partial<QueryField>]>([
  ['is optional', { required: false }],
  ['has a value in the configuration', { value: 'own_1' }],
  ['has few values', { name: 'view', schema: { enum: ['full', 'short'] } }],
  ['has an example', { name: 'api-version', examples: ['2024-01-01'] }],
  ['is the size of a page', { name: 'limit' }],
])('a query field that %s need not select', (_, more) => {
  expect(narrowingField(asking(more))).toBe(undefined);
});

test('what each caller fills in for itself selects nothing', () => {
  expect(narrowingField(asking({}, ['ownerId']))).toBe(undefined);
});

test('a list that shows one part of the records is not the one that shows what a command makes', () => {
  const of = (more: Partial<QueryField>) => {
    const operations = contract.operations.map((one) => (one.id === list.id ? asking(more) : one));
    const changed = { ...contract, operations };
    const maker = operationNamed(changed, 'createCase');
    return maker && listOfMade(changed, maker)?.id;
  };
  expect(of({})).toBe(undefined);
  expect(of({ value: 'own_1' })).toBe('listCases');
});
