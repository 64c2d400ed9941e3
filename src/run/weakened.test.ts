import { expect, test } from 'vitest';
import { contract, createCase } from '../clauses/cases/contract.ts';
import { loadContract } from '../contract/load.ts';
import type { Operation } from '../model/contract.ts';
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
  ];
  expect(weakened({ ...contract, operations })).toEqual([
    'the contract is weakened: GET /x requires no bearer token',
    'the contract is weakened: GET /x requires no exact permission',
  ]);
});

test('witnesses that the specification refuses', () => {
  const lax = { type: 'object', properties: { subject: {} } };
  expect(
    of({ body: { ...createCase.body, required: true, mediaType: 'application/json', schema: lax } }),
  ).toEqual(expect.arrayContaining(['does not require subject', 'allows a subject that is not a string']));
  expect(of({ success: { ...createCase.success, status: 200, schema: { type: 'object' } } })).toEqual(
    expect.arrayContaining([
      'declares 200 in place of 201',
      'does not require id in its result',
      'allows an id without the prefix case_',
      'does not require status in its result',
      'allows another status than open on creation',
    ]),
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
