import { expect, test } from 'vitest';
import { type Contract, type Operation, operationOf } from '../model/contract.ts';
import { parseContract } from './load.ts';
import { contractValidators } from './validators.ts';

const validators = contractValidators();

/** A contract with a command `make`, a list, a read, and a second kind of record. */
function notes(
  response: string,
  effect: string,
  { delete: deleted = 'headers: {}' } = {},
): Promise<Contract> {
  const json = (schema: string): string => `{ application/json: { schema: ${schema} } }`;
  return parseContract(
    `
openapi: 3.1.1
info: { title: Notes, version: 1.27.0 }
security: []
paths:
  /notes:
    post:
      operationId: make
      x-governed: { effect: ${effect} }
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      responses: { '201': { description: made, ${response} } }
    get:
      operationId: list
      responses: { '200': { description: all, content: ${json('{ type: array, items: {} }')} } }
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: string } }]
    get: { operationId: get, responses: { '200': { description: one, content: ${json('{ type: object }')} } } }
    delete:
      operationId: remove
      x-governed: { effect: { read: get, list: list } }
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      responses: { '200': { description: removed, ${deleted} } }
  /archive/notes:
    get:
      operationId: all
      responses: { '200': { description: all, content: ${json('{ type: array, items: {} }')} } }
  /users/{userId}:
    parameters: [{ name: userId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getUser, responses: { '200': { description: one, content: ${json('{ type: object }')} } } }
`,
    'c.yaml',
    validators,
  );
}

async function make(
  response: string,
  { effect = '{ read: get, list: list }' }: { readonly effect?: string } = {},
): Promise<Pick<Operation, 'effect' | 'idAt' | 'idHeader'>> {
  const contract = await notes(response, effect);
  const { effect: shown, idAt, idHeader } = operationOf(contract, 'make');
  return { effect: shown, ...(idAt && { idAt }), ...(idHeader && { idHeader }) };
}

const bodyOf = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const members = (text: string): string => bodyOf(`{ type: object, properties: { ${text} } }`);
const shown = (id: string) => ({ read: 'get', list: 'list', id });
const paths = ['/notes/{noteId}'];
const after = { name: 'Location', use: 'last', paths };

test('without a body, Location names the record where it leads to the read of one', async () => {
  const first = { name: 'Location', use: 'first', paths };
  expect(await make('headers: {}')).toEqual({ effect: shown('/id'), idHeader: first });
  expect(await make(bodyOf('{ type: object }'))).toEqual({ effect: shown('/id'), idHeader: first });
  expect(await make('headers: {}', { effect: '{ list: list }' })).toMatchObject({ idHeader: first });
});

test.each([
  // An invoice may have an `id`, and be at /invoices/{number}.
  ['id: {}, noteId: {}, data: { properties: { id: {} } }', '/noteId'],
  ['id: {}, data: { properties: { noteId: {} } }', '/id'],
  ['noteId: { type: string }', '/noteId'],
  ['Status: {}, Data: { properties: { NoteId: {} } }', '/Data/NoteId'],
  ['Id: {}, Status: {}', '/Id'],
  ['$id: {}, Status: {}', '/$id'],
  ['status: {}, data: { type: object, properties: { id: { type: string } } }', '/data/id'],
  ['result: { properties: { noteId: {} } }, owner: { properties: { id: {} } }', '/result/noteId'],
  ['note: { properties: { id: {} } }, owner: { properties: { id: {} } }', '/note/id'],
])('the schema says where the ID is: %s', async (schema, id) => {
  expect(await make(members(schema))).toEqual({
    effect: shown(id),
    ...(id === '/id' ? {} : { idAt: id }),
    idHeader: after,
  });
});

test.each([
  'owner: { properties: { id: {} } }',
  'data: { properties: { id: {} } }, result: { properties: { id: {} } }',
])('where the schema leaves it open, the document must say so: %s', async (schema) => {
  await expect(make(members(schema))).rejects.toThrow("the success body of 'make' has no field '/id'");
});

