import { expect, test } from 'vitest';
import { type DocumentPart, operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { operationOf } from './contract.ts';
import type { JsonObject } from './json.ts';
import { makesRecords, mayReturnOld } from './makes-records.ts';

const permission = 'job.run';
const result: JsonObject = { type: 'object', properties: { id: { type: 'string' } } };
const post = (path: string, id: string, more: object = {}): DocumentPart =>
  operation(`POST ${path}`, id, { permission, result, status: '200', ...more });

test('a 201, a list, a read and a path below say that a command makes records', async () => {
  const contract = await contractOf(
    post('/jobs', 'create', { status: '201' }),
    post('/jobs/undo', 'undo'),
    post('/cart', 'open'),
    post('/notes', 'note'),
    operation('GET /notes/{noteId}', 'getNote', { permission, result }),
  );
  const makes = (id: string) => makesRecords(contract, operationOf(contract, id));
  expect(['create', 'undo', 'open', 'note'].map(makes)).toEqual([true, false, false, true]);
});

test('where new records get 201, another success may show an old one', async () => {
  const contract = await contractOf(post('/jobs', 'create', { status: '201' }), post('/notes', 'note'));
  const create = operationOf(contract, 'create');
  expect(mayReturnOld(contract, create, 201)).toBe(false);
  expect(mayReturnOld(contract, create, 200)).toBe(true);
  expect(mayReturnOld(contract, operationOf(contract, 'note'), 200)).toBe(true);
});
