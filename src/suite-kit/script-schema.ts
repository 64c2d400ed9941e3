import type { JsonObject } from '../model/json.ts';
import { observations } from '../model/scenario.ts';

const step: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    id: {
      type: 'string',
      minLength: 1,
      description: 'Name of the step; later steps and rulings refer to it.',
    },
    role: {
      enum: ['test', 'control', 'readback', 'setup'],
      description:
        'test: the request that is judged; control: a valid request that differs from it in one thing only.',
    },
    observes: {
      enum: [...observations],
      description: 'What it reads, where clauses compare it with other reads of the scenario.',
    },
    controls: { type: 'string', description: 'For a control: the id of its test request, or * for all.' },
    operation: { type: 'string', description: 'Operation id; default: the operation that the probe is for.' },
    as: { type: 'string', description: 'Principal; default: the first that holds the permission.' },
    key: {
      description:
        'none; new (a key of this step alone); a name (the same name is the same key, with a new value in every attempt); or { text } as written.',
      oneOf: [
        { type: 'string', minLength: 1 },
        {
          type: 'object',
          additionalProperties: false,
          required: ['text'],
          properties: { text: { type: 'string' } },
        },
      ],
    },
    token: {
      enum: [
        'absent',
        'unknown',
        'empty',
        'scheme-only',
        'two-words',
        'bare',
        'basic',
        'basic-raw',
        'other-scheme',
        'flip-case',
        'truncated',
        'extended',
        'prefixed',
        'middle-changed',
        'start-changed',
        'end-changed',
        'in-query',
        'in-body',
        'in-cookie',
      ],
    },
    body: {
      description: 'A valid body is sent where this is left out.',
      type: 'object',
      additionalProperties: false,
      properties: {
        name: { type: 'string', description: 'Steps with one name send one body; default: body.' },
        value: { description: 'The whole body.' },
        set: { type: 'object', description: 'Members to replace, by JSON Pointer.' },
        remove: {
          type: 'array',
          items: { type: 'string' },
          description: 'JSON Pointers of members to leave out.',
        },
        text: { type: 'string', description: 'Bytes as they stand.' },
      },
    },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    query: { type: 'object', additionalProperties: { type: 'string' } },
    transport: { enum: ['pooled', 'fresh', 'raw', 'cut-after-send', 'cut-mid-body', 'cut-on-answer'] },
  },
};

/** Shape of a scripted suite (JSON Schema 2020-12). */
export const scriptSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Assay scripted suite',
  type: 'object',
  additionalProperties: false,
  required: ['suite', 'probes'],
  properties: {
    suite: { type: 'string', pattern: '^[a-z][a-z0-9-]*$', description: 'Name, as --suite takes it.' },
    title: { type: 'string' },
    for: {
      description: 'commands, reads, all, or a list of operation ids. Default: all.',
      oneOf: [
        { enum: ['commands', 'reads', 'all'] },
        { type: 'array', minItems: 1, items: { type: 'string' } },
      ],
    },
    probes: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id'],
        properties: {
          id: { type: 'string', minLength: 1 },
          title: { type: 'string' },
          clauses: { type: 'array', items: { type: 'string', pattern: '^[A-Z]{3}-[0-9]+$' } },
          faulty: {
            ...step,
            description:
              'One request that differs from a valid one in the given way. It is sent, then the valid one.',
          },
          sameKey: {
            type: 'boolean',
            description: 'Whether the valid request has the key of the faulty one.',
          },
          steps: {
            type: 'array',
            minItems: 1,
            description: 'Steps in turn; a list of steps is sent at once.',
            items: { oneOf: [step, { type: 'array', minItems: 1, items: step }] },
          },
        },
      },
    },
  },
};