test.each([
  members('notes: { type: array, items: { type: object, properties: { id: {} } } }'),
  members('notes: { type: array }, total: { type: integer }, nextCursor: { type: string }'),
  members('notes: { items: {} }'),
  members('ok: { type: boolean }, message: { type: string }'),
  members('data: { type: object, properties: { dropped: { type: integer } } }, meta: { type: object }'),
  members('data: { type: array, items: { properties: { id: {} } } }, meta: { properties: { page: {} } }'),
  bodyOf('{ type: array, items: { type: object, properties: { id: {} } } }'),
])(
  'a result that shows no single record needs no ID, where a list shows the effect: %s',
  async (response) => {
    expect((await make(response, { effect: '{ list: list }' })).effect).toEqual({
      read: undefined,
      list: 'list',
      id: '/id',
    });
    await expect(make(response, { effect: '{ read: get, list: list }' })).rejects.toThrow(
      /has no field '\/id'; .*; name the member with the ID in x-governed.effect.id, or leave out x-governed.effect$/,
    );
  },
);

test.each([
  'number: { type: integer }',
  'isbn: { type: string }',
  'notes: { type: array }, key: {}',
  'tags: { type: object }',
  'data: { type: object, properties: { isbn: { type: string } } }, meta: { type: object }',
])('but a result that may show one does: %s', async (schema) => {
  await expect(make(members(schema), { effect: '{ list: list }' })).rejects.toThrow("has no field '/id'");
});

test('a name that only the service gives has the ID at its end', async () => {
  const named = 'name: { type: string, readOnly: true }';
  expect(await make(members(named))).toMatchObject({ effect: shown('/name'), idAt: '/name' });
  expect(await make(members(`${named}, id: {}`))).toMatchObject({ effect: shown('/id') });
  expect(await make(members(`${named}, noteId: {}`))).toMatchObject({ effect: shown('/noteId') });
  await expect(make(members('name: { type: string }, number: { type: integer }'))).rejects.toThrow(
    "has no field '/id'",
  );
});

test('a path that names the record of a list needs no ID in the result', async () => {
  const contract = await notes(bodyOf('{ type: object }'), '{ read: get }', {
    delete: bodyOf('{ type: object, properties: { message: { type: string } } }'),
  });
  expect(operationOf(contract, 'remove').effect).toEqual({ read: 'get', list: 'list', id: '/id' });
});

test('a link to the record says where the ID is', async () => {
  const link = (id: string, to: string) => `${id}: { operationId: ${id}, parameters: { ${to} } }`;
  const body = members('id: {}, meta: { properties: { key: {} } }, user: {}');
  const user = link('getUser', 'userId: $response.body#/user');
  const note = (at: string): string => link('get', `noteId: ${at}`);
  expect(await make(`${body}, links: { ${user}, ${note('$response.body#/meta/key')} }`)).toMatchObject({
    effect: shown('/meta/key'),
    idAt: '/meta/key',
  });
  expect(await make(`${body}, links: { ${user} }`)).toEqual({ effect: shown('/id'), idHeader: after });
  const header = 'headers: { X-Note: { schema: {} } }';
  expect(await make(`${body}, ${header}, links: { ${note('$response.header.X-Note')} }`)).toEqual({
    effect: shown('/id'),
    idHeader: { name: 'X-Note', use: 'only' },
  });
});

test('effect.id may name a header that the response declares', async () => {
  const effect = '{ read: get, id: { in: header, name: Content-Location } }';
  expect(await make('headers: { content-location: { schema: {} } }', { effect })).toEqual({
    effect: { read: 'get', list: undefined, id: '/id' },
    idHeader: { name: 'Content-Location', use: 'only' },
  });
  await expect(make('headers: {}', { effect })).rejects.toThrow(
    "the success of 'make' declares no header 'Content-Location'",
  );
});

test('effect.id comes before all that the document shows otherwise', async () => {
  expect(await make(members('id: {}, ref: {}'), { effect: '{ list: list, id: /ref }' })).toEqual({
    effect: { read: undefined, list: 'list', id: '/ref' },
    idAt: '/ref',
  });
});

