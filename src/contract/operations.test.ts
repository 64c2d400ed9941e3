import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import { InputError } from '../model/input-error.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { resultId } from '../model/result-id.ts';
import { note, object, operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { contractWith, key, made, make, validators } from '../testing/described.ts';
import { parseContract } from './load.ts';

test.each([
  [`{ '2XX': ${made} }`, { status: 201, any: true }, undefined],
  [`{ default: ${made} }`, { status: 201, any: true }, undefined],
  [`{ '200': ${made}, '201': ${made} }`, { status: 200 }, [{ status: 201 }]],
  [`{ '202': ${made}, default: ${made} }`, { status: 202 }, undefined],
])('success %s', async (responses, success, others) => {
  const operation = await make({ responses });
  expect(operation.success).toMatchObject(success);
  if (others === undefined) expect(operation.otherSuccesses).toBeUndefined();
  else expect(operation.otherSuccesses).toMatchObject(others);
});

test.each(['[{ token: [a.write] }, { other: [] }]', '[{ other: [] }, { token: [a.write] }]'])(
  'of alternatives the bearer token is tested: %s',
  async (security) => {
    const contract = await contractWith({ security });
    expect(operationOf(contract, 'make')).toMatchObject({ permissions: ['a.write'], otherCredentials: true });
    expect(contract.warnings).toEqual([
      expect.stringContaining("the operation 'make' can be called with other credentials as well"),
    ]);
  },
);

test('a header or a client certificate that is required with a bearer token comes from the configuration', async () => {
  const contract = await contractWith({ security: '[{ other: [], token: [a.write] }]' });
  expect(operationOf(contract, 'make').permissions).toEqual(['a.write']);
  expect(contract.warnings).toEqual([expect.stringContaining("the operation 'make' also requires 'other'")]);
});

test('where the bearer token also suffices alone, it is tested alone', async () => {
  const contract = await contractWith({
    security: '[{ token: [a.write], other: [] }, { token: [a.write] }]',
  });
  expect(operationOf(contract, 'make')).toMatchObject({ permissions: ['a.write'], otherCredentials: true });
});

test('alternatives that ask a caller for the same token are one', async () => {
  const more = ['    login: { type: openIdConnect, openIdConnectUrl: https://login.example }'];
  const permissionsOf = async (security: string) =>
    operationOf(await contractWith({ security, more }), 'make').permissions;
  expect(await permissionsOf('[{ token: [a.write] }, { login: [a.write] }]')).toEqual(['a.write']);
  expect(await permissionsOf('[{ token: [a.write], other: [] }, { other: [], login: [a.write] }]')).toEqual([
    'a.write',
  ]);
  await expect(permissionsOf('[{ token: [a.write] }, { login: [a.admin] }]')).rejects.toThrow();
});

test('an operation that cannot be tested is left out with its reason and place, and so is what others say of it', async () => {
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Shapes, version: 1.27.0 }
security: [{ token: [a] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /things:
    post:
      operationId: make
      x-governed: { effect: { list: exportThings } }
      parameters: [${key}]
      responses: { '201': { description: made, links: { find: { operationId: findThings } } } }
    get:
      operationId: exportThings
      responses: { '200': { description: all, content: { text/csv: {} } } }
  /search:
    post:
      operationId: findThings
      responses: { '200': ${made} }
`,
    'c.yaml',
    validators,
  );
  expect(contract.operations.map(({ id }) => id)).toEqual(['make']);
  expect(operationOf(contract, 'make').effect).toBeUndefined();
  expect(contract.leftOut).toEqual([
    {
      id: 'exportThings',
      method: 'GET',
      path: '/things',
      reasons: [expect.stringMatching(/^c\.yaml:15:\d+: the success body of 'exportThings' is not JSON; /)],
    },
    {
      id: 'findThings',
      method: 'POST',
      path: '/search',
      reasons: [expect.stringMatching(/^c\.yaml:18:\d+: the command 'findThings' has no Idempotency-Key; /)],
    },
  ]);
});

test('an operation without a success is left out, and the others are read', async () => {
  const contract = await contractWith({
    more: [],
    responses: `{ '201': ${made} }
    get:
      operationId: look
      security: []
      responses: { '404': { description: nothing } }`,
  });
  expect(contract.operations.map(({ id }) => id)).toEqual(['make']);
  expect(contract.leftOut).toEqual([
    {
      id: 'look',
      method: 'GET',
      path: '/things',
      reasons: [expect.stringMatching(/^c\.yaml:15:\d+: the operation 'look' declares no success; /)],
    },
  ]);
});

test('OpenAPI 3.2 is read like 3.1, and an operation of a method of its own is left out', async () => {
  const contract = await parseContract(
    `
openapi: 3.2.0
info: { title: Shapes, version: 1.27.0 }
security: []
paths:
  /things:
    get: { operationId: list, responses: { '200': { description: all, content: { application/json: { schema: { type: array } } } } } }
    query: { operationId: ask, responses: { '200': { description: all } } }
    additionalOperations:
      LINK: { operationId: join, responses: { '200': { description: all } } }
`,
    'c.yaml',
    validators,
  );
  expect(contract.operations.map(({ id }) => id)).toEqual(['list']);
  expect(contract.leftOut?.map(({ id, reasons }) => `${id} ${reasons.join()}`)).toEqual([
    expect.stringMatching(
      /^ask c\.yaml:8:\d+: the operation 'ask' has the method QUERY, which cannot be tested; /,
    ),
    expect.stringMatching(/^join c\.yaml:10:\d+: the operation 'join' has the method LINK/),
  ]);
});

/** A contract in which notes are put under IDs of choice, and read. */
const notesContract = (put: string, read: string): ReturnType<typeof parseContract> =>
  parseContract(
    `
openapi: 3.1.1
info: { title: Shapes, version: 1.27.0 }
security: []
paths:
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: string } }]
    put: { operationId: put, ${put} }
    get: { operationId: get, responses: { '200': ${read} } }
`,
    'c.yaml',
    validators,
  );

test.each([
  ["parameters: { noteId: '$response.header.Location' }", { operation: 'put', header: 'Location' }],
  ["parameters: { noteId: '$request.path.noteId' }", { operation: 'put', path: 'noteId' }],
])('links may lead from %s', async (parameters, source) => {
  const contract = await notesContract(
    `parameters: [${key}], responses: { '201': { description: made, headers: { Location: { schema: { type: string } } }, links: { get: { operationId: get, ${parameters} } } } }`,
    made,
  );
  expect(operationOf(contract, 'put').pathFields).toMatchObject([{ chosen: true, source: undefined }]);
  expect(operationOf(contract, 'get').pathFields).toMatchObject([{ source }]);
});

test.each([
  ['', true],
  [', required: true', undefined],
])(
  'what is put under an ID of choice may be new, unless a version is required: %s',
  async (required, chosen) => {
    const contract = await notesContract(
      `x-governed: { version: { carrier: { in: header, name: If-Match }, source: { operation: get, in: header, name: ETag } } }, parameters: [${key}, { name: If-Match, in: header, schema: { type: string }${required} }], responses: { '200': { description: made } }`,
      '{ description: read, headers: { ETag: { schema: { type: string } } } }',
    );
    const fields = (id: string) => operationOf(contract, id).pathFields;
    expect(fields('put').map((field) => field.chosen)).toEqual([chosen]);
    expect(fields('get').map(({ source }) => source)).toEqual([
      chosen === true ? { operation: 'put', path: 'noteId' } : undefined,
    ]);
  },
);

test.each([
  ['consents/{topic}', '', 'put'],
  ['preferences', '', 'put'],
  ['preferences', 'x-governed: { effect: { read: show } }', 'put'],
  ['preferences', 'x-governed: { effect: { read: find } }', 'make'],
  ['preferences', 'x-governed: { conflict: { after: make } }', 'make'],
])('what is put to %s is there to be read once it was put: %s', async (path, rule, maker) => {
  const topic = '{ name: topic, in: path, required: true, schema: { enum: [a, b] } }';
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Shapes, version: 1.27.0 }
security: []
paths:
  /people:
    post:
      operationId: make
      x-governed: { effect: { read: find, id: /id } }
      parameters: [${key}]
      responses: { '201': ${made.replace('type: object', 'type: object, properties: { id: {} }')} }
  /people/{personId}:
    parameters: [{ name: personId, in: path, required: true, schema: { type: string } }]
    get: { operationId: find, responses: { '200': ${made} } }
  /people/{personId}/${path}:
    parameters: [{ name: personId, in: path, required: true, schema: { type: string } }${path.includes('topic') ? `, ${topic}` : ''}]
    put:
      operationId: put
      ${rule}
      parameters: [${key}]
      responses: { '200': ${made} }
    get: { operationId: show, responses: { '200': ${made} } }
`,
    'c.yaml',
    validators,
  );
  const source = (id: string): unknown => operationOf(contract, id).pathFields[0]?.source;
  expect(source('show')).toMatchObject({ operation: maker });
  expect(source('put')).toMatchObject({ operation: 'make' });
  expect(source('find')).toMatchObject({ operation: 'make' });
});

