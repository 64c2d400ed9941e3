import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadContract } from '../contract/load.ts';
import { blocksOf } from '../testing/blocks.ts';
import { suggestionsOf, unsaidEffects } from './proposals.ts';

/** The document of docs/contract.md. */
const text = blocksOf('docs/contract.md', await readFile('docs/contract.md', 'utf8')).find(
  ({ mark }) => mark === 'example: contract',
)?.text;

async function loaded(document: string) {
  const file = join(await mkdtemp(join(tmpdir(), 'assay-proposals-')), 'c.yaml');
  await writeFile(file, document);
  return loadContract(file);
}

const suggested = async (document: string) => suggestionsOf(await loaded(document));

/** The document without any `x-governed`. */
const bare = (text ?? '')
  .replaceAll(/^ {6}x-governed:\n(?: {8}.*\n)+/gm, '')
  .replaceAll(/^ *x-governed: \{.*\}\n/gm, '')
  .replaceAll(', x-governed: { filters: /status }', '');

test('what a document suggests is what its author wrote', async () => {
  expect(bare).not.toContain('x-governed');
  expect(await suggested(bare)).toEqual([
    { where: 'createCase', text: 'x-governed: { effect: { read: getCase, list: listCases } }' },
    {
      where: 'listCases',
      text: 'x-governed: { pagination: { limit: limit, cursor: cursor, items: /items, next: /nextCursor } }',
    },
    { where: 'listCases, query field status', text: 'x-governed: { filters: /status }' },
    {
      where: 'updateCase',
      text: 'x-governed: { effect: { read: getCase }, version: { carrier: { in: header, name: If-Match }, source: { operation: getCase, in: body, at: /version } } }',
    },
    {
      where: 'closeCase',
      text: 'x-governed: { effect: { read: getCase }, verification: { carrier: { in: header, name: X-Verification }, hook: verify } }',
    },
  ]);
});

test('commands that leave out their effect are named, where the document suggests one', async () => {
  const unsaid = async (document: string) => unsaidEffects(await loaded(document));
  expect(await unsaid(bare)).toBe(
    'createCase and 2 other commands do not say in x-governed.effect which reads show what they do, so effects are counted by the IDs of results alone; assay doctor suggests it',
  );
  expect(await unsaid(text ?? '')).toMatch(/^closeCase does not say in x-governed.effect/);
  expect(unsaidEffects(await loadContract('fixtures/contracts/extended-catalogue.yaml'))).toBeUndefined();
});

test('a custom verb of a collection adds to its list, or is about none', async () => {
  const key = 'parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]';
  const json = (schema: string): string =>
    `responses: { '200': { description: done, content: { application/json: { schema: ${schema} } } } }`;
  const one = '{ type: object, properties: { id: { type: string } } }';
  const all = `{ type: object, properties: { notes: { type: array, items: ${one} } } }`;
  const found = await suggested(`
openapi: 3.1.1
info: { title: Notes, version: 1.27.0 }
security: []
paths:
  /books/{bookId}:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getBook, ${json(one)} }
  /books/{bookId}/notes:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: string } }]
    get: { operationId: listNotes, ${json(all)} }
  /books/{bookId}/notes:batchCreate:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: string } }]
    post: { operationId: addNotes, ${key}, ${json(all)} }
  /books/{bookId}/notes:purge:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: string } }]
    post: { operationId: purgeNotes, ${key}, ${json('{ type: object }')} }
  /books/{bookId}:close:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: string } }]
    post: { operationId: closeBook, ${key}, ${json(one)} }
`);
  expect(found).toEqual([
    { where: 'addNotes', text: 'x-governed: { effect: { list: listNotes } }' },
    { where: 'closeBook', text: 'x-governed: { effect: { read: getBook } }' },
  ]);
});

