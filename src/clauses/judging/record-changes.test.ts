import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { isSilent, plainMembers } from './record-changes.ts';

const record: Json = { id: 'case_7', subject: 'a' };
const schema = 'http://localhost/schemas/Case.json';

test.each<[string, Json | undefined, Json]>([
  ['is empty', undefined, record],
  ['is the record', record, record],
  ['wraps the record', { data: record }, { data: record }],
  ['wraps a record that the read does not', { data: record }, record],
  [
    'links to the schema, as the read does',
    { $schema: schema, data: record },
    { $schema: schema, data: record },
  ],
  [
    'has its own request ID and time',
    { data: record, meta: { request_id: 'req_1', took: 3, version: 2 }, requestId: 'req_1' },
    { data: record, meta: { request_id: 'req_2', took: 2, version: 2 }, requestId: 'req_2' },
  ],
])('a result says no more than the read where it %s', (_, result, read) => {
  expect(isSilent(result, read)).toBe(true);
});

test.each<[string, Json, Json]>([
  ['shows another record', { data: { ...record, subject: 'b' } }, { data: record }],
  ['has a warning', { data: record, warnings: ['b was cut'] }, { data: record }],
  ['has other warnings', { data: record, warnings: ['b was cut'] }, { data: record, warnings: [] }],
  [
    'has a note in what is around it',
    { data: record, meta: { took: 1, note: 'b was cut' } },
    { data: record, meta: {} },
  ],
  ['has a warning next to a record', { data: record, warnings: [] }, record],
])('a result may say why where it %s', (_, result, read) => {
  expect(isSilent(result, read)).toBe(false);
});

test.each<[string, Json, readonly string[]]>([
  ['a resource of JSON:API', { type: 'cases', id: '7', attributes: { subject: 'a' } }, ['subject']],
  ['one within data', { data: { id: '7', attributes: { subject: 'a' }, links: {} } }, ['subject']],
  ['nothing but attributes', { data: { attributes: { subject: 'a' } } }, ['subject']],
  [
    'a record with a member of that name',
    { id: '7', subject: 'a', attributes: { colour: 'b' } },
    ['id', 'subject', 'attributes'],
  ],
  ['a record without members', { id: '7', subject: 'a', attributes: {} }, ['id', 'subject', 'attributes']],
])('the members of %s', (_, value, names) => {
  expect([...plainMembers(value).keys()]).toEqual(names);
});
