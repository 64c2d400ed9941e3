import type { JsonObject } from '../../model/json.ts';
import {
  idText,
  linkTo,
  note,
  noteBody,
  notes,
  object,
  operation,
  pageOf,
  type Shape,
  shape,
  text,
} from './document.ts';

const settings = object({ theme: text, version: { type: 'integer' } }, ['theme', 'version']);
const ifMatch: JsonObject = {
  name: 'If-Match',
  in: 'header',
  required: true,
  schema: { type: 'string', minLength: 1 },
};
const versionOfNote: JsonObject = {
  carrier: { in: 'header', name: 'If-Match' },
  source: { operation: 'getNote', in: 'body', at: '/version' },
};
const versionedNote = object({ id: idText, title: text, version: { type: 'integer' } });

/** Shapes of what commands and reads have to do with records. */
export const relationShapes: readonly Shape[] = [
  shape('plain-resource', notes()),
  shape('reads-only', [
    operation('GET /status', 'getStatus', { result: object({ state: { const: 'up' } }) }),
    operation('GET /regions', 'listRegions', { result: { type: 'array', items: text } }),
  ]),
  shape('fixed-read', [...notes(), operation('GET /about', 'about', { result: object({ name: text }) })]),
  shape('public-read', [
    ...notes(),
    operation('GET /about', 'about', { result: object({ name: text }), more: { security: [] } }),
  ]),
  shape('head', [
    ...notes({ links: linkTo('headNote', 'noteId') }),
    operation('HEAD /notes/{noteId}', 'headNote'),
  ]),
  shape('unpaged-list', [
    operation('POST /tags', 'createTag', {
      body: noteBody,
      result: note,
      governed: { effect: { list: 'listTags' } },
    }),
    operation('GET /tags', 'listTags', { result: { type: 'array', items: note } }),
  ]),
  shape('unpaged-object-list', [
    operation('POST /tags', 'createTag', {
      body: noteBody,
      result: note,
      governed: { effect: { list: 'listTags' } },
    }),
    operation('GET /tags', 'listTags', { result: object({ tags: { type: 'array', items: note } }) }),
  ]),
  shape('limit-enum', [
    operation('POST /tags', 'createTag', {
      body: noteBody,
      result: note,
      governed: { effect: { list: 'listTags' } },
    }),
    operation('GET /tags', 'listTags', {
      parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer', enum: [10, 25, 50], default: 10 } },
        { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } },
      ],
      result: object({ items: { type: 'array', items: note } }),
      governed: { pagination: { limit: 'limit', cursor: 'page', style: 'page', items: '/items' } },
    }),
  ]),
  shape('offset-pages', [
    operation('POST /tags', 'createTag', {
      body: noteBody,
      result: note,
      governed: { effect: { list: 'listTags' } },
    }),
    operation('GET /tags', 'listTags', {
      parameters: [
        { name: 'take', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50, default: 10 } },
        { name: 'skip', in: 'query', schema: { type: 'integer', minimum: 0 } },
      ],
      result: { type: 'array', items: note },
      governed: { pagination: { limit: 'take', cursor: 'skip', style: 'offset', items: '' } },
    }),
  ]),
  shape('link-pages', [
    operation('POST /tags', 'createTag', {
      body: noteBody,
      result: note,
      governed: { effect: { list: 'listTags' } },
    }),
    operation('GET /tags', 'listTags', {
      parameters: [
        { name: 'per_page', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50, default: 10 } },
        { name: 'after', in: 'query', schema: { type: 'string', minLength: 1 } },
      ],
      result: { type: 'array', items: note },
      governed: { pagination: { limit: 'per_page', cursor: 'after', style: 'link', items: '' } },
    }),
  ]),
  shape('delete', [
    ...notes({ links: linkTo('deleteNote', 'noteId') }),
    operation('DELETE /notes/{noteId}', 'deleteNote', {
      status: '204',
      governed: { effect: { read: 'getNote' } },
    }),
  ]),
  shape('delete-with-version', [
    ...notes({
      create: {
        result: versionedNote,
        governed: { effect: { read: 'getNote', list: 'listNotes' } },
        links: {
          ...linkTo('getNote', 'noteId'),
          ...linkTo('deleteNote', 'noteId'),
          ...linkTo('renameNote', 'noteId'),
        },
      },
      read: { result: versionedNote },
    }),
    operation('DELETE /notes/{noteId}', 'deleteNote', {
      status: '204',
      parameters: [ifMatch],
      governed: { version: versionOfNote },
    }),
    operation('PATCH /notes/{noteId}', 'renameNote', {
      status: '200',
      body: noteBody,
      parameters: [ifMatch],
      result: versionedNote,
      governed: { version: versionOfNote, effect: { read: 'getNote' } },
    }),
  ]),
  shape('close-declared', [
    ...notes({
      create: {
        result: versionedNote,
        governed: { effect: { read: 'getNote', list: 'listNotes' } },
        links: { ...linkTo('getNote', 'noteId'), ...linkTo('closeNote', 'noteId') },
      },
      read: { result: versionedNote },
    }),
    operation('POST /notes/{noteId}/closure', 'closeNote', {
      status: '200',
      body: object({ reason: text, version: { type: 'integer' } }),
      result: versionedNote,
      governed: {
        version: {
          carrier: { in: 'body', at: '/version' },
          source: { operation: 'getNote', in: 'body', at: '/version' },
        },
        conflict: { after: 'closeNote' },
        effect: { read: 'getNote' },
      },
    }),
  ]),
  shape('close-with-colon', [
    ...notes({ links: linkTo('closeNote', 'noteId') }),
    operation('POST /notes/{noteId}:close', 'closeNote', {
      status: '200',
      result: note,
      governed: { effect: { read: 'getNote' } },
    }),
  ]),
  shape('path-with-ending', [
    operation('POST /notes', 'createNote', {
      body: noteBody,
      result: note,
      governed: { effect: { read: 'getNote' } },
      links: linkTo('getNote', 'noteId'),
    }),
    operation('GET /notes/{noteId}.json', 'getNote', { result: note }),
  ]),
  shape('singleton', [
    operation('GET /settings', 'getSettings', { result: settings }),
    operation('PUT /settings', 'putSettings', {
      status: '200',
      body: object({ theme: text }),
      result: settings,
      governed: { effect: { read: 'getSettings' } },
    }),
  ]),
  shape('singleton-undeclared', [
    operation('GET /settings', 'getSettings', { result: settings }),
    operation('PUT /settings', 'putSettings', {
      status: '200',
      body: object({ theme: text }),
      result: settings,
    }),
  ]),
  shape('singleton-version', [
    operation('GET /settings', 'getSettings', { result: settings }),
    operation('PUT /settings', 'putSettings', {
      status: '200',
      body: object({ theme: text }),
      parameters: [ifMatch],
      result: settings,
      governed: {
        effect: { read: 'getSettings' },
        version: {
          carrier: { in: 'header', name: 'If-Match' },
          source: { operation: 'getSettings', in: 'body', at: '/version' },
        },
      },
    }),
  ]),
  shape('client-chosen-id', [
    operation('PUT /notes/{noteId}', 'putNote', {
      status: ['200', '201'],
      body: noteBody,
      result: note,
      governed: { effect: { read: 'getNote' } },
    }),
    operation('GET /notes/{noteId}', 'getNote', { result: note }),
  ]),
  shape('client-chosen-uuid', [
    operation('PUT /notes/{noteId}', 'putNote', {
      status: '201',
      body: noteBody,
      result: note,
      parameters: [
        { name: 'noteId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      ],
    }),
    operation('GET /notes/{noteId}', 'getNote', {
      result: note,
      parameters: [
        { name: 'noteId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      ],
    }),
  ]),
  shape('client-chosen-list', [
    operation('PUT /notes/{noteId}', 'putNote', {
      status: '204',
      body: noteBody,
      parameters: [
        { name: 'noteId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      ],
      governed: { effect: { read: 'getNote', list: 'listNotes' } },
    }),
    ...notes().filter(({ method }) => method === 'get'),
  ]),
  shape('client-chosen-within', [
    operation('POST /books', 'createBook', {
      body: noteBody,
      result: note,
      links: {
        ...linkTo('putPage', 'bookId'),
        ...linkTo('getPage', 'bookId'),
        ...linkTo('listPages', 'bookId'),
      },
    }),
    operation('PUT /books/{bookId}/pages/{pageId}', 'putPage', {
      status: '200',
      body: noteBody,
      result: note,
      governed: { effect: { read: 'getPage', list: 'listPages', id: '/id' } },
    }),
    operation('GET /books/{bookId}/pages/{pageId}', 'getPage', { result: note }),
    operation('GET /books/{bookId}/pages', 'listPages', pageOf()),
  ]),
  shape('client-id-in-body', [
    operation('POST /notes', 'createNote', {
      body: object({ id: { type: 'string', pattern: '^[a-z]{8,20}$' }, title: text }),
      result: note,
    }),
  ]),
  shape(
    'vendor-targets',
    [
      operation('GET /accounts/{accountId}', 'getAccount', {
        result: object({ id: idText, name: { type: 'string' } }, ['id']),
      }),
      operation('POST /accounts/{accountId}/notes', 'addNote', {
        body: noteBody,
        result: note,
        governed: { effect: { list: 'listNotes' } },
      }),
      operation('GET /accounts/{accountId}/notes', 'listNotes', { result: { type: 'array', items: note } }),
    ],
    {
      operations: {
        getAccount: { targets: [{ accountId: 'acc-1' }, { accountId: 'acc-2' }] },
        addNote: { targets: [{ accountId: 'acc-1' }, { accountId: 'acc-2' }] },
        listNotes: { targets: [{ accountId: 'acc-1' }, { accountId: 'acc-2' }] },
      },
    },
  ),
  shape('nested', [
    ...notes({ links: { ...linkTo('addTag', 'noteId'), ...linkTo('listTags', 'noteId') } }),
    operation('POST /notes/{noteId}/tags', 'addTag', {
      body: noteBody,
      result: note,
      governed: { effect: { list: 'listTags' } },
    }),
    operation('GET /notes/{noteId}/tags', 'listTags', { result: { type: 'array', items: note } }),
  ]),
  shape('header-link', [
    operation('POST /notes', 'createNote', {
      body: noteBody,
      status: '201',
      resultHeaders: { 'X-Note-Id': { schema: { type: 'string' } } },
      links: { get: { operationId: 'getNote', parameters: { noteId: '$response.header.X-Note-Id' } } },
    }),
    operation('GET /notes/{noteId}', 'getNote', { result: note }),
  ]),
  shape('two-permissions', [
    operation('POST /notes', 'createNote', {
      body: noteBody,
      result: note,
      permission: ['note.create', 'note.own'],
    }),
  ]),
];
