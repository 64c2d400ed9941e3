import type { Json, JsonObject } from '../../model/json.ts';
import {
  idText,
  linkTo,
  note,
  noteBody,
  notes,
  type OperationOf,
  object,
  operation,
  type Shape,
  shape,
  text,
} from './document.ts';

const created = { result: object({ id: text }, ['id']) };

function item(name: string, body: Json | undefined, of: OperationOf = {}, document: JsonObject = {}): Shape {
  const { body: _none, ...rest } = { body: null, ...created, ...of };
  const given = body === undefined ? rest : { ...rest, body };
  return shape(name, [operation('POST /items', 'createItem', given)], { document });
}

const tree = object(
  { name: text, children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
  ['name'],
);

/** A resource whose records have no text that could say what they are. */
function textless(name: string, members: JsonObject): Shape {
  const result = object({ id: idText, ...members });
  return shape(
    name,
    notes({
      create: {
        body: object(members),
        result,
        governed: { effect: { read: 'getNote', list: 'listNotes' } },
        links: linkTo('getNote', 'noteId'),
      },
      read: { result },
      item: result,
    }),
  );
}

/** Shapes of request and response bodies. */
export const bodyShapes: readonly Shape[] = [
  item('optional-body', noteBody, { bodyRequired: false }),
  shape(
    'optional-body-list',
    notes({
      create: {
        body: object({ title: text }, []),
        bodyRequired: false,
        result: note,
        governed: { effect: { list: 'listNotes' } },
        links: linkTo('getNote', 'noteId'),
      },
    }),
  ),
  textless('transfer', {
    account: { type: 'string', format: 'uuid' },
    amount: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.01 },
    currency: { enum: ['EUR', 'CHF'] },
    valueDate: { type: 'string', format: 'date' },
  }),
  textless('stock-unit', { sku: { type: 'string', pattern: '^[A-Z0-9]{8,20}$' } }),
  textless('meter-reading', { count: { type: 'integer', minimum: 0 } }),
  item('any-root', true),
  item('any-json', {}),
  item('root-array', { type: 'array', items: { type: 'string' }, minItems: 1 }),
  item('root-object-or-array', { type: ['object', 'array'] }),
  item('root-nullable', { type: ['object', 'null'], properties: { title: text }, required: ['title'] }),
  item('root-text', { type: 'string', minLength: 1 }),
  item('open-object', { type: 'object' }),
  item('empty-object', { type: 'object', additionalProperties: false }),
  item('free-members', { type: 'object', additionalProperties: true, minProperties: 1 }),
  item('map-of-texts', { type: 'object', additionalProperties: text, minProperties: 1 }),
  item('one-of', {
    oneOf: [
      object({ kind: { const: 'person' }, name: text }, undefined, { additionalProperties: false }),
      object({ kind: { const: 'company' }, firm: text }, undefined, { additionalProperties: false }),
    ],
  }),
  item('one-of-open', {
    oneOf: [
      object({ kind: { const: 'person' }, name: text }),
      object({ kind: { const: 'company' }, firm: text }),
    ],
  }),
  item('any-of', {
    type: 'object',
    properties: { mail: text, phone: text },
    anyOf: [{ required: ['mail'] }, { required: ['phone'] }],
  }),
  item('one-of-required', {
    type: 'object',
    properties: { mail: text, phone: text },
    oneOf: [{ required: ['mail'] }, { required: ['phone'] }],
  }),
  item('if-then', {
    ...object({ kind: { enum: ['a', 'b'] }, detail: text }, ['kind']),
    if: { properties: { kind: { const: 'b' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['detail'] },
  }),
  item('enumerated', object({ colour: { enum: ['red', 'green'] } })),
  item('short-text', object({ code: { type: 'string', minLength: 1, maxLength: 3 } })),
  item('constant', object({ kind: { const: 'x' } })),
  item(
    'patterned',
    object({
      code: { type: 'string', pattern: '^[A-Z]{2}\\d{4}$' },
      mail: { type: 'string', format: 'email' },
    }),
  ),
  item(
    'numbers',
    object({
      amount: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.01 },
      count: { type: 'integer', minimum: 1, maximum: 5 },
    }),
  ),
  item(
    'deep',
    object({
      a: object({ b: object({ c: object({ d: text }) }) }),
      list: { type: 'array', minItems: 1, items: object({ x: text }) },
    }),
  ),
  item('closed', object({ title: text }, undefined, { unevaluatedProperties: false })),
  item(
    'nullable-member',
    object({
      title: { type: ['string', 'null'], maxLength: 200 },
      when: { type: 'string', format: 'date-time' },
    }),
  ),
  item('dependent', { ...object({ card: text, holder: text }, []), dependentRequired: { card: ['holder'] } }),
  item('not', { ...object({ title: text }), not: { required: ['forbidden'] } }),
  item('recursive', { $ref: '#/components/schemas/Tree' }, {}, { components: { schemas: { Tree: tree } } }),
  shape(
    'read-only',
    [
      operation('POST /notes', 'createNote', {
        body: { $ref: '#/components/schemas/Note' },
        result: { $ref: '#/components/schemas/Note' },
        governed: { effect: { read: 'getNote' } },
        links: linkTo('getNote', 'noteId'),
      }),
      operation('GET /notes/{noteId}', 'getNote', { result: { $ref: '#/components/schemas/Note' } }),
    ],
    {
      document: {
        components: {
          schemas: {
            Note: object({
              id: { type: 'string', readOnly: true },
              title: text,
              secret: { type: 'string', minLength: 8, maxLength: 64, writeOnly: true },
            }),
          },
        },
      },
    },
  ),
  item('no-body-command', undefined),
  shape('no-content', [operation('POST /items', 'createItem', { body: noteBody, status: '204' })]),
  item('accepted-202', noteBody, { status: '202' }),
  item('two-successes', noteBody, { status: ['200', '201'] }),
  item('wildcard-success', noteBody, { status: '2XX' }),
  item('default-success', noteBody, { status: 'default' }),
  item('no-id', noteBody, { result: object({ done: { type: 'boolean' } }) }),
  shape('nested-id', [
    operation('POST /items', 'createItem', {
      body: noteBody,
      result: object({ data: object({ uuid: text }) }),
      governed: { effect: { read: 'getItem', id: '/data/uuid' } },
      links: linkTo('getItem', 'itemId', '/data/uuid'),
    }),
    operation('GET /items/{itemId}', 'getItem', {
      result: object({ data: object({ uuid: text }), title: text }, ['data']),
    }),
  ]),
  item('number-id', noteBody, { result: object({ id: { type: 'integer' } }) }),
  item('merge-patch', noteBody, { mediaType: 'application/merge-patch+json' }),
];
