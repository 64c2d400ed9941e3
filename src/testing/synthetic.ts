import type { Json, JsonObject } from '../model/json.ts';

/**
 * An OpenAPI 3.1 document, as JSON text, of `count` invented operations: resources with a create, a read, a list and
 * an update each, every operation under a permission of its own. It is for measuring the harness at the size of the
 * full contract, and describes no real service. Equal counts give equal text.
 *
 * @param count number of operations, at least 1
 */
export function syntheticCatalogue(count = 293): string {
  const paths: Record<string, JsonObject> = {};
  for (let first = 0; first < count; first += 4) {
    const resource = resourceOf(first / 4, Math.min(4, count - first));
    for (const [path, item] of Object.entries(resource)) paths[path] = item;
  }
  const document: Json = {
    openapi: '3.1.1',
    info: {
      title: 'Synthetic catalogue',
      version: '1.27.0',
      description: `${count} synthetic operations, generated for measurements. No service implements them.`,
    },
    'x-governed': { operations: 293 },
    paths,
    components: {
      securitySchemes: { serverToken: { type: 'http', scheme: 'bearer' } },
      headers: {
        'X-Request-Id': { required: true, schema: { type: 'string', pattern: '^req_\\S+$' } },
      },
      responses: Object.fromEntries(
        failures.map(([status, name]) => [name, { description: `Synthetic ${status}.`, headers: traced }]),
      ),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const traced: JsonObject = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };

const failures = [
  ['401', 'Unauthenticated'],
  ['403', 'Forbidden'],
  ['404', 'NotFound'],
  ['409', 'Conflict'],
  ['422', 'Unprocessable'],
  ['429', 'Throttled'],
  ['5XX', 'Failed'],
] as const;

const keyParameter: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  schema: { type: 'string', minLength: 1 },
};

/** The first `present` of create, read, list and update of one resource. */
function resourceOf(ordinal: number, present: number): Readonly<Record<string, JsonObject>> {
  const noun = `record${String(ordinal + 1).padStart(3, '0')}`;
  const name = (verb: string): string => `${verb}-${noun}`;
  const [create, read, list, update] = [name('create'), name('get'), name('list'), name('update')];
  const id = { type: 'string', pattern: `^${noun}_\\S+$` };
  const record: JsonObject = {
    type: 'object',
    required: ['id', 'status', 'label', 'version'],
    properties: {
      id,
      status: { type: 'string', const: 'open' },
      label: { type: 'string' },
      // Resources differ a little, or every operation would be one and the same.
      ...(ordinal % 3 === 0 ? { amount: { type: 'integer' } } : {}),
      version: { type: 'string', minLength: 1 },
    },
  };
  const request: JsonObject = {
    type: 'object',
    required: ['label'],
    properties: {
      label: { type: 'string', minLength: 1, maxLength: 200 },
      ...(ordinal % 3 === 0 ? { amount: { type: 'integer', minimum: 0, maximum: 1000 } } : {}),
    },
  };
  const page: JsonObject = {
    type: 'object',
    required: ['items', 'nextCursor'],
    properties: { items: { type: 'array', items: record }, nextCursor: { type: ['string', 'null'] } },
  };
  const effect: JsonObject = {
    ...(present > 1 ? { read: read } : {}),
    ...(present > 2 ? { list: list } : {}),
    id: '/id',
  };
  const targeted = [...(present > 1 ? [read] : []), ...(present > 3 ? [update] : [])];
  const links = Object.fromEntries(
    targeted.map((id) => [id, { operationId: id, parameters: { recordId: '$response.body#/id' } }]),
  );
  const target = { name: 'recordId', in: 'path', required: true, schema: id };
  const secured = (verb: string): JsonObject => ({ security: [{ serverToken: [`${noun}.${verb}`] }] });

  const collection: JsonObject = {
    post: {
      operationId: create,
      ...secured('create'),
      ...(present > 1 ? { 'x-governed': { effect } } : {}),
      parameters: [keyParameter],
      requestBody: { required: true, content: { 'application/json': { schema: request } } },
      responses: answers('201', record, links),
    },
  };
  const listing: JsonObject = {
    get: {
      operationId: list,
      ...secured('list'),
      'x-governed': {
        pagination: { limit: 'limit', cursor: 'cursor', items: '/items', next: '/nextCursor' },
      },
      parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
        { name: 'cursor', in: 'query', schema: { type: 'string', minLength: 1 } },
      ],
      responses: answers('200', page, {}),
    },
  };
  const reading: JsonObject = {
    get: { operationId: read, ...secured('read'), responses: answers('200', record, {}) },
  };
  const version: JsonObject = {
    carrier: { in: 'header', name: 'If-Match' },
    source: { operation: read, in: 'body', at: '/version' },
  };
  const changing: JsonObject = {
    patch: {
      operationId: update,
      ...secured('update'),
      'x-governed': ordinal % 2 === 0 ? { effect, version } : { effect },
      parameters: [keyParameter],
      requestBody: { required: true, content: { 'application/json': { schema: request } } },
      responses: answers('200', record, {}),
    },
  };

  const path = `/synthetic/${noun}`;
  const one = { parameters: [target], ...reading, ...(present > 3 ? changing : {}) };
  return {
    [path]: { ...collection, ...(present > 2 ? listing : {}) },
    ...(present > 1 ? { [`${path}/{recordId}`]: one } : {}),
  };
}

function answers(status: string, schema: JsonObject, links: JsonObject): JsonObject {
  const success = {
    description: 'Synthetic result.',
    headers: traced,
    content: { 'application/json': { schema } },
    ...(Object.keys(links).length > 0 ? { links } : {}),
  };
  const refused = failures.map(([code, name]) => [code, { $ref: `#/components/responses/${name}` }]);
  return { [status]: success, ...Object.fromEntries(refused) };
}
