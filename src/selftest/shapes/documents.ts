import type { JsonObject } from '../../model/json.ts';
import { documentOf, note, noteBody, notes, object, operation, type Shape, shape, text } from './document.ts';

const create = (body: JsonObject) => operation('POST /items', 'createItem', { body, result: note });

const secured = (name: string, security: readonly JsonObject[], schemes: JsonObject): Shape =>
  shape(
    name,
    [operation('POST /items', 'createItem', { body: noteBody, result: note, more: { security } })],
    {
      document: {
        components: { securitySchemes: { serverToken: { type: 'http', scheme: 'bearer' }, ...schemes } },
      },
    },
  );

/** Shapes of the document itself. */
export const documentShapes: readonly Shape[] = [
  {
    name: 'openapi-3.0',
    text: JSON.stringify({
      ...documentOf(
        [
          operation('POST /items', 'createItem', {
            body: {
              type: 'object',
              required: ['title', 'amount'],
              properties: {
                title: { type: 'string', minLength: 1, maxLength: 200, example: 'Hello' },
                note: { type: 'string', nullable: true },
                amount: { type: 'number', minimum: 0, exclusiveMinimum: true },
                kind: { type: 'string', enum: ['a', 'b'], nullable: true },
                owner: { nullable: true, allOf: [{ $ref: '#/components/schemas/Owner' }] },
              },
            },
            result: note,
          }),
        ],
        { components: { schemas: { Owner: { type: 'object', properties: { name: { type: 'string' } } } } } },
      ),
      openapi: '3.0.3',
    }),
  },
  shape('schema-id', [create({ $ref: '#/components/schemas/Item' })], {
    document: {
      components: {
        schemas: {
          Item: object({ title: text, part: { $ref: 'https://example.test/part' } }, undefined, {
            $id: 'https://example.test/item',
          }),
          Part: object({ size: { type: 'integer' } }, undefined, { $id: 'https://example.test/part' }),
        },
      },
    },
  }),
  shape('schema-anchor', [create({ $ref: '#item' })], {
    document: {
      components: {
        schemas: {
          Item: object({ title: text, part: { $ref: '#part' } }, undefined, { $anchor: 'item' }),
          Part: object({ size: { type: 'integer' } }, undefined, { $anchor: 'part' }),
        },
      },
    },
  }),
  shape('pattern-without-u', [create(object({ code: { type: 'string', pattern: '^[A-Z]{2}\\-\\d{2}$' } }))]),
  {
    name: 'path-item-ref',
    text: JSON.stringify({
      ...documentOf([]),
      paths: { '/items': { $ref: '#/components/pathItems/Items' } },
      components: {
        securitySchemes: { serverToken: { type: 'http', scheme: 'bearer' } },
        pathItems: { Items: { post: create(noteBody).operation } },
      },
    }),
  },
  {
    name: 'merge-keys',
    text: JSON.stringify(documentOf([create(noteBody)]))
      .replace('"info":{', '"x-base": &base { "type": "object", "required": [title] }, "info":{')
      .replace(
        JSON.stringify(noteBody),
        '{ <<: *base, properties: { title: { type: string, minLength: 1, maxLength: 200 } } }',
      ),
  },
  secured('security-alternatives', [{ serverToken: ['items.write'] }, { apiKey: [] }], {
    apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  }),
  secured('security-alternatives-other-first', [{ apiKey: [] }, { serverToken: ['items.write'] }], {
    apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  }),
  shape('with-untestable', [
    ...notes(),
    operation('POST /uploads', 'upload', {
      body: { type: 'string' },
      mediaType: 'multipart/form-data',
      result: note,
    }),
  ]),
  shape('with-keyless-write', [
    ...notes(),
    operation('POST /search', 'search', { body: noteBody, result: note, more: { parameters: [] } }),
  ]),
  shape('success-not-json', [
    ...notes(),
    operation('GET /notes.csv', 'exportNotes', {
      more: {
        responses: { '200': { description: 'x', content: { 'text/csv': { schema: { type: 'string' } } } } },
      },
    }),
  ]),
];
