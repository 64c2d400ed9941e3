import type { Json, JsonObject } from '../../model/json.ts';
import { type Described, described, list, record, schemaOf } from '../../model/schema.ts';

/** A small contract document that shows one shape of contract, and what a configuration for it needs. */
export type Shape = {
  readonly name: string;
  readonly text: string;
  readonly operations?: Readonly<Record<string, JsonObject>>;
};

export type DocumentPart = {
  readonly path: string;
  readonly method: string;
  readonly operation: JsonObject;
};

const json = schemaOf<Json>({});
const members = schemaOf<JsonObject>({ type: 'object' });
const word = schemaOf<string>({ type: 'string' });
const words = schemaOf<string | readonly string[]>({ type: ['string', 'array'], items: word });

export const operationMembers = record(
  '',
  {},
  {
    body: described(json, 'Schema of the request body; without it there is none.'),
    bodyRequired: schemaOf<boolean>({ type: 'boolean' }),
    mediaType: word,
    status: described(words, 'Statuses of the success; 200 for reads, 201 for commands.'),
    result: json,
    resultHeaders: members,
    links: described(members, 'By operation: a link, or the path parameter that takes the ID of the result.'),
    parameters: list(json),
    governed: members,
    permission: words,
    more: described(members, 'Members that replace those made here.'),
  },
);
export type OperationOf = Described<typeof operationMembers>;

export const resourceMembers = record(
  '',
  {},
  { create: operationMembers, read: operationMembers, links: members, item: members },
);

const key: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  schema: { type: 'string', minLength: 1 },
};

const traced: JsonObject = {
  'X-Request-Id': { required: true, schema: { type: 'string', pattern: '^req_\\S+$' } },
};

export function operation(request: string, id: string, of: OperationOf = {}): DocumentPart {
  const [method = '', path = ''] = request.split(' ');
  const read = method === 'GET' || method === 'HEAD';
  const permissions = of.permission ?? `${path.split('/')[1] ?? 'x'}.${read ? 'read' : 'write'}`;
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  const declared = (of.parameters ?? []).flatMap((one) =>
    typeof one === 'object' && one !== null && 'name' in one ? [one.name] : [],
  );
  const statuses = [of.status ?? (read ? '200' : '201')].flat();
  return {
    path,
    method: method.toLowerCase(),
    operation: {
      operationId: id,
      security: [{ serverToken: [permissions].flat() }],
      parameters: [
        ...(read ? [] : [key]),
        ...names
          .filter((name) => !declared.includes(name))
          .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string', minLength: 1 } })),
        ...(of.parameters ?? []),
      ],
      ...(of.body === undefined
        ? {}
        : {
            requestBody: {
              required: of.bodyRequired ?? true,
              content: { [of.mediaType ?? 'application/json']: { schema: of.body } },
            },
          }),
      ...(of.governed === undefined ? {} : { 'x-governed': of.governed }),
      responses: {
        ...Object.fromEntries(
          statuses.map((status) => [
            status,
            {
              description: 'Success.',
              headers: { ...traced, ...of.resultHeaders },
              ...(of.result === undefined ? {} : { content: { 'application/json': { schema: of.result } } }),
              ...(of.links === undefined ? {} : { links: linksOf(of.links) }),
            },
          ]),
        ),
        ...Object.fromEntries(
          ['401', '403', '404', '409', '422', '429', '5XX'].map((status) => [
            status,
            { description: 'Failure.', headers: traced },
          ]),
        ),
      },
      ...of.more,
    },
  };
}

export function documentOf(parts: readonly DocumentPart[], more: JsonObject = {}): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const { path, method, operation: one } of parts) paths[path] = { ...paths[path], [method]: one };
  const { components, ...rest } = more;
  return {
    openapi: '3.1.1',
    info: { title: 'Shape', version: '1.27.0' },
    paths,
    ...rest,
    components: {
      securitySchemes: { serverToken: { type: 'http', scheme: 'bearer' } },
      ...(typeof components === 'object' ? components : {}),
    },
  };
}

export function shape(
  name: string,
  parts: readonly DocumentPart[],
  more: { readonly document?: JsonObject; readonly operations?: Shape['operations'] } = {},
): Shape {
  return {
    name,
    text: JSON.stringify(documentOf(parts, more.document), null, 1),
    ...(more.operations === undefined ? {} : { operations: more.operations }),
  };
}

export const text: JsonObject = { type: 'string', minLength: 1, maxLength: 200 };
export const idText: JsonObject = { type: 'string', minLength: 1 };

export function object(
  properties: JsonObject,
  required: readonly string[] = Object.keys(properties),
  more: JsonObject = {},
): JsonObject {
  return { type: 'object', properties, required, ...more };
}

export const noteBody = object({ title: text });
export const note = object({ id: idText, title: text, version: { type: 'integer' } }, ['id']);

/** A link from the result of a command to the target of another operation. */
export function linkTo(id: string, field: string, at = '/id'): JsonObject {
  return { [id]: { operationId: id, parameters: { [field]: `$response.body#${at}` } } };
}

function linksOf(links: JsonObject): JsonObject {
  const made = Object.entries(links).map(([id, link]) =>
    typeof link === 'string' ? linkTo(id, link) : { [id]: link },
  );
  return Object.assign({}, ...made);
}

export function pageOf(item: JsonObject = note): OperationOf {
  return {
    parameters: [
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
      { name: 'cursor', in: 'query', schema: { type: 'string', minLength: 1 } },
    ],
    result: object({ items: { type: 'array', items: item }, next: { type: 'string' } }, ['items']),
    governed: {
      pagination: { limit: 'limit', cursor: 'cursor', style: 'cursor', items: '/items', next: '/next' },
    },
  };
}

/** `POST /notes`, `GET /notes/{noteId}` and `GET /notes`: a resource whose effects show. */
export function notes(more: Described<typeof resourceMembers> = {}): readonly DocumentPart[] {
  return [
    operation('POST /notes', 'createNote', {
      body: noteBody,
      result: note,
      governed: { effect: { read: 'getNote', list: 'listNotes' } },
      links: { ...linkTo('getNote', 'noteId'), ...more.links },
      ...more.create,
    }),
    operation('GET /notes/{noteId}', 'getNote', { result: note, ...more.read }),
    operation('GET /notes', 'listNotes', pageOf(more.item)),
  ];
}
