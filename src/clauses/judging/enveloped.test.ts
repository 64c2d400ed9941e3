import { expect, test } from 'vitest';
import { operationOf } from '../../model/contract.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { contract } from '../cases/contract.ts';
import { shownMembers } from './changes.ts';
import { readSchemasAt } from './enveloped.ts';

const record = { id: 'case_7', subject: 's' };

test.each<[string, Json, readonly string[], readonly string[]]>([
  ['by itself', record, ['subject'], ['id', 'subject']],
  ['in a usual envelope', { data: record, took: 3 }, ['subject'], ['id', 'subject']],
  ['in one named like the record', { case: record }, ['subject'], ['id', 'subject']],
  ['in one that the body has as well', { case: record }, ['case'], ['case']],
  ['next to something else', { case: record, took: 3 }, ['subject'], ['case', 'took']],
  ['as a list', { cases: [record] }, ['subject'], ['cases']],
])('the members of a record are found %s', (_, shown, sent, expected) =>
  expect([...shownMembers(shown, new Map(sent.map((name) => [name, 'x']))).keys()]).toEqual(expected),
);

const schema = { type: 'object', properties: { id: { type: 'string' }, subject: { type: 'string' } } };

test.each<[string, JsonObject, number]>([
  ['by itself', schema, 1],
  ['in a usual envelope', { properties: { data: schema, took: { type: 'integer' } } }, 1],
  ['in one named like the record', { properties: { case: schema } }, 1],
  ['next to something else', { properties: { case: schema, took: { type: 'integer' } } }, 0],
])('what a read declares of a member is found %s', (_, declared, expected) => {
  const read = operationOf(contract, 'getCase');
  const operation = { ...read, success: { ...read.success, schema: declared } };
  expect(readSchemasAt({ operation }, '/subject')).toHaveLength(expected);
});