test('a header that a read may have is enough: an entity tag for If-Match, and links for a list whose page says no cursor', async () => {
  const headers = 'headers: { X-Request-Id: { $ref: "#/components/headers/RequestId" } }';
  const declaring = (description: string, name: string): string => {
    const whole = `description: ${description}\n          ${headers}`;
    expect(bare).toContain(whole);
    return bare.replace(
      whole,
      whole.replace('headers: {', `headers: { ${name}: { schema: { type: string } },`),
    );
  };
  const textOf = async (document: string, where: string): Promise<string | undefined> =>
    (await suggested(document)).find((one) => one.where === where)?.text;
  expect(await textOf(declaring('A case.', 'ETag'), 'updateCase')).toContain(
    'source: { operation: getCase, in: header, name: ETag }',
  );
  expect(await textOf(declaring('A case.', 'X-Tag'), 'updateCase')).toContain(
    'source: { operation: getCase, in: body, at: /version }',
  );
  const linked = declaring('A page.', 'Link');
  const pages = 'pagination: { limit: limit, cursor: cursor,';
  expect(await textOf(linked, 'listCases')).toContain(`${pages} items: /items, next: /nextCursor }`);
  const nowhere = (document: string): string =>
    document.replace('        nextCursor: { type: string }\n', '');
  expect(await textOf(nowhere(linked), 'listCases')).toContain(`${pages} style: link, items: /items }`);
  expect((await textOf(nowhere(bare), 'listCases')) ?? '').not.toContain('pagination');
});

test('what is there is not suggested again', async () => {
  expect(await suggested(text ?? '')).toEqual([
    { where: 'closeCase', text: 'x-governed: { effect: { read: getCase } }' },
  ]);
});

test('a version that no member holds is in the ETag, pages are known by their names, and other members are ignored', async () => {
  const other = bare
    .replaceAll('required: [id, status, version]', 'required: [id, status]')
    .replaceAll('version: { type: integer }, ', '')
    .replaceAll(
      'name: cursor, in: query, schema: { type: string }',
      'name: page, in: query, schema: { type: integer }',
    );
  const found = new Map((await suggested(other)).map(({ text: one, where }) => [where, one]));
  expect(found.get('updateCase')).toContain('source: { operation: getCase, in: header, name: ETag }');
  expect(found.get('listCases')).toBe(
    'x-governed: { pagination: { limit: limit, cursor: page, style: page, items: /items } }',
  );
  const plain = bare.replaceAll('name: limit', 'name: depth').replaceAll('name: If-Match', 'name: X-If');
  const rest = (await suggested(plain)).map(({ text: one }) => one).join();
  expect(rest).not.toMatch(/pagination|version:/);
});

test('what a PUT or PATCH changes is what a read of its path shows', async () => {
  const within = bare.replace(
    '/cases/{caseId}/close:',
    `/cases/{caseId}/settings:
    parameters: [{ name: caseId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getSettings
      security: [{ serverToken: [case.read] }]
      responses:
        "200":
          description: Settings.
          headers: { X-Request-Id: { $ref: "#/components/headers/RequestId" }, ETag: { required: true, schema: { type: string } } }
          content: { application/json: { schema: { $ref: "#/components/schemas/Case" } } }
    patch:
      operationId: changeSettings
      security: [{ serverToken: [case.update] }]
      parameters:
        - { $ref: "#/components/parameters/Key" }
        - { name: If-Match, in: header, required: true, schema: { type: string } }
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/NewCase" } } } }
      responses:
        "200":
          description: Changed.
          headers: { X-Request-Id: { $ref: "#/components/headers/RequestId" } }
          content: { application/json: { schema: { $ref: "#/components/schemas/Case" } } }
  /cases/{caseId}/close:`,
  );
  expect(within).not.toBe(bare);
  const found = new Map((await suggested(within)).map(({ text: one, where }) => [where, one]));
  expect(found.get('changeSettings')).toBe(
    'x-governed: { effect: { read: getSettings }, version: { carrier: { in: header, name: If-Match }, source: { operation: getSettings, in: header, name: ETag } } }',
  );
  expect(found.get('closeCase')).toContain('effect: { read: getCase }');
});

test('names of any letters are written as YAML reads them', async () => {
  const name = "get-/cases/{caseId}, it's one";
  const named = bare
    .replaceAll('operationId: getCase', `operationId: "${name}"`)
    .replaceAll('items: { type: array', '"#items": { type: array');
  const found = new Map((await suggested(named)).map(({ text: one, where }) => [where, parse(one)]));
  expect(found.get('createCase')).toEqual({
    'x-governed': { effect: { read: name, list: 'listCases' } },
  });
  expect(found.get('listCases')).toMatchObject({ 'x-governed': { pagination: { items: '/#items' } } });
});

