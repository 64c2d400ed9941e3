import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { Contract, Operation } from '../model/contract.ts';
import { operationOf } from '../model/contract.ts';
import { parseContract } from './load.ts';
import { contractValidators } from './validators.ts';

const validators = contractValidators();
const key = '{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }';
const made = '{ description: made, content: { application/json: { schema: { type: object } } } }';

/** A contract with the command `make`, described by lines of YAML. */
async function contractOf({
  version = '3.1.1',
  body = '{ type: object }',
  responses = `{ '201': ${made} }`,
  security = '[{ token: [a.write] }]',
  others = '',
  more = [],
}: {
  readonly version?: string;
  readonly body?: string;
  readonly responses?: string;
  readonly security?: string;
  /** Further paths. */
  readonly others?: string;
  /** Further lines of the document. */
  readonly more?: readonly string[];
}): Promise<Contract> {
  const text = `
openapi: ${version}
info: { title: Shapes, version: 1.27.0 }
paths:
  /things:
    post:
      operationId: make
      security: ${security}
      parameters: [${key}]
      requestBody: { required: true, content: { application/json: { schema: ${body} } } }
      responses: ${responses}
${others}
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
    other: { type: apiKey, in: header, name: X-Key }
${more.join('\n')}
`;
  return await parseContract(text, 'c.yaml', validators);
}

async function make(of: Parameters<typeof contractOf>[0]): Promise<Operation> {
  return operationOf(await contractOf(of), 'make');
}

test.each([
  ['{ type: string, nullable: true }', { type: ['string', 'null'] }],
  ['{ type: string, nullable: false }', { type: 'string' }],
  ['{ type: string, nullable: true, enum: [a] }', { type: ['string', 'null'], enum: ['a'] }],
  ['{ nullable: true, allOf: [{ type: object }] }', { anyOf: [{ type: 'object' }, { type: 'null' }] }],
  [
    '{ nullable: true, allOf: [{ type: object }, { required: [a] }] }',
    { anyOf: [{ allOf: [{ type: 'object' }, { required: ['a'] }] }, { type: 'null' }] },
  ],
  [
    '{ nullable: true, oneOf: [{ type: object }, { type: string }] }',
    { oneOf: [{ type: 'object' }, { type: 'string' }, { type: 'null' }] },
  ],
  ['{ allOf: [{ type: object, nullable: true }] }', { allOf: [{ type: ['object', 'null'] }] }],
  ['{ type: number, minimum: 1, exclusiveMinimum: true }', { type: 'number', exclusiveMinimum: 1 }],
  ['{ type: number, minimum: 1, exclusiveMinimum: false }', { type: 'number', minimum: 1 }],
  ['{ type: number, maximum: 1, exclusiveMaximum: true }', { type: 'number', exclusiveMaximum: 1 }],
  [
    '{ type: array, items: { type: string, nullable: true } }',
    { type: 'array', items: { type: ['string', 'null'] } },
  ],
  [
    '{ type: object, properties: { nullable: { type: string } } }',
    { properties: { nullable: { type: 'string' } } },
  ],
])('OpenAPI 3.0: %s', async (body, schema) => {
  expect((await make({ version: '3.0.3', body })).body?.schema).toMatchObject(schema);
});

test('OpenAPI 3.0: what stands next to $ref is ignored', async () => {
  const { body } = await make({
    version: '3.0.3',
    body: "{ $ref: '#/components/schemas/Thing', required: [b] }",
    more: ['  schemas: { Thing: { type: object, required: [a], properties: { a: { type: string } } } }'],
  });
  expect(body?.schema).toEqual({ type: 'object', required: ['a'], properties: { a: { type: 'string' } } });
});

