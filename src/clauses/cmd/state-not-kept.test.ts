import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { stateNotKept } from './state-not-kept.ts';

const states = { enum: ['open', 'closed', 'closing'] };
const schemaOf = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties: { id: { type: 'string' }, status: states, locked: { type: 'boolean' }, ...properties },
});

type Action = {
  readonly result: JsonObject;
  readonly is: JsonObject;
  readonly status?: number;
  readonly path?: string;
  readonly schema?: JsonObject;
  readonly shown?: JsonObject;
  readonly was?: JsonObject;
  readonly wrapped?: (members: JsonObject) => JsonObject;
};

/** An action on a record, which is read before it and after it. */
const rulings = ({
  is,
  path = '/cases/{caseId}/close',
  result,
  schema = schemaOf({}),
  shown = schemaOf({ note: { type: 'string' } }),
  status = 200,
  was = { status: 'open', locked: false, note: '', version: '1' },
  wrapped = (members) => ({ id: 'case_7', ...members }),
}: Action) => {
  const reads = (id: string, body: JsonObject): Line => ({
    ...{ id, status: 200, operation: 'getCase', on: 'a', role: 'readback', observes: 'after' },
    body: wrapped(body),
  });
  const lines: readonly Line[] = [
    { id: 'a', role: 'setup', status: 201, result: 'case_7' },
    reads('before', was),
    {
      ...{ id: 'close', status, operation: 'closeCase', on: 'a', sent: '{"note":"done"}' },
      body: wrapped(result),
    },
    reads('after', { ...was, ...is }),
  ];
  const changed = (operation: Operation): Operation => {
    if (operation.id === 'closeCase')
      return { ...operation, path, success: { ...operation.success, schema } };
    return operation.id === 'getCase'
      ? { ...operation, success: { ...operation.success, schema: shown } }
      : operation;
  };
  const context = makeContext({
    contract: { ...contract, operations: contract.operations.map(changed) },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  return [...stateNotKept(context, trace(lines))].map((ruling) => [
    ruling.verdict,
    'actual' in ruling ? ruling.actual : undefined,
  ]);
};

test('the result shows a state that the record never takes, though it keeps the note', () => {
  const result = { status: 'closed', locked: true };
  const status = ['violated', '"open" at /status'];
  const flag = ['violated', 'false at /locked'];
  expect(rulings({ result, is: { note: 'done' } })).toEqual([status, flag]);
  expect(rulings({ result, is: { note: 'done', locked: true } })).toEqual([status]);
  const one = schemaOf({ status: { const: 'closed' } });
  expect(rulings({ result, is: { note: 'done' }, schema: one })).toEqual([status, flag]);
});

test.each<[string, Action]>([
  ['the record has it', { result: { status: 'closed' }, is: { status: 'closed', note: 'done' } }],
  ['it went on to another one', { result: { status: 'closed' }, is: { status: 'closing', note: 'done' } }],
  ['the record is as before in all', { result: { status: 'closed' }, is: {} }],
  ['it has another version alone', { result: { status: 'closed' }, is: { version: '2' } }],
  [
    'another command may have taken the state away',
    { result: { status: 'closed', version: '2' }, is: { note: 'done', version: '3' } },
  ],
  ['it is soon over', { result: { status: 'closing' }, is: { note: 'done' } }],
  ['it is queued', { result: { status: 'closed' }, is: { note: 'done' }, status: 202 }],
  [
    'a restart brings it back',
    { result: { status: 'closed' }, is: { note: 'done' }, path: '/cases/{caseId}/restart' },
  ],
  ['the result is of another record', { result: { id: 'close_1', status: 'closed' }, is: { note: 'done' } }],
  [
    'the result has other states',
    {
      result: { status: 'done' },
      is: { note: 'done' },
      schema: schemaOf({ status: { enum: ['done', 'failed'] } }),
    },
  ],
  [
    'not everybody sees it',
    {
      result: { status: 'closed' },
      is: { note: 'done' },
      shown: schemaOf({ status: { ...states, description: 'Shown once published.' } }),
    },
  ],
])('%s: nothing is violated', (_, action) => {
  expect(rulings(action)).toEqual([]);
});

test('a record of JSON:API has its members in attributes', () => {
  const inside = (schema: JsonObject): JsonObject => ({
    type: 'object',
    properties: { data: { type: 'object', properties: { id: { type: 'string' }, attributes: schema } } },
  });
  const wrapped = (attributes: JsonObject): JsonObject => ({ data: { id: 'case_7', attributes } });
  const schema = inside(schemaOf({ note: { type: 'string' } }));
  const was = { status: 'open', note: '' };
  const ofAttributes = (is: JsonObject) =>
    rulings({ ...{ schema, shown: schema, wrapped, was }, result: { status: 'closed' }, is });
  expect(ofAttributes({ note: 'done' })).toEqual([['violated', '"open" at /status']]);
  expect(ofAttributes({ note: 'done', status: 'closed' })).toEqual([]);
});
