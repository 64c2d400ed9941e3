import type { Carrier, Pagination } from '../model/contract.ts';
import type { JsonObject, JsonPointer, JsonSchema } from '../model/json.ts';

/** `x-governed` of the document. */
export type GovernedDocument = { readonly operations?: number };

/** `x-governed` of a query parameter. */
export type GovernedQueryField = { readonly filters?: JsonPointer };

/** `x-governed` of an operation: what OpenAPI has no word for. */
export type GovernedOperation = {
  /** A POST that reads only, such as a search. */
  readonly read?: true;
  /** A read that shows the same records to every scope. */
  readonly shared?: true;
  readonly version?: {
    readonly carrier: Carrier;
    readonly source:
      | { readonly operation: string; readonly in: 'body'; readonly at: JsonPointer }
      | { readonly operation: string; readonly in: 'header'; readonly name: string };
    readonly neutral?: boolean;
  };
  readonly verification?: {
    readonly carrier: Carrier;
    readonly hook: string;
    readonly singleUse?: boolean;
    readonly boundToTarget?: boolean;
  };
  readonly conflict?: { readonly after: string; readonly body?: JsonSchema };
  readonly pagination?: {
    readonly limit: string;
    readonly cursor: string;
    readonly style?: Pagination['style'];
    readonly items: JsonPointer;
    readonly next?: JsonPointer;
  };
  readonly effect?: {
    readonly read?: string;
    readonly list?: string | readonly string[];
    readonly id?: JsonPointer | { readonly in: 'header'; readonly name: string };
  };
};

const pointer = {
  type: 'string',
  pattern: '^(/([^~/]|~[01])*)*$',
  description: 'write a JSON Pointer, such as /version',
};
const operation = { type: 'string', description: 'name an operation by its operationId' };
const headerName = {
  type: 'string',
  pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
  description: 'write the name of a header, such as If-Match',
};

/** Either a header by `name`, or a member of a body at `at`. */
function field(more: JsonObject, required: readonly string[], description: string): JsonObject {
  return {
    type: 'object',
    description,
    properties: {
      in: { enum: ['header', 'body'], description: 'write header or body' },
      name: headerName,
      at: pointer,
      ...more,
    },
    required: ['in', ...required],
    additionalProperties: false,
    if: { properties: { in: { const: 'header' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['name'], properties: { at: false } },
    else: { required: ['at'], properties: { name: false } },
  };
}

const carrier = field({}, [], 'write { in: header, name: ... } or { in: body, at: /pointer }');
const source = field(
  { operation },
  ['operation'],
  'write { operation: ..., in: body, at: /pointer } or { operation: ..., in: header, name: ... }',
);

export const governedDocumentSchema: JsonObject = {
  type: 'object',
  description: 'write { operations: <how many operations the full contract governs> }',
  properties: {
    operations: { type: 'integer', minimum: 1, description: 'write a whole number, such as 293' },
  },
  additionalProperties: false,
};

export const governedQueryFieldSchema: JsonObject = {
  type: 'object',
  description: 'write { filters: /pointer } to the member of an item that this field selects by',
  properties: {
    filters: {
      ...pointer,
      description: 'write a JSON Pointer to the member that the field selects by, such as /status',
    },
  },
  additionalProperties: false,
};

export const governedOperationSchema: JsonObject = {
  type: 'object',
  description: 'use read, shared, version, verification, conflict, pagination or effect',
  properties: {
    read: { const: true, description: 'write true on a POST that changes nothing, such as a search' },
    shared: {
      const: true,
      description:
        'write true on a read that shows the same records to every scope, such as a list of currencies',
    },
    version: {
      type: 'object',
      description: 'say where the current version is sent (carrier), and where it is seen (source)',
      properties: {
        carrier,
        source,
        neutral: {
          type: 'boolean',
          description: 'write true if the command does not change the version',
          default: false,
        },
      },
      required: ['carrier', 'source'],
      additionalProperties: false,
    },
    verification: {
      type: 'object',
      description: 'say where the stronger verification is sent (carrier), and which hook obtains one (hook)',
      properties: {
        carrier,
        hook: {
          type: 'string',
          pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
          description: 'name the hook that obtains a stronger verification, such as verify',
        },
        singleUse: {
          type: 'boolean',
          description: 'write true if a verification is valid for only one command',
          default: false,
        },
        boundToTarget: {
          type: 'boolean',
          description: 'write true if a verification is valid for only one target',
          default: false,
        },
      },
      required: ['carrier', 'hook'],
      additionalProperties: false,
    },
    conflict: {
      type: 'object',
      description: 'name the command after which this one conflicts with the state of its record',
      properties: {
        after: operation,
        body: { type: ['object', 'boolean'], description: 'write a JSON Schema of the body to send' },
      },
      required: ['after'],
      additionalProperties: false,
    },
    pagination: {
      type: 'object',
      description: 'name the query fields of the limit and the cursor, and where the items are',
      properties: {
        limit: { type: 'string', description: 'name the query field of the page size' },
        cursor: { type: 'string', description: 'name the query field of the position' },
        style: {
          enum: ['cursor', 'offset', 'page', 'link'],
          description: 'write cursor, offset, page or link (an RFC 8288 Link header)',
          default: 'cursor',
        },
        items: { ...pointer, description: 'write a JSON Pointer to the items of a page, such as /items' },
        next: { ...pointer, description: 'write a JSON Pointer to the next cursor, such as /nextCursor' },
      },
      required: ['limit', 'cursor', 'items'],
      additionalProperties: false,
    },
    effect: {
      type: 'object',
      description: 'name a read by id (read), a list (list), or both',
      properties: {
        read: { ...operation, description: 'name the read of one record, by its operationId' },
        list: {
          anyOf: [operation, { type: 'array', items: operation, minItems: 1, uniqueItems: true }],
          description:
            'name the list that shows new records, by its operationId, or all that do: [listCases, listCasesOfTeam]',
        },
        id: {
          anyOf: [
            pointer,
            {
              type: 'object',
              properties: {
                in: { const: 'header', description: 'write header' },
                name: { ...headerName, description: 'write the name of a header, such as Location' },
              },
              required: ['in', 'name'],
              additionalProperties: false,
            },
          ],
          description:
            'write a JSON Pointer to the ID in the result of the command, such as /data/id, or { in: header, name: Location }',
        },
      },
      minProperties: 1,
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};
