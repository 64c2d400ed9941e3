import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { object, operation } from '../../selftest/shapes/document.ts';
import { contractOf } from '../../testing/contracts.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { answered, seen } from './reading.ts';
import { readOfRecord, stateBefore } from './record-reads.ts';

/** What a PUT or a read at one path had before it, as the reads of it show. */
const before = (path: string, readPath: string, was: { readonly [name: string]: string }) => {
  const context = makeContext({
    contract: {
      ...contract,
      operations: contract.operations.map((operation) =>
        operation.id === 'updateCase'
          ? { ...operation, method: 'PUT', path }
          : operation.id === 'getCase'
            ? { ...operation, path: readPath }
            : operation,
      ),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const read = (id: string, observes: 'before' | 'after', body: typeof was): Line => ({
    ...{ id, status: 200, operation: 'getCase', on: 'a', role: 'readback', observes, body },
  });
  const lines: readonly Line[] = [
    { id: 'a', role: 'setup', status: 201, result: 'case_7' },
    read('before', 'before', was),
    { id: 'put', status: 200, operation: 'updateCase', on: 'a', role: 'test', body: {} },
    read('after', 'after', { colour: 'red' }),
  ];
  const one = trace(lines);
  const all = seen(context, one);
  const put = answered(context, one).find(({ step }) => step.id === 'put');
  const after = put === undefined ? undefined : readOfRecord(context, all, put);
  return put === undefined || after === undefined ? undefined : stateBefore(context, all, put, after);
};

const settings = '/cases/{caseId}/settings';

test('settings below a record are known by their path, though they do not show its ID', () => {
  expect(before(settings, settings, { colour: 'blue' })?.get('colour')).toBe('blue');
});

test('a record under its own ID shows it', () => {
  expect(before('/cases/{caseId}', '/cases/{caseId}', { colour: 'blue' })).toBeUndefined();
  const shown = before('/cases/{caseId}', '/cases/{caseId}', { id: 'case_7', colour: 'blue' });
  expect(shown?.get('colour')).toBe('blue');
});

test('what is put below a record is not what a read of the record shows', () => {
  expect(before(settings, '/cases/{caseId}', { colour: 'blue' })).toBeUndefined();
});

/** What a read shows of one PUT, next to which another one was under way. */
const nextTo = (other: Partial<Line>) => {
  const settings = { method: 'PUT', path: '/settings', pathFields: [] } as const;
  const context = makeContext({
    contract: {
      ...contract,
      operations: contract.operations.map((operation) =>
        operation.id === 'updateCase'
          ? { ...operation, ...settings }
          : operation.id === 'getCase'
            ? { ...operation, path: '/settings', pathFields: [] }
            : operation,
      ),
    },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const put: Partial<Line> = { operation: 'updateCase', role: 'test', status: 200, took: 10 };
  const lines: readonly Line[] = [
    { id: 'other', status: 200, ...put, at: 100, sent: '{"colour":"blue"}', ...other },
    { id: 'one', status: 200, ...put, at: 102, sent: '{"colour":"red"}' },
    {
      ...{ id: 'after', status: 200, operation: 'getCase', role: 'readback', observes: 'after' },
      ...{ at: 9000, body: { colour: 'blue' } },
    },
  ];
  const made = trace(lines);
  const all = seen(context, made);
  const one = answered(context, made).find(({ step }) => step.id === 'one');
  return one === undefined ? undefined : readOfRecord(context, all, one)?.step.id;
};

test('a read shows the last command only if no other one was under way with it', () => {
  expect(nextTo({ took: 1 })).toBe('after');
  expect(nextTo({ took: 10 })).toBeUndefined();
  expect(nextTo({ took: 200 })).toBeUndefined();
});

test('a command without a response may take effect at any time', () => {
  expect(nextTo({ took: 1, status: undefined })).toBeUndefined();
});

test('a refused command, and a duplicate of the same request, change nothing else', () => {
  expect(nextTo({ status: 409 })).toBe('after');
  expect(nextTo({ status: 500 })).toBeUndefined();
  expect(nextTo({ sent: '{"colour":"red"}' })).toBe('after');
});

test('a list that alone shows what a PUT changes shows it before that, too', async () => {
  const words = { type: 'string' } as const;
  const line = object({ id: words, item: words }, ['id']);
  const effect = { list: 'listParts' };
  const context = makeContext({
    contract: await contractOf(
      operation('POST /cases', 'createCase', { result: object({ id: words }) }),
      operation('GET /cases/{caseId}/lines', 'listParts', { result: { type: 'array', items: line } }),
      operation('POST /cases/{caseId}/lines', 'addPart', { result: line, governed: { effect } }),
      operation('PUT /cases/{caseId}/lines/{id}', 'updateCase', {
        ...{ body: object({ item: words }), result: line, status: '200', governed: { effect } },
      }),
    ),
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const paths: Readonly<Record<string, string>> = {
    listParts: '/cases/case_7/lines',
    addPart: '/cases/case_7/lines',
    updateCase: '/cases/case_7/lines/l1',
  };
  const stateOf = (id: string, was: readonly JsonObject[], between: readonly Line[] = []) => {
    const read = (observes: 'before' | 'after', body: readonly JsonObject[]): Line => ({
      ...{ id: observes, status: 200, operation: 'listParts', on: 'a', role: 'readback', observes },
      body: [...body],
    });
    const item = { id: 'l1', item: 'new' };
    const sent = trace([
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      read('before', was),
      ...between,
      { id: 'put', operation: 'updateCase', on: 'a', role: 'test', status: 200, body: item },
      { id: 'add', operation: 'addPart', on: 'a', role: 'test', status: 201, body: { id: 'l9' } },
      read('after', [item, { id: 'l9' }]),
    ]);
    const exchanges = sent.exchanges.map((one) => ({
      ...one,
      request: { ...one.request, path: paths[one.operation] ?? one.request.path },
    }));
    const made = { ...sent, exchanges };
    const all = seen(context, made);
    const one = answered(context, made).find(({ step }) => step.id === id);
    const after = one === undefined ? undefined : readOfRecord(context, all, one);
    const state =
      one === undefined || after === undefined ? undefined : stateBefore(context, all, one, after);
    return state?.get('item');
  };
  const others = [{ id: 'l2', item: 'other' }];
  expect(stateOf('put', [...others, { id: 'l1', item: 'old' }])).toBe('old');
  expect(stateOf('put', others)).toBeUndefined();
  expect(stateOf('add', [...others, { id: 'l9', item: 'old' }])).toBeUndefined();
  const also: Line = { id: 'also', operation: 'updateCase', on: 'a', role: 'test', status: 200, body: {} };
  expect(stateOf('put', [{ id: 'l1', item: 'old' }], [also])).toBeUndefined();
});
