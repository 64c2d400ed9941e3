import { describe, expect, test } from 'vitest';
import { contract, createCase } from '../clauses/cases/contract.ts';
import { loadContract } from '../contract/load.ts';
import type { Operation } from '../model/contract.ts';
import type { Json, JsonObject, JsonSchema } from '../model/json.ts';
import { weakened } from './weakened.ts';

const of = (more: Partial<Operation>): readonly string[] =>
  weakened({ ...contract, operations: [{ ...createCase, ...more }] }).map((what) =>
    what.replace('the contract is weakened: POST /cases ', ''),
  );

test.each(['fixtures/contracts/governed-command-1.27.0.yaml', 'fixtures/contracts/extended-catalogue.yaml'])(
  '%s demands what the specification does',
  async (file) => {
    expect(weakened(await loadContract(file))).toEqual([]);
  },
);

test('no bearer token, or no permission', () => {
  const open = { ...createCase, method: 'GET', path: '/x' };
  const operations = [
    { ...open, permissions: undefined },
    { ...open, permissions: [] },
    { ...open, otherCredentials: true } as const,
  ];
  expect(weakened({ ...contract, operations })).toEqual([
    'the contract is weakened: GET /x requires no bearer token',
    'the contract is weakened: GET /x requires no exact permission',
    'the contract is weakened: GET /x can be called without a bearer token, by another scheme',
  ]);
});

test.each([
  ['/v1/cases', true],
  ['/api/v1.2/cases', true],
  ['/archive/cases', false],
])('POST %s is the command of the specification: %s', (path, is) => {
  const lax = { ...createCase, path, body: undefined };
  expect(weakened({ ...contract, operations: [lax] }).length > 0).toBe(is);
});

test('witnesses that the specification refuses', () => {
  const lax = { type: 'object', properties: { subject: {} } };
  expect(
    of({ body: { ...createCase.body, required: true, mediaType: 'application/json', schema: lax } }),
  ).toEqual(expect.arrayContaining(['does not require subject', 'allows a subject that is not a string']));
  expect(of({ success: { ...createCase.success, status: 200, schema: { type: 'object' } } })).toEqual(
    expect.arrayContaining([
      'declares 200 in place of 201',
      'does not require an ID in its result',
      'allows an ID that is not case_ plus an identifier',
      'does not require a status in its result',
      'allows a status other than open on creation',
    ]),
  );
});

test('a member that the document requires as well hides nothing', () => {
  const members = { id: { type: 'string' }, status: { type: 'string' }, subject: { type: 'string' } };
  const result = { type: 'object', required: ['subject'], properties: members };
  expect(of({ success: { ...createCase.success, schema: result } })).toEqual([
    'does not declare X-Request-Id in its response',
    'does not require an ID in its result',
    'allows an ID that is not case_ plus an identifier',
    'does not require a status in its result',
    'allows a status other than open on creation',
  ]);
  const schema = { type: 'object', required: ['priority'], properties: { priority: {} } };
  const body = { ...createCase.body, required: true, mediaType: 'application/json', schema };
  expect(of({ body })).toEqual([
    'does not require subject',
    'allows a subject that is not a string',
    'does not declare X-Request-Id in its response',
  ]);
});

test('records that every scope may see', () => {
  const operations = contract.operations.map((one) =>
    one.id === 'listCases' ? { ...one, shared: true as const } : one,
  );
  expect(weakened({ ...contract, operations })).toContain(
    'the contract is weakened: POST /cases shows its records to every scope',
  );
});

test('the request ID of the response', () => {
  const { success } = createCase;
  const schema = { type: 'string', pattern: '^req_' };
  const weaknesses = (requestId: Operation['success']['requestId']): readonly string[] =>
    of({ success: { ...success, ...(requestId === undefined ? {} : { requestId }) } }).filter((what) =>
      what.includes('X-Request-Id'),
    );
  expect(weaknesses(undefined)).toEqual(['does not declare X-Request-Id in its response']);
  expect(weaknesses({ required: false, schema: undefined })).toEqual([
    'does not require X-Request-Id in its response',
    'allows an X-Request-Id without the prefix req_',
  ]);
  expect(weaknesses({ required: true, schema })).toEqual([]);
});

describe('each weakening by itself', () => {
  const { success } = createCase;
  const id = { type: 'string', pattern: '^case_\\S+$' };
  const exact = { id, status: { const: 'open' } };
  const result = (properties: JsonObject): JsonSchema => ({
    type: 'object',
    required: ['id', 'status'],
    properties: { ...exact, ...properties },
  });
  const requestId = { required: true, schema: { type: 'string', pattern: '^req_' } };
  const declared = { ...success, requestId, schema: result({}) };
  const whole: Partial<Operation> = { success: declared };
  const shows = (more: JsonObject): Partial<Operation> => ({
    success: { ...declared, schema: result(more) },
  });
  const takes = (schema: JsonSchema, required = true): Partial<Operation> => ({
    ...whole,
    body: { mediaType: 'application/json', required, schema },
  });
  const subject = (type: Json): JsonSchema => ({
    type: 'object',
    required: ['subject'],
    properties: { subject: { type } },
  });
  const bodies = [{ type: 'string' }, { type: 'array' }, { type: 'null' }, { type: 'number' }];

  test('as specified', () => expect(of(whole)).toEqual([]));
  test.each<readonly [string, Partial<Operation>]>([
    ['does not require a body', takes(subject('string'), false)],
    ...['null', 'boolean', 'number', 'array', 'object'].map(
      (type) => ['allows a subject that is not a string', takes(subject(['string', type]))] as const,
    ),
    ...bodies.map(
      (other) =>
        ['allows a body that is not an object', takes({ anyOf: [subject('string'), other] })] as const,
    ),
    ...[
      { pattern: '^case_\\S+$' },
      { type: 'string', pattern: 'case_\\S+$' },
      { type: 'string', pattern: '^[Cc]ase_\\S+$' },
      { type: 'string', pattern: '^case_' },
      { type: ['string', 'null'], pattern: '^case_\\S+$' },
    ].map((other) => ['allows an ID that is not case_ plus an identifier', shows({ id: other })] as const),
    ...[{ enum: ['open', 'queued'] }, { pattern: 'open', type: 'string' }, { enum: ['open', null] }].map(
      (status) => ['allows a status other than open on creation', shows({ status })] as const,
    ),
    ['declares 200 in place of 201', { ...whole, otherSuccesses: [{ ...declared, status: 200 }] }],
    ['declares no exact status', { success: { ...declared, any: true } }],
    ['requires case.write in place of case.create', { ...whole, permissions: ['case.write'] }],
    [
      'requires case.create and case.admin in place of case.create',
      { ...whole, permissions: ['case.create', 'case.admin'] },
    ],
    ['is declared a read, so it requires no Idempotency-Key', { ...whole, kind: 'read' }],
  ])('%s', (what, more) => {
    expect(of(more)).toEqual([what]);
  });
});