test('no effect without the ID of what a command makes: the contract would refuse it', async () => {
  const nameless = bare
    .replaceAll('required: [id, status, version]', 'required: [status, version]')
    .replaceAll('properties: { id: { type: string }, status', 'properties: { status');
  expect(nameless).not.toBe(bare);
  const found = new Map((await suggested(nameless)).map(({ text: one, where }) => [where, one]));
  expect(found.get('createCase')).toBeUndefined();
  expect(found.get('updateCase')).toContain('effect: { read: getCase }');
});

/** A document as a generator writes it. */
const generated = `
openapi: 3.1.1
info: { title: Claims, version: '1' }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  parameters:
    Key: { name: Idempotency-Key, in: header, required: true, schema: { type: string } }
    Id: { name: id, in: path, required: true, schema: { type: string } }
  schemas:
    Claim: { type: object, properties: { id: { type: string }, status: { type: string }, version: { type: integer } } }
    Change: { type: object, properties: { text: { type: string }, version: { type: integer } } }
    Pageable: { type: object, properties: { page: { type: integer }, size: { type: integer } } }
    Page: { allOf: [{ type: object, properties: { totalPages: { type: integer } } }, { properties: { content: { type: [array, 'null'], items: { $ref: '#/components/schemas/Claim' } } } }] }
    Hal: { type: object, properties: { _embedded: { type: object, properties: { notes: { type: array, items: { $ref: '#/components/schemas/Claim' } } } }, _links: { type: object, properties: { next: { type: object, properties: { href: { type: string } } } } } } }
security: [{ token: [a] }]
paths:
  /claims:
    post:
      operationId: create
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Claim' } } } } }
    get:
      operationId: search
      parameters: [{ name: pageable, in: query, required: true, schema: { $ref: '#/components/schemas/Pageable' } }, { name: Status, in: query, schema: { type: string } }]
      responses: { '200': { description: page, content: { application/json: { schema: { $ref: '#/components/schemas/Page' } } } } }
  /claims/{id}:
    parameters: [{ $ref: '#/components/parameters/Id' }]
    get:
      operationId: find
      responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/Claim' } } } } }
    put:
      operationId: update
      parameters: [{ $ref: '#/components/parameters/Key' }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Change' } } } }
      responses: { '200': { description: changed, content: { application/json: { schema: { $ref: '#/components/schemas/Claim' } } } } }
  /claims/{id}:reject:
    post:
      operationId: reject
      parameters: [{ $ref: '#/components/parameters/Id' }, { $ref: '#/components/parameters/Key' }]
      responses: { '200': { description: changed, content: { application/json: { schema: { $ref: '#/components/schemas/Claim' } } } } }
  /members/{id}/claims:
    parameters: [{ $ref: '#/components/parameters/Id' }]
    post:
      operationId: file
      parameters: [{ $ref: '#/components/parameters/Key' }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Change' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Claim' } } } } }
  /notes:
    get:
      operationId: notes
      parameters: [{ name: size, in: query, schema: { type: integer } }, { name: after, in: query, schema: { type: string } }]
      responses: { '200': { description: page, content: { application/json: { schema: { $ref: '#/components/schemas/Hal' } } } } }
`;

test('lists, pages, versions and reads as generators describe them', async () => {
  const found = Object.fromEntries((await suggested(generated)).map(({ text: one, where }) => [where, one]));
  expect(found).toEqual({
    create: 'x-governed: { effect: { read: find, list: search } }',
    search: 'x-governed: { pagination: { limit: size, cursor: page, style: page, items: /content } }',
    'search, query field Status': 'x-governed: { filters: /status }',
    update:
      'x-governed: { effect: { read: find }, version: { carrier: { in: body, at: /version }, source: { operation: find, in: body, at: /version } } }',
    reject: 'x-governed: { effect: { read: find } }',
    file: 'x-governed: { effect: { read: find } }',
    notes:
      'x-governed: { pagination: { limit: size, cursor: after, items: /_embedded/notes, next: /_links/next/href } }',
  });
});

