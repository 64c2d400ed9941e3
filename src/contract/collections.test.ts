import { describe, expect, test } from 'vitest';
import { actsOnOne, creates, isSingleton, operationOf } from '../model/contract.ts';
import type { JsonObject } from '../model/json.ts';
import { type DocumentPart, operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';

const text = { type: 'string' };
const pet = { type: 'object', required: ['name'], properties: { id: text, name: text } };
const pets = {
  type: 'object',
  properties: { items: { type: 'array', items: pet }, total: { type: 'integer' } },
};
const add = operation('POST /pets', 'add', { body: pet, result: pet });
const one = operation('GET /pets/{petId}', 'one', { result: pet });
const all = operation('GET /pets', 'all', { result: pets });

const wrapped = operation('GET /pets', 'all', {
  result: {
    type: 'object',
    properties: {
      data: { type: 'object', properties: { pets: { type: 'array', items: pet } } },
      meta: { type: 'object' },
    },
  },
});

/** Whether PUT /pets has the path of a collection, and what its body names. */
async function put(parts: readonly DocumentPart[], body: JsonObject = pet, governed: JsonObject = {}) {
  const contract = await contractOf(
    ...parts,
    operation('PUT /pets', 'put', { body, result: pet, status: '200', governed }),
  );
  const found = operationOf(contract, 'put');
  return {
    onCollection: found.onCollection === true,
    isSingleton: isSingleton(found),
    acts: actsOnOne(found) && !creates(found),
    named: (found.named ?? []).map(({ acts = false, at, field, read }) => [
      at,
      read,
      field.source?.operation,
      acts,
    ]),
  };
}

const inCollection = { onCollection: true, isSingleton: false, acts: true };

describe('a PUT to a collection acts on the record that its body names', () => {
  test.each<[string, readonly DocumentPart[]]>([
    ['with a command that adds, a list and a read', [add, all, one]],
    ['without a list', [add, one]],
    ['with a list around whose items is more', [add, wrapped, one]],
  ])('%s', async (_, parts) => {
    expect(await put(parts)).toEqual({ ...inCollection, named: [['/id', 'one', 'add', true]] });
  });

  test.each(['petId', 'pet_id', 'id'])('under the name %s', async (name) => {
    const { named } = await put([add, one], { type: 'object', properties: { [name]: text } });
    expect(named).toEqual([[`/${name}`, 'one', 'add', true]]);
  });

  test('and not on what its body merely refers to', async () => {
    const owner = operation('POST /owners', 'own', { body: pet, result: pet });
    const owners = operation('GET /owners/{ownerId}', 'owner', { result: pet });
    const { named } = await put([add, one, owner, owners], {
      type: 'object',
      required: ['ownerId', 'id'],
      properties: { ownerId: text, id: text },
    });
    expect(named.filter(([, , , acts]) => acts)).toEqual([['/id', 'one', 'add', true]]);
  });

  test('or on several, where it names none', async () => {
    expect(await put([add, wrapped], { type: 'object', properties: { name: text } })).toEqual({
      ...inCollection,
      named: [],
    });
  });
});

describe('a PUT acts on what its path is', () => {
  const single = { onCollection: false, isSingleton: true, acts: true };
  const own = operation('GET /pets', 'all', { result: pet });

  test.each<[string, readonly DocumentPart[]]>([
    ['alone', []],
    ['where a read of the path shows a record', [own]],
    ['where a POST makes what the path is', [add, own]],
    ['where its parts have reads of their own', [own, one]],
    [
      'where the record has a list, as a cart has its items',
      [
        add,
        operation('GET /pets', 'all', {
          result: { type: 'object', properties: { id: text, lines: { type: 'array', items: pet } } },
        }),
      ],
    ],
  ])('%s', async (_, parts) => {
    expect(await put(parts)).toMatchObject(single);
  });

  test('where the document says that a read of the path shows its effect', async () => {
    expect(await put([add, one, own], pet, { effect: { read: 'all' } })).toMatchObject(single);
  });
});