/** The operation `find`, a POST or PUT at a path of its own, and what shows of it in the contract. */
async function find(lines: string, method = 'post'): Promise<string> {
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Shapes, version: 1.27.0 }
security: []
paths:
  /search:
    ${method}:
      operationId: find
      ${lines}
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: { default: { description: found } }
`,
    'c.yaml',
    validators,
  );
  return contract.operations
    .map(({ kind, shared, success }) => `${kind} ${success.status}${shared === true ? ' shared' : ''}`)
    .join();
}

test('a request body without a form is left out where it may be', async () => {
  const bodyOf = async (requestBody: string): Promise<unknown> => {
    const contract = await contractWith({
      others: `  /pings: { post: { operationId: ping, security: [], parameters: [${key}], requestBody: ${requestBody}, responses: { '201': ${made} } } }`,
    });
    return operationOf(contract, 'ping').body;
  };
  expect(await bodyOf('{ content: {} }')).toBeUndefined();
  await expect(bodyOf('{ required: true, content: {} }')).rejects.toThrow(
    "the request body of 'ping' has no content",
  );
});

test('a form that asks for nothing is left out; one that is needed leaves its operation out', async () => {
  const ids = async (requestBody: string): Promise<readonly string[]> => {
    const contract = await contractWith({
      others: `  /pings: { post: { operationId: ping, security: [], parameters: [${key}], requestBody: ${requestBody}, responses: { '201': ${made} } } }`,
    });
    return contract.operations.map(({ id, body }) => `${id} ${body?.mediaType}`);
  };
  const form = (schema: string): string =>
    `content: { application/x-www-form-urlencoded: { schema: ${schema} } }`;
  expect(await ids(`{ ${form('{ type: object, properties: {} }')} }`)).toContain('ping undefined');
  expect(await ids(`{ required: false, ${form('{ properties: { note: { type: string } } }')} }`)).toContain(
    'ping undefined',
  );
  for (const needed of [
    `{ required: true, ${form('{ type: object, properties: {} }')} }`,
    `{ ${form('{ type: object, required: [note], properties: { note: { type: string } } }')} }`,
    '{ content: { application/pdf: { schema: { type: string, format: binary } } } }',
  ])
    expect((await ids(needed)).map((one) => one.split(' ')[0])).not.toContain('ping');
});

test('a read may show the same records to every scope', async () => {
  expect(await find('x-governed: { read: true, shared: true }')).toBe('read 200 shared');
});

test('a POST may be a read without a key', async () => {
  expect(await find('x-governed: { read: true }')).toBe('read 200');
  expect(await find(`x-governed: { read: true }\n      parameters: [${key.replace('true', 'false')}]`)).toBe(
    'read 200',
  );
  expect(await find(`parameters: [${key}]`)).toBe('command 201');
});

test.each([
  ['x-governed: { read: true }', 'put', "'find' is a PUT, which writes; write read: true on a POST"],
  [
    `x-governed: { read: true }\n      parameters: [${key}]`,
    'post',
    "the read 'find' requires an Idempotency-Key; remove read: true",
  ],
  [
    `x-governed: { shared: true }\n      parameters: [${key}]`,
    'post',
    "'find' is a command; write shared: true on a read",
  ],
  ['summary: find', 'post', 'or x-governed: { read: true } if it changes nothing'],
  ['x-governed: { read: false }', 'post', "'read' must be true"],
])('no read is %s with %s', async (lines, method, message) => {
  await expect(find(lines, method)).rejects.toThrow(message);
});

test.each([
  ['effect: { read: find }', "'find' is a POST that names no record, so it shows no effect"],
  [
    'version: { carrier: { in: header, name: If-Match }, source: { operation: find, in: body, at: /version } }',
    "'find' is a POST that names no record, which shows no version; name a read by ID",
  ],
])('a POST that reads is not asked for what only the record shows: %s', async (rule, message) => {
  const text = `
