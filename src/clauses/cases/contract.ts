import type { Contract, NamedRecord, Operation } from '../../model/contract.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Principal } from '../../model/principal.ts';

const id: JsonObject = { type: 'string', pattern: '^case_\\S+$' };
const record: JsonObject = {
  type: 'object',
  required: ['id', 'status', 'subject', 'version'],
  properties: {
    id,
    status: { enum: ['open', 'closed'] },
    subject: { type: 'string' },
    version: { type: 'string' },
  },
};
const page: JsonObject = {
  type: 'object',
  required: ['items', 'nextCursor'],
  properties: { items: { type: 'array', items: record }, nextCursor: { type: ['string', 'null'] } },
};

const plain = {
  kind: 'command',
  method: 'POST',
  summary: undefined,
  pathFields: [],
  queryFields: [],
  body: undefined,
  failures: {},
  version: undefined,
  verification: undefined,
  conflict: undefined,
  pagination: undefined,
  effect: { read: 'getCase', list: 'listCases', id: '/id' },
} as const;
const targeted = {
  pathFields: [{ name: 'caseId', schema: id, source: { operation: 'createCase', at: '/id' } }],
} as const;
const read = { kind: 'read', method: 'GET', effect: undefined } as const;
const json = 'application/json';
const open = { ...plain, permissions: undefined, effect: undefined } as const;
const draft: JsonObject = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    dueDate: { type: 'string' },
    line1: { type: 'string' },
    '2nd': { type: 'string' },
    author: { type: 'object', properties: { title: { type: 'string' }, name: { type: 'string' } } },
    tags: { type: 'array', items: { type: 'object', properties: { label: { type: 'string' } } } },
    data: {
      type: 'object',
      properties: {
        kind: { type: 'string' },
        owner: {
          type: 'object',
          properties: { data: { type: 'object', properties: { kind: { type: 'string' } } } },
        },
      },
    },
  },
};
const note: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    of: { type: 'object', properties: { kind: { const: 'note' }, tone: { enum: ['low', 'high'] } } },
  },
};
const caseInBody: NamedRecord = {
  at: '/case',
  read: 'getCase',
  field: { name: 'caseId', schema: { type: 'string' }, source: { operation: 'createCase', at: '/id' } },
};

const settings: JsonObject = {
  type: 'object',
  properties: {
    banner: { type: 'string' },
    alerts: { type: 'object', properties: { email: { type: 'string' } } },
    version: { type: 'integer' },
  },
};

const text = (member: string): Operation['body'] => ({
  mediaType: json,
  required: true,
  schema: { type: 'object', required: [member], properties: { [member]: { type: 'string' } } },
});

const branch = (kind: string, member: string): JsonObject => ({
  type: 'object',
  required: ['kind', member],
  properties: {
    kind: { const: kind },
    [member]: { type: 'string' },
    of: { type: 'object', properties: { name: { type: 'string' } } },
  },
});

export const createCase: Operation = {
  ...plain,
  id: 'createCase',
  path: '/cases',
  permissions: ['case.create'],
  body: {
    mediaType: json,
    required: true,
    schema: {
      type: 'object',
      required: ['subject'],
      properties: {
        subject: { type: 'string' },
        priority: { enum: ['low', 'high'] },
        contact: { type: 'object', properties: { email: { type: 'string' } } },
      },
    },
  },
  success: {
    status: 201,
    mediaType: json,
    schema: { type: 'object', required: ['id', 'status'], properties: { id, status: { const: 'open' } } },
  },
};

const changed: Operation['success'] = { status: 200, mediaType: json, schema: record };