/** What a document of a few operations suggests. */
async function suggestedFor(
  paths: readonly (readonly [
    path: string,
    method: string,
    id: string,
    more: {
      readonly body?: string;
      readonly result?: string;
      readonly query?: string;
      readonly header?: string;
    },
  ])[],
): Promise<readonly string[]> {
  const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
  const lines = new Map<string, readonly string[]>();
  for (const [path, method, id, { body, header, query = '', result }] of paths) {
    const parameters = [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(
        ([, name]) => `{ name: ${name}, in: path, required: true, schema: {} }`,
      ),
      ...query
        .split(' ')
        .flatMap((name) => (name === '' ? [] : [`{ name: '${name}', in: query, schema: {} }`])),
      ...[header ?? [], method === 'get' ? [] : 'Idempotency-Key']
        .flat()
        .map((name) => `{ name: ${name}, in: header, required: true, schema: { type: string } }`),
    ];
    const parts = [
      `operationId: ${id}`,
      `parameters: [${parameters.join(', ')}]`,
      ...(body === undefined ? [] : [`requestBody: { required: true, ${json(body)} }`]),
      `responses: { '200': { description: done${result === undefined ? '' : `, ${json(result)}`} } }`,
    ];
    lines.set(path, [...(lines.get(path) ?? []), `${method}: { ${parts.join(', ')} }`]);
  }
  const text = [...lines].map(([path, each]) => `  '${path}': { ${each.join(', ')} }`).join('\n');
  const found = await suggested(
    `openapi: 3.1.1\ninfo: { title: Styles, version: '1' }\nsecurity: []\npaths:\n${text}\n`,
  );
  return found.map(({ text: one, where }) => `${where}: ${one.replace(/^x-governed: /, '')}`);
}

const members = (...all: readonly string[]): string => `{ type: object, properties: { ${all.join(', ')} } }`;
const items = (item: string): string => `{ type: array, items: ${item} }`;

test.each([
  [
    'Stripe: the last item leads to the next page',
    'limit starting_after',
    members(`data: ${items(members('id: {}'))}`, 'has_more: { type: boolean }'),
    ['pagination: { limit: limit, cursor: starting_after, items: /data, next: /data/-1/id }'],
  ],
  [
    'OData: the address of the next page, and a count that is no limit',
    '$top $skiptoken $count',
    members(`value: ${items(members('id: {}'))}`, "'@odata.nextLink': { type: string }"),
    ["pagination: { limit: '$top', cursor: '$skiptoken', items: /value, next: /@odata.nextLink }"],
  ],
  [
    'Kubernetes: what is within metadata and status',
    'limit continue phase',
    members(
      `items: ${items(members(`status: ${members('phase: {}')}`))}`,
      `metadata: ${members('continue: {}')}`,
    ),
    [
      'pagination: { limit: limit, cursor: continue, items: /items, next: /metadata/continue }',
      'filters: /status/phase',
    ],
  ],
  [
    'FHIR: entries that wrap their records, next to links',
    '_count _cursor gender',
    members(
      `link: ${items(members('relation: {}', 'url: {}'))}`,
      `entry: ${items(members(`resource: ${members('gender: {}')}`))}`,
    ),
    [
      'pagination: { limit: _count, cursor: _cursor, items: /entry, next: /link }',
      'filters: /resource/gender',
    ],
  ],
  [
    'JSON:API: attributes, and a list of tags',
    'filter[status] tag',
    members(
      `data: ${items(members(`attributes: ${members('status: {}')}`, 'tags: { type: array, items: {} }'))}`,
    ),
    ['filters: /attributes/status', 'filters: /tags'],
  ],
  [
    'two members of that name, of which neither is the one',
    'status after',
    members(`data: ${items(members(`one: ${members('status: {}')}`, `other: ${members('status: {}')}`))}`),
    [],
  ],
])('lists of %s', async (_, query, result, expected) => {
  const found = await suggestedFor([['/notes', 'get', 'list', { query, result }]]);
  expect(found.map((one) => one.replace(/^.*?: \{ (.*) \}$/, '$1'))).toEqual(expected);
});

