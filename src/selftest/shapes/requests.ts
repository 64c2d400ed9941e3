import type { Json, JsonObject } from '../../model/json.ts';
import {
  idText,
  linkTo,
  note,
  noteBody,
  notes,
  object,
  operation,
  type Shape,
  shape,
  text,
} from './document.ts';

const one = (name: string, parameters: readonly Json[], operations?: Shape['operations']): Shape =>
  shape(
    name,
    [
      operation('POST /notes', 'createNote', {
        body: noteBody,
        result: note,
        parameters,
        governed: { effect: { list: 'listNotes' } },
      }),
      operation('GET /notes', 'listNotes', { result: { type: 'array', items: note }, parameters }),
    ],
    operations === undefined ? {} : { operations },
  );
const parameter = (place: string, name: string, schema: Json, more: JsonObject = {}): JsonObject => ({
  name,
  in: place,
  required: true,
  schema,
  ...more,
});
const styled = (style: string, path: string): Shape =>
  shape(`${style}-style`, [
    operation('POST /notes', 'createNote', {
      body: noteBody,
      result: note,
      governed: { effect: { read: 'getNote' } },
      links: linkTo('getNote', 'noteId'),
    }),
    operation(`GET ${path}`, 'getNote', {
      result: note,
      parameters: [{ name: 'noteId', in: 'path', required: true, style, schema: idText }],
    }),
  ]);

/** Shapes of parameters. */
export const requestShapes: readonly Shape[] = [
  one('required-header-enum', [parameter('header', 'X-Region', { type: 'string', enum: ['eu', 'us'] })]),
  one('required-header-pattern', [
    parameter('header', 'X-Tenant', { type: 'string', pattern: '^t-[0-9]{4}$' }),
  ]),
  one('required-header-example', [
    parameter('header', 'X-Tenant', { type: 'string' }, { example: 'tenant-7' }),
  ]),
  one(
    'required-header-configured',
    [parameter('header', 'X-Tenant', { type: 'string', pattern: '^only-[a-z]+$' })],
    {
      createNote: { parameters: { 'X-Tenant': 'only-this' } },
      listNotes: { parameters: { 'X-Tenant': 'only-this' } },
    },
  ),
  one('required-cookie', [parameter('cookie', 'session', { type: 'string', minLength: 8, maxLength: 40 })]),
  one('required-query', [parameter('query', 'mode', { type: 'string', enum: ['full', 'short'] })]),
  one('required-query-number', [parameter('query', 'depth', { type: 'integer', minimum: 1, maximum: 3 })]),
  one('required-query-array', [
    parameter('query', 'fields', { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1 }),
  ]),
  one('required-query-array-csv', [
    parameter(
      'query',
      'fields',
      { type: 'array', items: { enum: ['a', 'b'] }, minItems: 2 },
      { style: 'form', explode: false },
    ),
  ]),
  one('query-object', [
    { name: 'filter', in: 'query', style: 'deepObject', explode: true, schema: object({ a: text }, []) },
  ]),
  one('required-query-object', [
    parameter('query', 'filter', object({ a: text }), { style: 'deepObject', explode: true }),
  ]),
  one('query-content', [
    {
      name: 'filter',
      in: 'query',
      required: true,
      content: { 'application/json': { schema: object({ a: text }) } },
    },
  ]),
  one('required-date-query', [parameter('query', 'since', { type: 'string', format: 'date' })]),
  one('optional-parameters', [
    { name: 'X-Trace', in: 'header', schema: text },
    { name: 'q', in: 'query', schema: text },
    { name: 'theme', in: 'cookie', schema: text },
  ]),
  styled('matrix', '/notes/{noteId}'),
  styled('label', '/notes/{noteId}'),
  shape('path-enum', [
    operation('POST /regions/{region}/notes', 'createNote', {
      body: noteBody,
      result: note,
      parameters: [parameter('path', 'region', { enum: ['eu', 'us'] })],
    }),
  ]),
  shape(
    'path-parameter-configured',
    [
      operation('POST /regions/{region}/notes', 'createNote', {
        body: noteBody,
        result: note,
        parameters: [parameter('path', 'region', { type: 'string' })],
      }),
    ],
    { operations: { createNote: { parameters: { region: 'eu' } } } },
  ),
  shape('content-types', [
    ...notes().slice(1),
    operation('POST /notes', 'createNote', {
      result: note,
      governed: { effect: { read: 'getNote', list: 'listNotes' } },
      links: linkTo('getNote', 'noteId'),
      more: {
        requestBody: {
          required: true,
          content: {
            'application/xml': { schema: noteBody },
            'application/x-www-form-urlencoded': { schema: noteBody },
            'text/plain': { schema: { type: 'string' } },
            'application/json': { schema: noteBody },
          },
        },
      },
    }),
  ]),
];