test('a link to a command on the record says where the ID is, where no read shows the record', async () => {
  const key = '{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }';
  const schema = '{ type: object, properties: { batch_id: { type: string }, number: { type: string } } }';
  const link = 'drop: { operationId: drop, parameters: { batch: $response.body#/batch_id } }';
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Batches, version: 1.27.0 }
security: []
paths:
  /batches:
    post:
      operationId: make
      parameters: [${key}]
      responses: { '201': { description: made, links: { ${link} }, ${bodyOf(schema)} } }
  /batches/{batch}:
    delete:
      operationId: drop
      parameters: [${key}, { name: batch, in: path, required: true, schema: { type: string } }]
      responses: { '204': { description: gone } }
`,
    'c.yaml',
    validators,
  );
  expect(operationOf(contract, 'make')).toMatchObject({ effect: undefined, idAt: '/batch_id' });
});

test.each([
  ['dispatches', 'dispatchId', '/dispatchId'],
  ['caches', 'cacheId', '/cacheId'],
  ['boxes', 'box_id', '/box_id'],
  ['cases', 'casId', undefined],
  ['notice-batches', 'batchId', '/batchId'],
  ['notice_batches', 'noticeBatchId', '/noticeBatchId'],
  ['payment-requests', 'request_id', undefined],
])('a result of POST /%s may have its ID in %s, where no read shows the record', async (path, name, at) => {
  const key = '{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }';
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Records, version: 1.27.0 }
security: []
paths:
  /${path}:
    post:
      operationId: make
      parameters: [${key}]
      responses: { '201': { description: made, ${bodyOf(`{ type: object, properties: { ${name}: { type: string } } }`)} } }
`,
    'c.yaml',
    validators,
  );
  expect(operationOf(contract, 'make').idAt).toBe(at);
});

test('the declared read of what a command makes gets its ID without a link, and no other read does', async () => {
  const located = 'headers: { Location: { schema: { type: string } } }';
  const sources = async (effect: string, response = located) => {
    const contract = await notes(response, effect);
    return ['get', 'getUser'].map((id) => operationOf(contract, id).pathFields[0]?.source);
  };
  expect(await sources('{ read: get, id: { in: header, name: Location } }')).toEqual([
    { operation: 'make', header: 'Location' },
    undefined,
  ]);
  expect(await sources('{ read: get, id: /ref }', members('ref: { type: string }'))).toEqual([
    { operation: 'make', at: '/ref' },
    undefined,
  ]);
  // Without `id`, where the document shows it.
  expect(await sources('{ read: get }')).toEqual([{ operation: 'make', header: 'Location' }, undefined]);
  expect(await sources('{ read: get }', members('id: { type: integer }'))).toEqual([
    { operation: 'make', at: '/id' },
    undefined,
  ]);
});

test('a path below that of the command that adds to it gets its ID from the result, where the result shows one', async () => {
  const source = async (response: string) => {
    const contract = await notes(response, '{ list: list }');
    return ['get', 'getUser'].map((id) => operationOf(contract, id).pathFields[0]?.source);
  };
  const schema = (one: string): string => `${one}: { type: integer }`;
  expect(await source(members(schema('id')))).toEqual([{ operation: 'make', at: '/id' }, undefined]);
  expect(await source(members(schema('noteId')))).toEqual([{ operation: 'make', at: '/noteId' }, undefined]);
  for (const at of ['note_id', 'noteID', '_id'])
    expect(await source(members(schema(at)))).toEqual([{ operation: 'make', at: `/${at}` }, undefined]);
  expect(await source(members('id: {}, data: { type: object }'))).toEqual([
    { operation: 'make', at: '/id' },
    undefined,
  ]);
  await expect(source(members(schema('number')))).rejects.toThrow("has no field '/id'");
});

test.each([
  ['[all, list]', 'list', ['all']],
  ['[list, all]', 'list', ['all']],
  ['[all]', 'all', undefined],
  ['all', 'all', undefined],
])(
  'several lists may show what a command makes, its own collection first: %s',
  async (lists, list, others) => {
    const { effect } = await make(members('id: {}'), { effect: `{ list: ${lists} }` });
    expect([effect?.list, effect?.otherLists]).toEqual([list, others]);
  },
);

