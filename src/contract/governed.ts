import type { Carrier, Pagination } from '../model/contract.ts';
import type { JsonObject, JsonPointer, JsonSchema } from '../model/json.ts';
import { type Described, described, oneOf, record, schemaOf } from '../model/schema.ts';

const text = (description: string) => schemaOf<string>({ type: 'string', description });
const flag = (description: string) => schemaOf<boolean>({ type: 'boolean', description, default: false });
const yes = (description: string) => schemaOf<true>({ const: true, description });
const pointer = schemaOf<JsonPointer>({
  type: 'string',
  pattern: '^(/([^~/]|~[01])*)*$',
  description: 'write a JSON Pointer, such as /version',
});
const operation = text('name an operation by its operationId');
const headerName = schemaOf<string>({
  type: 'string',
  pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
  description: 'write the name of a header, such as If-Match',
});

/** Either a header by `name`, or a member of a body at `at`. */
function field(more: JsonObject, description: string): JsonObject {
  return {
    type: 'object',
    description,
    properties: {
      in: oneOf(['header', 'body'], 'write header or body'),
      name: headerName,
      at: pointer,
      ...more,
    },
    required: ['in', ...Object.keys(more)],
    additionalProperties: false,
    if: { properties: { in: { const: 'header' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['name'], properties: { at: false } },
    else: { required: ['at'], properties: { name: false } },
  };
}

const carrier = schemaOf<Carrier>(field({}, 'write { in: header, name: ... } or { in: body, at: /pointer }'));
const source = schemaOf<
  | { readonly operation: string; readonly in: 'body'; readonly at: JsonPointer }
  | { readonly operation: string; readonly in: 'header'; readonly name: string }
>(
  field(
    { operation },
    'write { operation: ..., in: body, at: /pointer } or { operation: ..., in: header, name: ... }',
  ),
);

/** `x-governed` of the document. */
export const governedDocumentSchema = record(
  'write { operations: <how many operations the full contract governs> }',
  {},
  {
    operations: schemaOf<number>({
      type: 'integer',
      minimum: 1,
      description: 'write a whole number, such as 293',
    }),
  },
);
export type GovernedDocument = Described<typeof governedDocumentSchema>;

/** `x-governed` of a query parameter. */
export const governedQueryFieldSchema = record(
  'write { filters: /pointer } to the member of an item that this field selects by',
  {},
  {
    filters: described(
      pointer,
      'write a JSON Pointer to the member that the field selects by, such as /status',
    ),
  },
);
export type GovernedQueryField = Described<typeof governedQueryFieldSchema>;

/** `x-governed` of an operation: what OpenAPI has no word for. */
export const governedOperationSchema = record(
  'use read, shared, version, verification, conflict, pagination or effect',
  {},
  {
    read: yes('write true on a POST that changes nothing, such as a search'),
    shared: yes(
      'write true on a read that shows the same records to every scope, such as a list of currencies',
    ),
    version: record(
      'say where the current version is sent (carrier), and where it is seen (source)',
      { carrier, source },
      { neutral: flag('write true if the command does not change the version') },
    ),
    verification: record(
      'say where the stronger verification is sent (carrier), and which hook obtains one (hook)',
      {
        carrier,
        hook: schemaOf<string>({
          type: 'string',
          pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
          description: 'name the hook that obtains a stronger verification, such as verify',
        }),
      },
      {
        singleUse: flag('write true if a verification is valid for only one command'),
        boundToTarget: flag('write true if a verification is valid for only one target record'),
      },
    ),
    conflict: record(
      'name the command after which this one conflicts with the state of its record',
      { after: operation },
      {
        body: schemaOf<JsonSchema>({
          type: ['object', 'boolean'],
          description: 'write a JSON Schema of the body to send',
        }),
      },
    ),
    pagination: record(
      'name the query fields of the limit and the cursor, and where the items are',
      {
        limit: text('name the query field of the page size'),
        cursor: text('name the query field of the position'),
        items: described(pointer, 'write a JSON Pointer to the items of a page, such as /items'),
      },
      {
        style: schemaOf<Pagination['style']>({
          ...oneOf(
            ['cursor', 'offset', 'page', 'link'],
            'write cursor, offset, page or link (an RFC 8288 Link header)',
          ),
          default: 'cursor',
        }),
        next: described(
          pointer,
          'write a JSON Pointer to the next cursor, such as /nextCursor, or /items/-1/id if it is the ID of the last item',
        ),
      },
    ),
    effect: {
      ...record(
        'name a read by ID (read), a list (list), or both',
        {},
        {
          read: text('name the read of one record, by its operationId'),
          list: schemaOf<string | readonly string[]>({
            anyOf: [operation, { type: 'array', items: operation, minItems: 1, uniqueItems: true }],
            description:
              'name the list that shows new records, by its operationId, or all that do: [listCases, listCasesOfTeam]',
          }),
          id: schemaOf<JsonPointer | { readonly in: 'header'; readonly name: string }>({
            anyOf: [
              pointer,
              record('', {
                in: schemaOf({ const: 'header', description: 'write header' }),
                name: described(headerName, 'write the name of a header, such as Location'),
              }),
            ],
            description:
              'write a JSON Pointer to the ID in the result of the command, such as /data/id, or { in: header, name: Location }',
          }),
        },
      ),
      minProperties: 1,
    },
  },
);
export type GovernedOperation = Described<typeof governedOperationSchema>;