openapi: 3.1.1
info: { title: Shapes, version: 1.27.0 }
security: []
paths:
  /search:
    post:
      operationId: find
      x-governed: { read: true }
      responses: { '200': ${made} }
  /things:
    put:
      operationId: change
      x-governed: { ${rule} }
      parameters: [${key}]
      responses: { '200': ${made} }
`;
  await expect(parseContract(text, 'c.yaml', validators)).rejects.toThrow(message);
});

test.each(['204', '205'])('a %s has no body, whatever the document describes', async (status) => {
  for (const type of ['text/plain', 'application/json']) {
    const responses = `{ '${status}': { description: done, content: { ${type}: { schema: { type: string } } } } }`;
    const { success } = operationOf(await contractWith({ responses }), 'make');
    expect(success).toEqual({ status: Number(status), mediaType: undefined, schema: undefined });
  }
});

test('every media type of a success is known: JSON, and what else the document declares', async () => {
  const successOf = async (content: string) =>
    operationOf(
      await contractWith({ responses: `{ '201': { description: made, content: { ${content} } } }` }),
      'make',
    ).success;
  expect((await successOf('application/json: {}')).otherMediaTypes).toBeUndefined();
  expect(await successOf('text/plain: {}, application/hal+json: {}')).toMatchObject({
    mediaType: 'application/hal+json',
    otherMediaTypes: ['text/plain'],
  });
  expect(await successOf("'*/*': {}")).toMatchObject({
    mediaType: 'application/json',
    otherMediaTypes: ['*/*'],
  });
});

test('further JSON of a success has a schema of its own, where that differs', async () => {
  const schemasOf = async (content: string) =>
    operationOf(
      await contractWith({ responses: `{ '201': { description: made, content: { ${content} } } }` }),
      'make',
    ).success.otherSchemas;
  const [one, list] = ['{ schema: { type: object } }', '{ schema: { type: array } }'];
  expect(await schemasOf(`application/ld+json: ${one}, Application/JSON;v=1: ${list}, text/csv: {}`)).toEqual(
    {
      'application/json': { type: 'array' },
    },
  );
  expect(await schemasOf(`application/ld+json: ${one}, application/json: ${one}`)).toBeUndefined();
  expect(await schemasOf(`application/json: ${one}, '*/*': ${list}`)).toBeUndefined();
  expect(await schemasOf(`application/ld+json: ${one}, application/json: {}`)).toEqual({
    'application/json': true,
  });
});

test.each([
  ['application/vnd.api+json: {}', 'application/vnd.api+json, application/json'],
  ['text/csv: {}, application/hal+json;v=2: {}', 'application/hal+json, application/json'],
  ['application/hal+json: {}, application/json: {}', undefined],
  ['application/json: {}', undefined],
  [
    'application/ld+json: { schema: { type: object } }, application/json: { schema: { type: array } }',
    'application/ld+json, application/json;q=0.9',
  ],
  [
    'application/ld+json: { schema: { type: object } }, application/json: { schema: { type: object } }',
    undefined,
  ],
])('a client accepts the JSON that the document declares: %s', async (content, accept) => {
  const responses = `{ '201': { description: made, content: { ${content} } } }`;
  expect((await make({ responses })).accept).toBe(accept);
});

test('the headers that a success requires are known, but for those of the connection and of clauses of their own', async () => {
  const header = (name: string, required: boolean): string =>
    `${name}: { required: ${required}, schema: { type: string } }`;
  const headers = [
    header('ETag', true),
    header('Location', false),
    header('X-Request-Id', true),
    header('Content-Type', true),
  ].join(', ');
  const { success } = operationOf(
    await contractWith({ responses: `{ '201': { description: made, headers: { ${headers} } } }` }),
    'make',
  );
  expect(success.requiredHeaders).toEqual(['ETag']);
});

test.each([
  ['#/paths/~1things~1{thingId}/get', true],
  ['#/paths/~1things~1%7BthingId%7D/get', true],
  ['#/paths/~1things~1%ZZ/get', false],
])('a link that refers to an operation by %s', async (reference, leads) => {
  const link = `{ operationRef: '${reference}', parameters: { thingId: $response.body#/ref } }`;
  const contract = await contractWith({
    responses: `{ '201': { description: made, content: { application/json: { schema: { type: object, properties: { ref: { type: string } } } } }, links: { see: ${link} } } }`,
    others: `
  /things/{thingId}:
    get:
      operationId: see
      security: [{ token: [a.read] }]
      parameters: [{ name: thingId, in: path, required: true, schema: { type: string } }]
      responses: { '200': ${made} }`,
  });
  expect(operationOf(contract, 'see').pathFields[0]?.source).toEqual(
    leads ? { operation: 'make', at: '/ref' } : undefined,
  );
  expect(contract.warnings ?? []).toEqual(
    leads ? [] : [expect.stringContaining('leads to no operation of this document')],
  );
});

