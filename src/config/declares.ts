import type { JsonObject } from '../model/json.ts';

/** What can be declared at each open point of the contract; a description says what each value means. */
export const declaresSchema: JsonObject = {
  type: 'object',
  description: 'name open points of the contract (G1 to G19) and what your implementation does there',
  additionalProperties: false,
  properties: {
    G1: {
      enum: ['replay', 'conflict'],
      description:
        'write replay where a finished duplicate is answered 2xx with the same id, or conflict where it is answered 409',
    },
    G2: { enum: [422, 400, 409], description: 'write the status that answers a missing Idempotency-Key' },
    G3: {
      enum: ['stored', 'new'],
      description: 'write whether a replay carries the stored request id or a new one',
    },
    G4: {
      enum: [401, 403, 409, 422],
      description: 'write the status that answers a missing stronger verification',
    },
    G5: {
      enum: ['accept', 'conflict'],
      description:
        'write accept where a corrected body under the key of a 422 is accepted, or conflict where it is answered 409',
    },
    G6: {
      const: 'contract',
      description:
        'the carrier of the current version is declared by x-governed.version in the contract document: write contract, or leave it out',
    },
    G7: {
      enum: ['ignore', 'refuse'],
      description: 'write whether unknown fields of a body or a query are ignored, or refused with 422',
    },
    G8: {
      description: 'write unthrottled, or limits such as { maxBodyBytes: 65536, maxStringLength: 200 }',
      anyOf: [
        { const: 'unthrottled' },
        {
          type: 'object',
          properties: {
            unthrottled: { type: 'boolean', description: 'write true where senders are never throttled' },
            maxBodyBytes: { type: 'integer', minimum: 1, description: 'write the largest body in bytes' },
            maxStringLength: {
              type: 'integer',
              minimum: 1,
              description: 'write the longest text of one field in characters',
            },
          },
          minProperties: 1,
          additionalProperties: false,
        },
      ],
    },
    G9: { enum: [403, 404], description: 'write the status that answers for a record of another scope' },
    G10: {
      enum: [403, 'replay'],
      description: 'write 403, or replay, for a duplicate after the permission was withdrawn',
    },
    G11: {
      enum: [403, 'lenient'],
      description: 'write 403, or lenient where a faulty body without permission may be answered 422',
    },
    G12: {
      enum: ['stored', 'released'],
      description: 'write whether a 5xx is stored under its key, or releases it',
    },
    G13: {
      type: 'object',
      description: 'write { seconds: <how long a key is honoured> }',
      properties: { seconds: { type: 'number', exclusiveMinimum: 0 } },
      required: ['seconds'],
      additionalProperties: false,
    },
    G14: {
      enum: [400, 415, 422],
      description: 'write the status that answers malformed JSON or a wrong media type',
    },
    G15: {
      type: 'object',
      description: 'write { seconds: <after how long at most a read sees a write> }',
      properties: { seconds: { type: 'number', minimum: 0, maximum: 300 } },
      required: ['seconds'],
      additionalProperties: false,
    },
    G16: {
      description:
        'describe the shape of the error body in words, or write { naming: exact } where it names fields by their full path',
      anyOf: [
        { type: 'string', minLength: 1 },
        {
          type: 'object',
          properties: {
            naming: {
              enum: ['exact', 'leaf'],
              description: 'write exact for full paths in exact case, or leaf for the last name of the path',
            },
            shape: { type: 'string', minLength: 1, description: 'describe the shape in words' },
          },
          minProperties: 1,
          additionalProperties: false,
        },
      ],
    },
    G17: {
      description:
        'write uuid, or { pattern: ..., maxLength: ... }, for the form of the keys that are accepted',
      anyOf: [
        { const: 'uuid' },
        {
          type: 'object',
          properties: {
            pattern: { type: 'string', format: 'regex', description: 'write a regular expression' },
            maxLength: { type: 'integer', minimum: 1, description: 'write the longest key in characters' },
          },
          minProperties: 1,
          additionalProperties: false,
        },
      ],
    },
    G18: {
      enum: ['caller', 'tenant', 'tenant-operation', 'global'],
      description: 'write within what a key is unique',
    },
    G19: {
      enum: ['none', 'conflict'],
      description: 'write conflict where an equal body under another key is answered 409',
    },
  },
};
