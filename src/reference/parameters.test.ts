import { expect, test } from 'vitest';
import type { Json } from '../model/json.ts';
import { object, operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { withTrial } from '../testing/trial.ts';

const pageable = object({ page: { type: 'integer' }, size: { type: 'integer' }, sort: { type: 'string' } }, [
  'page',
]);
const query = (schema: Json, more = {}): Json => ({
  name: 'q',
  in: 'query',
  required: true,
  schema,
  ...more,
});

test.each<[what: string, parameter: Json, accepted: string, refused: string]>([
  ['members of an object', query(pageable), '?page=0&sort=a', '?page=x'],
  ['an object that is written as one', query(pageable, { explode: false }), '?q=page,0,sort,5', '?q=page,x'],
  ['an object in depth', query(pageable, { style: 'deepObject' }), '?q[page]=0', '?q[page]=x'],
  [
    'members of any name',
    query({ type: 'object', additionalProperties: { type: 'integer' } }),
    '?a=1',
    '?a=b',
  ],
  ['an enum without a type', query({ enum: [10, 25] }), '?q=10', '?q=11'],
  ['a choice of types', query({ anyOf: [{ type: 'integer' }, { type: 'null' }] }), '?q=5', '?q=x'],
  ['a small number', query({ type: 'number', multipleOf: 1e-8 }), '?q=1e-8', '?q=one'],
  ['a text of digits', query({ type: 'string', minLength: 2 }), '?q=05', '?q=5'],
  ['a list of numbers', query({ type: 'array', items: { type: 'integer' } }), '?q=1&q=2', '?q=1&q=b'],
  [
    'a list or null',
    query({ anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] }),
    '?q=a&q=b',
    '',
  ],
  ['one value alone', query({ type: 'string' }), '?q=a', '?q=a&q=b'],
])('%s', async (_, parameter, accepted, refused) => {
  const contract = await contractOf(operation('GET /notes', 'listNotes', { parameters: [parameter] }));
  await withTrial({ contract }, async ({ ask }) => {
    expect((await ask('GET', `/notes${accepted}`)).status).toBe(200);
    const said = await ask('GET', `/notes${refused}`);
    expect(said.status).toBe(422);
    expect(said.textAt('/errors/0/parameter')).toBe('q');
  });
});

test('an object in a header and in a cookie', async () => {
  const contract = await contractOf(
    operation('GET /notes', 'listNotes', {
      parameters: [
        { name: 'X-Page', in: 'header', required: true, schema: pageable },
        { name: 'X-Pages', in: 'header', required: true, explode: true, schema: pageable },
        { name: 'page', in: 'cookie', required: true, schema: { type: 'integer' } },
      ],
    }),
  );
  await withTrial({ contract }, async ({ ask }) => {
    const headers = [
      ['X-Page', 'page,0,size,5'],
      ['X-Pages', 'page=0,size=5'],
      ['Cookie', 'page=3; other=4'],
    ] as const;
    expect((await ask('GET', '/notes', { headers })).status).toBe(200);
    expect((await ask('GET', '/notes', { headers: headers.slice(1) })).status).toBe(422);
  });
});

test('a media type that the contract writes with its charset', async () => {
  const mediaType = 'application/json; charset=utf-8';
  const contract = await contractOf(operation('POST /notes', 'addNote', { body: object({}), mediaType }));
  await withTrial({ contract }, async ({ ask }) => {
    expect((await ask('POST', '/notes', { key: 'k', body: {} })).status).toBe(201);
  });
});

test('a record whose ID is a number is at its path', async () => {
  const id = { type: 'integer', format: 'int64' };
  const contract = await contractOf(
    operation('POST /notes', 'createNote', {
      result: object({ id }),
      governed: { effect: { read: 'getNote' } },
    }),
    operation('GET /notes/{note}', 'getNote', {
      parameters: [{ name: 'note', in: 'path', required: true, schema: id }],
      result: object({ id }),
    }),
  );
  await withTrial({ contract }, async ({ ask }) => {
    const made = await ask('POST', '/notes', { key: 'a' });
    expect(made.body).toEqual({ id: 1 });
    expect((await ask('GET', '/notes/1')).status).toBe(200);
    expect((await ask('GET', '/notes/none')).status).toBe(404);
  });
});