test('the document gives examples of a body, and of its members', async () => {
  const contract = await contractWith({
    body: '{ type: object, example: { size: 1 }, properties: { size: { type: integer, example: 2, examples: [3] } } }',
  });
  expect(operationOf(contract, 'make').body?.schema).toEqual({
    type: 'object',
    examples: [{ size: 1 }],
    properties: { size: { type: 'integer', examples: [2, 3] } },
  });
  // Next to the schema, in the media type.
  const named =
    '{ type: object }, examples: { one: { value: { size: 9 } }, two: { $ref: "#/components/examples/Big" } }';
  const more = ['  examples: { Big: { value: { size: 99 } } }'];
  expect((await make({ body: named, more })).body?.examples).toEqual([{ size: 9 }, { size: 99 }]);
});

test('an address that is not one in what only people read costs nothing', async () => {
  const more = [
    'externalDocs: { url: "not an address <here>" }',
    'tags: [{ name: a, externalDocs: { url: "" } }]',
  ];
  expect((await contractWith({ more })).operations).toHaveLength(1);
});

test('a reference with a broken encoding into a schema that is named says where it is', async () => {
  const more = ['  schemas: { Named: { $id: "https://example.test/named", type: object } }'];
  await expect(contractWith({ body: '{ $ref: "https://example.test/named#/%ZZ" }', more })).rejects.toThrow(
    InputError,
  );
});

