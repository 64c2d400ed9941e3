import { expect, test } from 'vitest';
import { object, operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { operationOf } from './contract.ts';
import type { Json, JsonObject } from './json.ts';
import { itemId, recordOf } from './listed.ts';
import { placeInRecord, wrappersOf } from './wrapped-items.ts';

const text = { type: 'string' };
const patient = object({ id: text, name: text, gender: text });
const entry = (resource: Json): JsonObject => object({ fullUrl: text, resource });

/** The bundle that a list returns, with filters of its entries, and the command that makes what the entries hold. */
async function bundle(item: Json, filters: readonly string[], record: JsonObject = patient) {
  const contract = await contractOf(
    operation('POST /patients', 'addPatient', {
      governed: { effect: { list: 'patients' } },
      body: object({ name: text, gender: text }),
      result: record,
    }),
    operation('GET /patients', 'patients', {
      governed: { pagination: { limit: 'size', cursor: 'after', items: '/entry', next: '/next' } },
      parameters: [
        { name: 'size', in: 'query', schema: { type: 'integer' } },
        { name: 'after', in: 'query', schema: text },
        ...filters.map((at) => ({
          name: at.split('/').at(-1) ?? '',
          in: 'query',
          schema: text,
          'x-governed': { filters: at },
        })),
      ],
      result: object({ entry: { type: 'array', items: item }, next: text }),
    }),
  );
  return { contract, list: operationOf(contract, 'patients'), maker: operationOf(contract, 'addPatient') };
}

test.each<[string, Json, readonly string[], JsonObject?]>([
  ['the record by its schema', entry(patient), []],
  ['most of the record', entry(object({ id: text, name: text })), []],
  ['what nothing describes, where all filters lead into it', {}, ['/resource/gender', '/resource/name']],
  ['an object without members', entry({ type: 'object' }), ['/resource/gender']],
  ['the record, next to another ID', object({ id: text, resource: patient }), []],
])('an item wraps the record in a member that is %s', async (_, item, filters) => {
  const { contract, list, maker } = await bundle(item, filters);
  expect(wrappersOf(list, maker)).toEqual(['/resource']);
  expect(placeInRecord(list, maker, '/resource/gender')).toBe('/gender');
  expect(placeInRecord(list, maker, '/resourceType')).toBe('/resourceType');
  const wrapped = { fullUrl: 'a', resource: { id: 'p_1' } };
  expect(itemId(contract, list.id)(wrapped)).toBe('p_1');
  expect(recordOf(contract, list, wrapped)).toEqual({ id: 'p_1' });
});

test.each<[string, Json, readonly string[], JsonObject?]>([
  ['another record within it', object({ name: text, resource: object({ id: text, name: text }) }), []],
  ['one of its own kind within it', object({ ...patientMembers(), resource: patient }), [], patient],
  ['a part of it that has no ID', entry(object({ name: text, gender: text })), []],
  ['a record that has little in common with it', entry(object({ id: text, code: text })), []],
  ['members that nothing describes, where one filter leads elsewhere', {}, ['/resource/gender', '/name']],
  ['members that nothing describes, and the record has the member', {}, ['/resource/gender'], withResource()],
  ['members that nothing describes, and the record has none of that name', {}, ['/resource/ward']],
  ['members that nothing describes, and no filters', {}, []],
])('an item wraps no record where it has %s', async (_, item, filters, record = patient) => {
  const { contract, list, maker } = await bundle(item, filters, record);
  expect(wrappersOf(list, maker)).toEqual([]);
  const shown = { fullUrl: 'a', resource: { id: 'p_1' } };
  expect(recordOf(contract, list, shown)).toEqual(shown);
  expect(placeInRecord(list, maker, '/resource/gender')).toBe('/resource/gender');
});

function patientMembers(): JsonObject {
  return { id: text, name: text, gender: text };
}

function withResource(): JsonObject {
  return object({ id: text, gender: text, resource: object({ gender: text }) });
}