test('each of several lists must be a read', async () => {
  const text = make(members('id: {}'), { effect: '{ list: [list, make] }' });
  await expect(text).rejects.toThrow(/^c\.yaml:9:44: 'make' is a command, which shows no effect/);
});

test.each([
  ['patch', '{ data: { type: object, properties: { type: {}, id: { type: string } } } }', '/data/id'],
  ['patch', '{ data: { type: object, properties: { id: { type: string } } } }', undefined],
  ['put', '{ id: { type: string }, name: {} }', '/id'],
  ['put', '{ noteId: { type: string }, id: { type: string } }', '/noteId'],
  ['put', '{ id: { type: string, readOnly: true }, name: {} }', undefined],
  ['delete', '{ id: { type: string } }', undefined],
])('a body of a %s repeats the ID of its path: %s', async (method, properties, at) => {
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Notes, version: 1.27.0 }
security: []
paths:
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: string } }]
    ${method}:
      operationId: change
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody: { content: { application/json: { schema: { type: object, properties: ${properties} } } } }
      responses: { '204': { description: done } }
`,
    'c.yaml',
    validators,
  );
  expect(operationOf(contract, 'change').ownId?.at).toBe(at);
});

const keyed = 'parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]';

/** A command `change` with this body. */
function changeOf(method: string, schema: string, governed = ''): string {
  return `    ${method}:
      operationId: change
      ${keyed}
      x-governed: { ${governed} }
      requestBody: { required: true, ${bodyOf(schema)} }
      responses: { '204': { description: done } }
`;
}

/** A contract with a command that makes jobs and shows `made`, a read that shows `one`, and what follows at the path of the read. */
function jobsContract(of: { id: string; made: string; one: string; change: string }): Promise<Contract> {
  return parseContract(
    `
openapi: 3.1.1
info: { title: Jobs, version: 1.27.0 }
security: []
paths:
  /jobs:
    post:
      operationId: make
      ${keyed}
      x-governed: { effect: { read: get, id: ${of.id} } }
      responses: { '201': { description: made, ${of.made} } }
  /jobs/{job}:
    parameters: [{ name: job, in: path, required: true, schema: { type: string } }]
    get: { operationId: get, responses: { '200': { description: one, ${of.one} } } }
${of.change}`,
    'c.yaml',
    validators,
  );
}

test.each([
  [
    'put',
    'required: [meta], properties: { meta: { required: [name], properties: { name: {} } } }',
    '/meta/name',
  ],
  [
    'patch',
    'required: [meta], properties: { meta: { required: [name], properties: { name: {} } } }',
    '/meta/name',
  ],
  // Who may leave it out may mean another name.
  ['put', 'required: [meta], properties: { meta: { properties: { name: {} } } }', undefined],
  ['put', 'required: [name], properties: { name: {} }', undefined],
  [
    'delete',
    'required: [meta], properties: { meta: { required: [name], properties: { name: {} } } }',
    undefined,
  ],
])(
  'a body of a %s with { %s } repeats the ID where the result of its creation has it: %s',
  async (method, request, at) => {
    const shown = members('meta: { properties: { name: {} } }');
    const change = changeOf(method, `{ type: object, ${request} }`);
    const contract = await jobsContract({
      id: '/meta/name',
      made: shown,
      one: bodyOf('{ type: object }'),
      change,
    });
    expect(operationOf(contract, 'change').ownId?.at).toBe(at);
  },
);

const version =
  'version: { carrier: { in: body, at: /rev }, source: { operation: get, in: body, at: /rev } }';

test.each([
  [
    'put',
    '/meta/name',
    '',
    '{ type: object, required: [meta], properties: { meta: { required: [name], properties: { name: {} } } } }',
    '/meta/name',
  ],
  [
    'patch',
    '/meta/name',
    '',
    '{ type: object, required: [meta], properties: { meta: { required: [name], properties: { name: {} } } } }',
    '/meta/name',
  ],
  // A POST may add something that has a name of its own.
  [
    'post',
    '/meta/name',
    '',
    '{ type: object, required: [meta], properties: { meta: { required: [name], properties: { name: {} } } } }',
    undefined,
  ],
  [
    'put',
    '/meta/name',
    '',
    '{ type: object, properties: { meta: { properties: { name: {} } } } }',
    undefined,
  ],
  // This may be the ID of what is put below the record, but not next to the version of the record.
  ['put', '/key', '', '{ type: object, required: [key], properties: { key: {}, rev: {} } }', undefined],
  ['put', '/key', version, '{ type: object, required: [key], properties: { key: {}, rev: {} } }', '/key'],
  [
    'patch',
    '/data/id',
    '',
    '{ type: object, required: [data], properties: { data: { required: [id], properties: { id: {} } } } }',
    undefined,
  ],
])(
  'the body of a %s of a part of a record with its ID at %s repeats it (%s, %s): %s',
  async (method, id, governed, request, at) => {
    const shown = members(
      'key: {}, rev: {}, data: { properties: { id: {} } }, meta: { properties: { name: {} } }',
    );
    const change = `  /jobs/{job}/status:
    parameters: [{ name: job, in: path, required: true, schema: { type: string } }]