test.each([
  ['/things/', '/things/{thing}/', ['/things/t%201/', 'https://example.com/api/things/t%201']],
  ['/things', "/things('{thing}')", ["/things('t%201')", "https://example.com/odata/things(thing='t%201')"]],
  ['/things', '/things({thing})', ['/things/t%201', '/odata/things(%27t%201%27)']],
  ['/things.json', '/things/{thing}.json', ['/things/t%201.json', 'https://example.com/api/things/t%201']],
])(
  'paths may end in a slash or in .json, and have a key in parentheses: %s %s',
  async (all, one, addresses) => {
    const thing = '{ type: object, properties: { id: { type: string } } }';
    const json = `content: { application/json: { schema: ${thing} } }`;
    const contract = await parseContract(
      `
openapi: 3.1.1
info: { title: Things, version: 1.27.0 }
security: []
paths:
  ${all}:
    post:
      operationId: make
      x-governed: { effect: { list: list } }
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      responses: { '201': { description: made, headers: { Location: { schema: { type: string } } }, ${json} } }
    get: { operationId: list, responses: { '200': { description: all, content: { application/json: { schema: { type: array } } } } } }
  ${one}:
    parameters: [{ name: thing, in: path, required: true, schema: { type: string } }]
    get: { operationId: see, responses: { '200': { description: one, ${json} } } }
  ${one}/parts:
    parameters: [{ name: thing, in: path, required: true, schema: { type: string } }]
    get: { operationId: parts, responses: { '200': { description: its parts, content: { application/json: { schema: { type: array } } } } } }
`.replaceAll('//parts', '/parts'),
      'c.yaml',
      validators,
    );
    const made = operationOf(contract, 'make');
    for (const id of ['see', 'parts'])
      expect(operationOf(contract, id).pathFields[0]?.source).toEqual({ operation: 'make', at: '/id' });
    for (const Location of addresses)
      expect(resultId(made, { status: 201, headers: [['Location', Location]], body: '' })).toBe('t 1');
  },
);

