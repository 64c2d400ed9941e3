import { expect, test } from 'vitest';
import { parseContract } from '../contract/load.ts';
import type { Contract } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import { withTrial } from '../testing/trial.ts';

const key = { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } };
const note = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const text = { type: 'string' };

/** A command and a read whose success is described so. */
async function contractOf(success: Json): Promise<Contract> {
  const operation = (id: string, more: object): object => ({
    operationId: id,
    security: [{ serverToken: [`note.${id}`] }],
    responses: { 200: { description: 'Done', content: { 'application/json': success } } },
    ...more,
  });
  const document = {
    openapi: '3.1.1',
    info: { title: 't', version: '1' },
    paths: {
      '/notes': { post: operation('make', { parameters: [key] }) },
      '/state': { get: operation('read', {}) },
    },
    components: { securitySchemes: { serverToken: { type: 'http', scheme: 'bearer' } } },
  };
  return await parseContract(JSON.stringify(document), 'c.json');
}

async function returned(success: Json): Promise<readonly unknown[]> {
  const said: unknown[] = [];
  const contract = await contractOf(success);
  await withTrial({ contract, randomBytes: (length) => new Uint8Array(length) }, async ({ ask }) => {
    said.push((await ask('POST', '/notes', { key: 'k' })).body, (await ask('GET', '/state')).body);
  });
  return said;
}

test.each([
  ['a text', { type: 'string', maxLength: 3 }, ['a', 'a']],
  ['a text that may be the ID', text, ['note_000000000000000000000000', 'tenant-a /state']],
  ['a number', { type: 'integer', minimum: 7 }, [7, 7]],
  ['a list', { type: 'array', items: note }, [[{ id: 'note_000000000000000000000000' }], []]],
  [
    'a list of at least two texts',
    { type: 'array', items: text, minItems: 2 },
    [
      ['a', 'a'],
      ['a', 'a'],
    ],
  ],
  ['one of several kinds', { oneOf: [{ type: 'array', items: text }, { type: 'number' }] }, [0, 0]],
  [
    'an object by a choice',
    {
      oneOf: [
        { ...note, additionalProperties: false },
        { type: 'object', required: ['code'] },
      ],
    },
    [{ id: 'note_000000000000000000000000' }, { id: 'tenant-a /state' }],
  ],
  [
    'an object with an ID of a given form in a member',
    {
      type: 'object',
      required: ['data'],
      properties: {
        data: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string', pattern: '^[0-9A-F]{32}$' } },
        },
      },
    },
    [{ data: { id: '0'.repeat(32) } }, { data: { id: 'A'.repeat(32) } }],
  ],
  [
    'an object with the ID in a member that may be missing',
    { type: 'object', properties: { data: { type: 'object', properties: { id: text } } } },
    [{ data: { id: 'note_000000000000000000000000' } }, {}],
  ],
])('a result is what its schema asks for: %s', async (_, schema, values) => {
  expect(await returned({ schema })).toEqual(values);
});

test('a result of which only the media type is declared is an object', async () => {
  expect(await returned({})).toEqual([
    { id: 'note_000000000000000000000000', version: '1' },
    { id: 'tenant-a /state', version: '1' },
  ]);
});

test('every record has an ID of its own in the form that a pattern asks for', async () => {
  const id = { type: 'string', pattern: '^se(-[a-z0-9]+)+$', maxLength: 25 };
  const schema = { type: 'object', required: ['id'], properties: { id } };
  await withTrial({ contract: await contractOf({ schema }) }, async ({ ask }) => {
    const ids = new Set<string>();
    for (let count = 0; count < 40; count += 1)
      ids.add((await ask('POST', '/notes', { key: `k${count}` })).textAt('/id'));
    expect([...ids].filter((one) => !new RegExp(id.pattern).test(one))).toEqual([]);
    expect(ids.size).toBe(40);
  });
});