const book = members('name: {}', 'title: {}', 'etag: {}');
const coupon = members('code: {}', 'percent: {}');

test.each<[string, Parameters<typeof suggestedFor>[0], readonly string[]]>([
  [
    'settings that there are once, with an entity tag',
    [
      ['/settings', 'get', 'read', { result: members('theme: {}') }],
      ['/settings', 'put', 'write', { body: members('theme: {}'), header: 'If-Match' }],
    ],
    [
      'write: { effect: { read: read }, version: { carrier: { in: header, name: If-Match }, source: { operation: read, in: header, name: ETag } } }',
    ],
  ],
  [
    'tags of a record, and members of a list',
    [
      ['/notes/{noteId}', 'get', 'find', { result: members('id: {}', 'tags: {}') }],
      ['/notes/{noteId}/tags/{tag}', 'put', 'tag', {}],
      ['/notes/{noteId}/tags/{tag}', 'delete', 'untag', {}],
      ['/notes/{noteId}/readers', 'get', 'readers', { result: items(members('id: {}')) }],
      ['/notes/{noteId}/readers/{userId}', 'delete', 'remove', {}],
    ],
    [
      'tag: { effect: { read: find } }',
      'untag: { effect: { read: find } }',
      'remove: { effect: { list: readers } }',
    ],
  ],
  [
    'resource names, and a long-running operation that no record of its path shows',
    [
      ['/books', 'post', 'create', { result: book }],
      ['/books/{book}', 'get', 'find', { result: book }],
      ['/books/{book}:export', 'post', 'export', { result: members('name: {}', 'done: {}') }],
      ['/operations/{operation}', 'get', 'operation', { result: members('name: {}', 'done: {}') }],
    ],
    ['create: { effect: { read: find, id: /name } }', 'export: { effect: { read: operation, id: /name } }'],
  ],
  [
    'versions within the record, and none of what is made within another record',
    [
      [
        '/spaces/{space}/jobs',
        'post',
        'create',
        { body: members('lock_version: {}'), result: members('job: {}', 'lock_version: {}') },
      ],
      [
        '/spaces/{space}/jobs/{job}',
        'get',
        'find',
        { result: members(`data: ${members('lock_version: {}')}`) },
      ],
      [
        '/spaces/{space}/jobs/{job}',
        'patch',
        'change',
        { body: members(`job: ${members('expected_lock_version: {}')}`) },
      ],
    ],
    [
      'create: { effect: { read: find } }',
      'change: { effect: { read: find }, version: { carrier: { in: body, at: /job/expected_lock_version }, source: { operation: find, in: body, at: /data/lock_version } } }',
    ],
  ],
  [
    'records that are put under a code of the caller, in pages that the last code leads on from',
    [
      [
        '/coupons',
        'get',
        'list',
        { query: 'limit starting_after', result: members(`data: ${items(coupon)}`) },
      ],
      ['/coupons/{code}', 'get', 'find', { result: coupon }],
      ['/coupons/{code}', 'put', 'put', { body: coupon, result: coupon }],
      ['/coupons/{code}', 'delete', 'remove', {}],
    ],
    [
      'list: { pagination: { limit: limit, cursor: starting_after, items: /data, next: /data/-1/code } }',
      'put: { effect: { read: find, list: list } }',
      'remove: { effect: { read: find } }',
    ],
  ],
  [
    'records that are posted, and only changed by PUT',
    [
      ['/notes', 'get', 'list', { result: members(`data: ${items(members('id: {}'))}`) }],
      ['/notes', 'post', 'create', { result: members('id: {}') }],
      ['/notes/{noteId}', 'get', 'find', { result: members('id: {}') }],
      ['/notes/{noteId}', 'put', 'change', { body: members('text: {}') }],
    ],
    ['create: { effect: { read: find, list: list } }', 'change: { effect: { read: find } }'],
  ],
  [
    'no effect whose ID is nowhere',
    [
      ['/notes', 'post', 'create', { result: members('done: {}', 'text: {}') }],
      ['/notes/{noteId}', 'get', 'find', { result: members('text: {}') }],
    ],
    [],
  ],
])('commands on %s', async (_, paths, expected) => {
  expect(await suggestedFor(paths)).toEqual(expected);
});