/** One operation of each kind: a plain command, two reads, commands with a version, a conflict, a verification, and public ones. */
export const contract: Contract = {
  title: 'literal',
  version: '1.27.0',
  governedOperations: 293,
  digest: '',
  operations: [
    createCase,
    {
      ...plain,
      id: 'tagCases',
      path: '/tags',
      permissions: ['case.update'],
      body: text('tag'),
      success: {
        status: 200,
        mediaType: json,
        schema: { type: 'array', items: { type: 'object', properties: { kind: { const: 'tag' } } } },
      },
    },
    {
      ...plain,
      ...read,
      id: 'listCases',
      path: '/cases',
      permissions: ['case.read'],
      queryFields: [
        { name: 'limit', required: false, schema: { type: 'integer' }, filters: undefined },
        { name: 'cursor', required: false, schema: { type: 'string' }, filters: undefined },
        { name: 'status', required: false, schema: { enum: ['open', 'closed', 'all'] }, filters: '/status' },
        { name: 'fields', required: false, schema: { type: 'string' }, filters: undefined },
      ],
      success: { status: 200, mediaType: json, schema: page },
      pagination: {
        limit: 'limit',
        cursor: 'cursor',
        style: 'cursor',
        items: '/items',
        next: '/nextCursor',
      },
    },
    {
      ...plain,
      ...targeted,
      ...read,
      id: 'getCase',
      path: '/cases/{caseId}',
      permissions: ['case.read'],
      success: {
        status: 200,
        mediaType: json,
        otherMediaTypes: ['text/csv', 'application/list+json'],
        schema: record,
        otherSchemas: { 'application/list+json': { type: 'array' } },
      },
    },
    {
      ...plain,
      ...targeted,
      ...read,
      id: 'headCase',
      method: 'HEAD',
      path: '/cases/{caseId}',
      permissions: ['case.read'],
      success: { status: 200, mediaType: undefined, schema: undefined },
    },
    {
      ...plain,
      ...targeted,
      id: 'updateCase',
      method: 'PATCH',
      path: '/cases/{caseId}',
      permissions: ['case.update'],
      body: text('subject'),
      success: changed,
      version: {
        carrier: { in: 'header', name: 'If-Match' },
        source: { operation: 'getCase', in: 'body', at: '/version' },
        neutral: false,
      },
    },
    {
      ...plain,
      ...targeted,
      id: 'closeCase',
      path: '/cases/{caseId}/closure',
      otherPath: '/cases/{caseId}/reopening',
      permissions: ['case.close'],
      body: text('reason'),
      success: changed,
      conflict: { after: 'closeCase', body: undefined },
    },
    {
      ...plain,
      ...targeted,
      id: 'approveCase',
      path: '/cases/{caseId}/approvals',
      permissions: ['case.approve', 'case.review'],
      body: text('note'),
      success: changed,
      verification: {
        carrier: { in: 'header', name: 'X-Verification' },
        hook: 'verify',
        singleUse: true,
        boundToTarget: true,
      },
    },
    {
      ...open,
      id: 'createNote',
      path: '/notes',
      body: { mediaType: json, required: true, schema: draft },
      success: {
        status: 201,
        mediaType: json,
        otherMediaTypes: ['application/list+json'],
        schema: note,
        otherSchemas: { 'application/list+json': { type: 'array' } },
      },
    },
    {
      ...open,
      ...read,
      id: 'listNotes',
      path: '/notes',
      success: {
        status: 200,
        mediaType: json,
        otherMediaTypes: ['text/plain', 'audio/*'],
        schema: undefined,
      },
      queryFields: [
        { name: 'limit', required: false, schema: { type: 'integer' }, filters: undefined },
        { name: 'offset', required: false, schema: { type: 'integer' }, filters: undefined },
      ],
      pagination: { limit: 'limit', cursor: 'offset', style: 'offset', items: '/items', next: undefined },
    },
    {
      ...open,
      ...read,
      id: 'listEntries',
      path: '/entries',
      success: { status: 200, mediaType: json, schema: undefined },
      queryFields: [{ name: 'day', required: true, schema: { type: 'string' }, filters: undefined }],
      pagination: { limit: 'limit', cursor: 'offset', style: 'offset', items: '/items', next: undefined },
    },
    {
      ...open,
      ...read,
      id: 'findNotes',
      path: '/found-notes',
      success: { status: 200, mediaType: json, schema: undefined, requiredHeaders: ['ETag'] },
      queryFields: [
        { name: 'title', required: false, schema: { type: 'string' }, filters: '/title' },
        { name: 'tone', required: false, schema: { type: 'string' }, filters: '/of/tone' },
      ],
    },
    {
      ...open,
      id: 'echo',
      path: '/echoes',
      body: { mediaType: json, required: false, schema: { type: 'string' } },
      success: { status: 202, mediaType: json, schema: undefined, requiredHeaders: ['ETag'] },
    },
    {
      ...open,
      id: 'submit',
      path: '/submissions',
      success: { status: 202, mediaType: undefined, schema: undefined, requiredHeaders: ['Location'] },
    },
    {
      ...plain,
      id: 'escalate',
      path: '/escalations',
      permissions: ['case.escalate'],
      body: text('case'),
      success: { status: 201, mediaType: json, schema: undefined },
      named: [{ ...caseInBody, acts: true }],
    },
    {
      ...plain,
      id: 'mention',
      path: '/mentions',
      permissions: ['case.mention'],
      body: text('case'),
      success: { status: 201, mediaType: json, schema: undefined },
      effect: { read: undefined, list: 'listMentions', id: '/id' },
      named: [caseInBody],
    },
    {
      ...plain,
      id: 'moveHours',
      path: '/moves',
      permissions: ['case.move'],
      body: text('fromCase'),
      success: { status: 201, mediaType: json, schema: undefined },
      named: (['fromCase', 'toCase'] as const).map((name) => ({
        ...{ ...caseInBody, at: `/${name}` },
        field: { ...caseInBody.field, name },
      })),
    },
    {
      ...plain,
      id: 'shelve',
      path: '/books',
      permissions: ['book.shelve'],
      body: text('isbn'),
      success: { status: 201, mediaType: json, schema: text('isbn')?.schema },
      idAt: '/isbn',
    },
    { ...open, id: 'ping', path: '/pings', success: { status: 202, mediaType: json, schema: undefined } },
    {
      ...plain,
      ...read,
      id: 'seekCases',
      method: 'POST',
      path: '/cases/search',
      permissions: ['case.read'],
      body: text('words'),
      success: { status: 200, mediaType: json, schema: undefined },
    },
    {
      ...plain,
      ...read,
      id: 'fetchCase',
      method: 'POST',
      path: '/cases.fetch',
      permissions: ['case.read'],
      pathFields: [
        {
          ...targeted.pathFields[0],
          at: '/case',
        },
      ],
      body: text('case'),
      success: { status: 200, mediaType: json, schema: undefined },
    },
    {
      ...open,
      ...targeted,
      id: 'addPart',
      path: '/cases/{caseId}/parts',
      effect: { read: undefined, list: 'listParts', id: '/id' },
      success: { status: 201, mediaType: json, schema: undefined },
    },
    {
      ...open,
      ...read,
      ...targeted,
      id: 'listParts',
      path: '/cases/{caseId}/parts',
      success: { status: 200, mediaType: json, schema: undefined },
    },
    {
      ...open,
      ...read,
      ...targeted,
      id: 'listPieces',
      path: '/cases/{caseId}/pieces',
      pagination: { limit: 'limit', cursor: 'offset', style: 'offset', items: '/items', next: undefined },
      success: { status: 200, mediaType: json, schema: undefined },
    },
    {
      ...open,
      ...targeted,
      id: 'addTask',
      path: '/cases/{caseId}/tasks',
      effect: { read: undefined, list: 'listTasks', id: '/id' },
      body: text('subject'),
      success: { status: 201, mediaType: json, schema: undefined },
    },
    {
      ...open,
      ...read,
      id: 'listTasks',
      path: '/tasks',
      success: { status: 200, mediaType: json, schema: undefined },
    },
    {
      ...open,
      ...targeted,
      id: 'addParts',
      path: '/cases/{caseId}/parts/batch',
      effect: { read: undefined, list: 'listParts', id: '/parts/0/id' },
      idAt: '/parts/0/id',
      body: text('subject'),
      success: { status: 201, mediaType: json, schema: undefined },
    },
    {
      ...open,
      ...targeted,
      id: 'addStep',
      path: '/cases/{caseId}/steps',
      effect: { read: 'getStep', list: undefined, id: '/id' },
      body: text('subject'),
      success: { status: 201, mediaType: json, schema: undefined },
    },
    {
      ...open,
      ...read,
      id: 'getStep',
      path: '/cases/{caseId}/steps/{stepId}',
      pathFields: [
        ...targeted.pathFields,
        { name: 'stepId', schema: id, source: { operation: 'addStep', at: '/id' } },
      ],
      success: { status: 200, mediaType: json, schema: undefined },
    },
    {
      ...open,
      ...targeted,
      id: 'wipeCase',
      effect: { read: 'getCase', list: undefined, id: '/id' },
      method: 'DELETE',
      path: '/cases/{caseId}',
      success: { status: 204, mediaType: undefined, schema: undefined },
    },
    {
      ...open,
      ...targeted,
      id: 'dropCase',
      effect: { read: undefined, list: 'listCases', id: '/id' },
      method: 'DELETE',
      path: '/dropped-cases/{caseId}',
      success: { status: 204, mediaType: undefined, schema: undefined },
    },
    {
      ...plain,
      id: 'keepCase',
      method: 'PUT',
      path: '/cases/{caseId}',
      pathFields: [{ name: 'caseId', schema: id, source: undefined, chosen: true }],
      permissions: ['case.keep'],
      body: {
        mediaType: json,
        required: true,
        schema: { oneOf: [branch('person', 'name'), branch('company', 'firm')] },
      },
      success: changed,
    },
    {
      ...open,
      ...read,
      id: 'readSettings',
      path: '/settings',
      success: { status: 200, mediaType: json, schema: settings },
    },
    {
      ...open,
      id: 'saveSettings',
      method: 'PUT',
      path: '/settings',
      effect: { read: 'readSettings', list: undefined, id: '/id' },
      version: {
        carrier: { in: 'header', name: 'If-Match' },
        source: { operation: 'readSettings', in: 'body', at: '/version' },
        neutral: false,
      },
      body: { mediaType: json, required: true, schema: settings },
      success: { status: 200, mediaType: json, schema: settings },
    },
  ],
};

const all = contract.operations.flatMap((operation) => operation.permissions ?? []);
const held = (name: string, more: Partial<Principal> = {}): Principal => ({
  name,
  permissions: all,
  scope: 'tenant-a',
  state: 'valid',
  identity: name,
  use: 'any',
  ...more,
});

export const principals: readonly Principal[] = [
  held('full'),
  held('renewed', { identity: 'full' }),
  held('peer'),
  held('abroad', { scope: 'tenant-b' }),
  held('exact', { permissions: ['case.create'] }),
  held('alike', { permissions: ['case.create'] }),
  held('closer', { permissions: ['case.close'] }),
  held('half', { permissions: ['case.approve', 'case.read'] }),
  held('approver', { permissions: ['case.review', 'case.approve'] }),
  held('lapsed', { permissions: ['case.create'], state: 'expired' }),
  held('reader', { permissions: ['case.read'] }),
  held('near', { permissions: ['case.creat'] }),
  held('nobody', { permissions: [] }),
  held('old', { state: 'expired' }),
  held('withdrawn', { state: 'revoked' }),
];