${changeOf(method, request, governed)}`;
    const contract = await jobsContract({ id, made: shown, one: shown, change });
    expect(operationOf(contract, 'change').ownId?.at).toBe(at);
  },
);

test.each<[string, string, string, string | undefined]>([
  // The last word of the field says what it is.
  ['roleName', 'id: {}, name: {}', '', '/name'],
  ['task_gid', 'data: { properties: { gid: {}, name: {} } }', '', '/data/gid'],
  ['flagKey', 'Key: {}, version: {}', '', '/Key'],
  ['flagKey', 'id: {}, version: {}', '', '/id'],
  ['name', 'id: {}, title: {}', '', '/id'],
  ['idOrName', 'id: {}, name: {}', '', '/id'],
  // A caller that must give a name gives another one each time; one that may leave it out gives none.
  ['roleName', 'id: {}, name: {}', 'required: [name], properties: { name: {} }', '/name'],
  ['roleName', 'id: {}, name: {}', 'properties: { name: {} }', undefined],
  ['roleName', 'id: {}, name: {}', 'required: [roleName], properties: { roleName: {} }', undefined],
  // Any spelling, and an envelope of any name.
  ['id', 'ID: {}', '', '/ID'],
  ['id', '_id: {}, thingId: {}', '', '/thingId'],
  ['viewId', 'dataSetId: {}, ViewID: {}', '', '/ViewID'],
  ['viewId', 'tags: {}, savedView: { properties: { viewId: {}, ownerId: {} } }', '', '/savedView/viewId'],
  ['viewId', 'old: { properties: { viewId: {} } }, new: { properties: { viewId: {} } }', '', undefined],
  ['viewId', 'owner: { properties: { id: {} } }', '', undefined],
  ['id', 'savedThing: { properties: { id: {} } }, links: {}', '', '/savedThing/id'],
  ['id', 'savedThing: { properties: { id: {} } }, owner: { properties: { name: {} } }', '', undefined],
  [
    'viewName',
    'saved: { properties: { viewName: {} } }',
    'required: [viewName], properties: { viewName: {} }',
    '/saved/viewName',
  ],
  ['viewName', 'saved: { properties: { viewName: {} } }', 'properties: { viewName: {} }', undefined],
])('{%s} is of a result { %s } of a request { %s }: %s', async (field, result, request, at) => {
  const key = '{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }';
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Things, version: 1.27.0 }
security: []
paths:
  /things:
    post:
      operationId: make
      parameters: [${key}]
      ${request === '' ? '' : `requestBody: { required: true, ${bodyOf(`{ type: object, ${request} }`)} }`}
      responses: { '201': { description: made, ${members(result)} } }
  /things/{${field}}:
    get:
      operationId: get
      parameters: [{ name: ${field}, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: one, ${bodyOf('{ type: object }')} } }
`,
    'c.yaml',
    validators,
  );
  const source = at === undefined ? undefined : { operation: 'make', at };
  expect(operationOf(contract, 'get').pathFields[0]?.source).toEqual(source);
});