test('schemas are found by $id and by $anchor', async () => {
  const { body } = await make({
    body: "{ type: object, properties: { a: { $ref: 'https://example.test/a' }, b: { $ref: '#b' } } }",
    more: [
      '  schemas:',
      "    A: { $id: 'https://example.test/a', type: object, properties: { c: { $ref: c }, d: { $ref: '#/$defs/d' } }, $defs: { d: { type: boolean } } }",
      "    C: { $id: 'https://example.test/c', type: integer }",
      '    B: { $anchor: b, type: string }',
    ],
  });
  const check = new Ajv2020({ strict: false }).compile(body?.schema ?? false);
  expect(check({ a: { c: 1, d: true }, b: 'x' })).toBe(true);
  expect(check({ a: { c: 'x' } })).toBe(false);
  expect(check({ a: { d: 1 } })).toBe(false);
  expect(check({ b: 1 })).toBe(false);
});

test('merge keys', async () => {
  const { body } = await make({
    // An anchor comes before its aliases.
    version: '3.1.1\nx-base: &base { type: object, required: [a], properties: { a: { type: string } } }',
    body: '{ <<: *base, required: [b] }',
  });
  expect(body?.schema).toEqual({ type: 'object', required: ['b'], properties: { a: { type: 'string' } } });
});

test('read-only members are no part of requests, and write-only ones may be missing from responses', async () => {
  const schema =
    '{ type: object, required: [id, name, secret], properties: { id: { type: string, readOnly: true }, name: { type: string }, secret: { $ref: "#/components/schemas/Secret" } } }';
  const { body, success } = await make({
    body: schema,
    responses: `{ '201': { description: made, content: { application/json: { schema: { allOf: [${schema}], required: [secret] } } } } }`,
    more: ['  schemas: { Secret: { type: string, writeOnly: true } }'],
  });
  expect(body?.schema).toMatchObject({ required: ['name', 'secret'] });
  expect(body?.schema).not.toHaveProperty('properties.id');
  expect(success.schema).toMatchObject({ required: [], allOf: [{ required: ['id', 'name'] }] });
});

test('a pattern that is valid only without the u flag is read as the one that it means, with a warning', async () => {
  const contract = await contractOf({
    body: "{ type: object, properties: { a: { type: string, pattern: '^[\\w-.]{2}\\-\\_{x}\\:$' } } }",
  });
  expect(operationOf(contract, 'make').body?.schema).toMatchObject({
    properties: { a: { pattern: '^[\\w\\-.]{2}-_\\{x\\}:$' } },
  });
  expect(contract.warnings).toEqual([
    expect.stringMatching(
      /^c\.yaml:\d+:\d+: this pattern is not one of ECMA-262 with the u flag; write it as /,
    ),
  ]);
});

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
    const contract = await contractOf({ security });
    expect(operationOf(contract, 'make').permissions).toEqual(['a.write']);
    expect(contract.warnings).toEqual([
      expect.stringContaining("the operation 'make' can be called with other credentials as well"),
    ]);
  },
);

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

test('OpenAPI 3.0: a keyword of 3.1 is read as what it says', async () => {
  const { body } = await make({
    version: '3.0.3',
    body: '{ type: object, properties: { a: { const: x } } }',
  });
  expect(body?.schema).toMatchObject({ properties: { a: { const: 'x' } } });
});

test.each([
  ['{ type: string, nullable: true }', { type: ['string', 'null'] }],
  ['{ type: [string, number], nullable: true }', { type: ['string', 'number', 'null'] }],
  ['{ type: [string, "null"], nullable: true }', { type: ['string', 'null'] }],
  ['{ type: string, nullable: false }', { type: 'string' }],
  ['{ nullable: true, oneOf: [{ type: object }] }', { oneOf: [{ type: 'object' }, { type: 'null' }] }],
  [
    "{ nullable: true, $ref: '#/components/schemas/Part' }",
    { anyOf: [{ $ref: '#/$defs/Part' }, { type: 'null' }] },
  ],
  ['{ nullable: true, description: any }', { description: 'any' }],
])('OpenAPI 3.1 with the nullable of 3.0: %s', async (member, read) => {
  const contract = await contractOf({
    body: `{ type: object, properties: { a: ${member} } }`,
    more: ['  schemas:', '    Part: { type: object }'],
  });
  expect(operationOf(contract, 'make').body?.schema).toMatchObject({ properties: { a: read } });
  expect(contract.warnings ?? []).toEqual(
    member.includes('true')
      ? [
          expect.stringMatching(
            /^c\.yaml:10:\d+: 'nullable' is OpenAPI 3\.0; write type: \[string, 'null'\] or the like, which is how it is read$/,
          ),
        ]
      : [],
  );
});