test.each<readonly [string, Json, true | undefined]>([
  ['required', object({ meta: object({ version: { type: 'integer' } }) }), undefined],
  ['optional', object({ meta: object({ version: { type: 'integer' } }, []) }), true],
  ['in an optional object', object({ meta: object({ version: { type: 'integer' } }) }, []), true],
  [
    'required in a branch',
    { allOf: [object({ meta: object({ version: { type: 'integer' } }) })] },
    undefined,
  ],
])('the version in a body is %s', async (_, body, optional) => {
  const version = {
    carrier: { in: 'body', at: '/meta/version' },
    source: { operation: 'getNote', in: 'body', at: '/version' },
  };
  const contract = await contractOf(
    operation('GET /notes/{noteId}', 'getNote', { result: note }),
    operation('PATCH /notes/{noteId}', 'changeNote', { governed: { version }, body, result: note }),
  );
  expect(operationOf(contract, 'changeNote').version?.optional).toBe(optional);
});

test.each<readonly [string, readonly JsonObject[], true | undefined]>([
  ['required', [{ name: 'if-match', in: 'header', required: true, schema: {} }], undefined],
  ['optional', [{ name: 'if-match', in: 'header', required: false, schema: {} }], true],
  ['optional, as it is where nothing is said', [{ name: 'If-Match', in: 'header', schema: {} }], true],
  ['no parameter', [], undefined],
])('the version in a header is %s', async (_, parameters, optional) => {
  const version = {
    carrier: { in: 'header', name: 'If-Match' },
    source: { operation: 'getNote', in: 'body', at: '/version' },
  };
  const contract = await contractOf(
    operation('GET /notes/{noteId}', 'getNote', { result: note }),
    operation('PATCH /notes/{noteId}', 'changeNote', { governed: { version }, parameters, result: note }),
  );
  expect(operationOf(contract, 'changeNote').version?.optional).toBe(optional);
});

test.each([
  ['next to the schema', { schema: { type: 'string' }, 'x-governed': { filters: '/text' } }, '/text'],
  ['in the schema', { schema: { type: 'string', 'x-governed': { filters: '/text' } } }, '/text'],
  ['nowhere', { schema: { type: 'string' } }, undefined],
])('a query field says %s what it selects by', async (_where, described, filters) => {
  const contract = await contractOf(
    operation('GET /notes', 'listNotes', {
      parameters: [{ name: 'text', in: 'query', ...described }],
      result: { type: 'array', items: note },
    }),
  );
  expect(operationOf(contract, 'listNotes').queryFields).toMatchObject([{ name: 'text', filters }]);
});

test('an unknown key of x-governed in the schema of a query field is an error', async () => {
  const schema = { type: 'string', 'x-governed': { filter: '/text' } };
  const reading = contractOf(
    operation('GET /notes', 'listNotes', {
      parameters: [{ name: 'text', in: 'query', schema }],
      result: { type: 'array', items: note },
    }),
  );
  await expect(reading).rejects.toThrow(/unknown key 'filter'; did you mean 'filters'/);
});

test('pages by members of one query field in the style deepObject', async () => {
  const size = { type: 'integer', minimum: 1, maximum: 50 };
  const schema = object({ size, number: { type: 'integer', minimum: 1 } }, []);
  const page = (name: string): Json => ({ name, in: 'query', style: 'deepObject', explode: true, schema });
  const pagination = { limit: 'page[size]', cursor: 'page[number]', style: 'page', items: '' };
  const contract = await contractOf(
    operation('GET /notes', 'listNotes', {
      governed: { pagination },
      parameters: [page('page'), page('other')],
      result: { type: 'array', items: note },
    }),
  );
  expect(operationOf(contract, 'listNotes')).toMatchObject({
    queryFields: [
      { name: 'page[size]', required: false, schema: size, filters: undefined },
      { name: 'page[number]' },
      { name: 'other[size]', schema: size },
      { name: 'other[number]' },
    ],
    pagination: { limit: 'page[size]', cursor: 'page[number]' },
  });
});