test('an operation without a success is left out, and the others are read', async () => {
  const contract = await contractOf({
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
    get: { operationId: list, responses: { '200': { description: all } } }
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

test.each([
  ["parameters: { noteId: '$response.header.Location' }", { operation: 'put', header: 'Location' }],
  ["parameters: { noteId: '$request.path.noteId' }", { operation: 'put', path: 'noteId' }],
])('links may lead from %s', async (parameters, source) => {
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Shapes, version: 1.27.0 }
security: []
paths:
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: string } }]
    put:
      operationId: put
      parameters: [${key}]
      responses: { '201': { description: made, headers: { Location: { schema: { type: string } } }, links: { get: { operationId: get, ${parameters} } } } }
    get: { operationId: get, responses: { '200': ${made} } }
`,
    'c.yaml',
    validators,
  );
  expect(operationOf(contract, 'put').pathFields).toMatchObject([{ chosen: true, source: undefined }]);
  expect(operationOf(contract, 'get').pathFields).toMatchObject([{ source }]);
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
  return contract.operations.map(({ kind, success }) => `${kind} ${success.status}`).join();
}

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
    "the read 'find' requires an Idempotency-Key; leave out read: true",
  ],
  ['summary: find', 'post', 'or x-governed: { read: true } where it changes nothing'],
  ['x-governed: { read: false }', 'post', "'read' must be true"],
])('no read is %s with %s', async (lines, method, message) => {
  await expect(find(lines, method)).rejects.toThrow(message);
});

test.each([
  ['effect: { read: find }', "'find' is a POST, which shows no effect; name a read (GET)"],
  [
    'version: { carrier: { in: header, name: If-Match }, source: { operation: find, in: body, at: /version } }',
    "'find' is a POST that reads, which shows no version",
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
    const { success } = operationOf(await contractOf({ responses }), 'make');
    expect(success).toEqual({ status: Number(status), mediaType: undefined, schema: undefined });
  }
});

test('what is required or allowed twice is so once, with a warning', async () => {
  const contract = await contractOf({
    body: '{ type: object, required: [a, b, a], properties: { a: { enum: [x, y, x] }, b: {} } }',
  });
  expect(operationOf(contract, 'make').body?.schema).toMatchObject({
    required: ['a', 'b'],
    properties: { a: { enum: ['x', 'y'] } },
  });
  expect(contract.warnings).toEqual([
    expect.stringMatching(/^c\.yaml:\d+:\d+: 'required' must NOT have duplicate items/),
  ]);
});

test('an operation whose schema is recursive as in JSON Schema 2019-09 is left out', async () => {
  const contract = await contractOf({
    body: "{ $recursiveAnchor: true, type: object, properties: { a: { $recursiveRef: '#' } } }",
    others:
      '  /state: { get: { operationId: state, security: [{ token: [a.read] }], responses: { "200": { description: shown } } } }',
  });
  expect(contract.operations.map(({ id }) => id)).toEqual(['state']);
  expect(contract.leftOut).toEqual([
    { id: 'make', method: 'POST', path: '/things', reasons: [expect.stringContaining('2019-09')] },
  ]);
});

test('every media type of a success is known: JSON, and what else the document declares', async () => {
  const successOf = async (content: string) =>
    operationOf(
      await contractOf({ responses: `{ '201': { description: made, content: { ${content} } } }` }),
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
    await contractOf({ responses: `{ '201': { description: made, headers: { ${headers} } } }` }),
    'make',
  );
  expect(success.requiredHeaders).toEqual(['ETag']);
});