test.each([
  [{ tags: { type: 'array', items: { type: 'string' } }, days: { type: 'integer' } }, ['since[days]']],
  [{ tags: { type: 'array', items: { type: 'string' } } }, ['since']],
  [{ range: object({}) }, ['since']],
])('of %j in the style deepObject, what has one written form is a query field', async (of, names) => {
  const since = { name: 'since', in: 'query', style: 'deepObject', explode: true, schema: object(of, []) };
  const contract = await contractOf(operation('GET /notes', 'listNotes', { parameters: [since] }));
  expect(operationOf(contract, 'listNotes').queryFields.map(({ name }) => name)).toEqual(names);
});

test('members of an object in the usual style are query fields of their own', async () => {
  const size = { type: 'integer', minimum: 1 };
  const pageable = object(
    { page: { type: 'integer' }, size, sort: { type: 'array', items: { type: 'string' } } },
    [],
  );
  const criteria = object({ from: { type: 'string' }, to: { type: 'string' } }, ['from', 'to']);
  const pagination = { limit: 'size', cursor: 'page', style: 'page', items: '' };
  const contract = await contractOf(
    operation('GET /notes', 'listNotes', {
      governed: { pagination },
      parameters: [
        { name: 'pageable', in: 'query', required: true, schema: pageable },
        { name: 'together', in: 'query', schema: criteria },
      ],
      result: { type: 'array', items: note },
    }),
  );
  expect(operationOf(contract, 'listNotes')).toMatchObject({
    queryFields: [
      { name: 'page', required: false },
      { name: 'size', required: false, schema: size },
      { name: 'sort' },
      { name: 'together', schema: { type: 'object' } },
    ],
    pagination: { limit: 'size', cursor: 'page' },
  });
});

test('members of an object that is described elsewhere are query fields of their own', async () => {
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Notes, version: 1.27.0 }
security: [{ token: [a] }]
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  schemas: { Pageable: { type: object, properties: { page: { type: integer }, size: { type: integer } } } }
paths:
  /notes:
    get:
      operationId: listNotes
      parameters: [{ name: pageable, in: query, required: true, schema: { $ref: '#/components/schemas/Pageable' } }]
      responses: { '200': ${made} }
`,
    'c.yaml',
    validators,
  );
  expect(operationOf(contract, 'listNotes').queryFields.map(({ name }) => name)).toEqual(['page', 'size']);
});

const idField = (name: string): string =>
  `{ name: ${name}, in: path, required: true, schema: { type: string } }`;
const deviceMade = `responses: { '201': { description: made, content: { application/json: { schema: { type: object, properties: { deviceId: { type: string } } } } } } }`;

test.each([
  [
    'of the choice of its maker',
    `/devices/{deviceId}: { put: { operationId: make, parameters: [${idField('deviceId')}, ${key}], ${deviceMade} } }`,
    { source: { operation: 'make', path: 'deviceId' } },
  ],
  [
    'that its maker shows',
    `/devices: { post: { operationId: make, parameters: [${key}], ${deviceMade} } }
  /devices/{deviceId}: { get: { operationId: get, parameters: [${idField('deviceId')}], responses: { '200': ${made} } } }`,
    { source: { operation: 'make', at: '/deviceId' } },
  ],
  [
    'that its maker shows, where no path leads to one',
    `/devices: { post: { operationId: make, parameters: [${key}], ${deviceMade} } }`,
    { source: { operation: 'make', at: '/deviceId' } },
  ],
  [
    'of its own choice, where what is made elsewhere is of another kind',
    `/devices-of-users: { post: { operationId: make, parameters: [${key}], ${deviceMade} } }`,
    { source: undefined, chosen: true },
  ],
  [
    'of its own choice, since it is made there alone',
    `/devices: { get: { operationId: get, responses: { '200': ${made} } } }`,
    { source: undefined, chosen: true },
  ],
])(
  'a PUT within a record puts in one that is made elsewhere, by an ID %s',
  async (_, elsewhere, expected) => {
    const contract = await parseContract(
      `
openapi: 3.1.1
info: { title: Shapes, version: 1.27.0 }
security: []
paths:
  ${elsewhere}
  /groups/{groupId}/devices/{deviceId}:
    put: { operationId: add, parameters: [${idField('groupId')}, ${idField('deviceId')}, ${key}], responses: { '204': { description: put in } } }
`,
      'c.yaml',
      validators,
    );
    expect(operationOf(contract, 'add').pathFields[1]).toMatchObject(expected);
  },
);
