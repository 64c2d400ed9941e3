import { expect, test } from 'vitest';
import { rulingsOf } from '../../judge.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { object, operation } from '../../selftest/shapes/document.ts';
import { contractOf } from '../../testing/contracts.ts';
import { principals } from '../cases/contract.ts';
import { type Line, type Part, trace } from '../cases/trace.ts';
import { clauseOf } from '../catalogue.ts';

const words = { type: 'string' } as const;
const line = object({ id: words, item: words, note: words }, ['id']);
const body = object({ item: words, note: words }, []);

type Order = {
  readonly lines?: JsonObject;
  readonly read?: Parameters<typeof operation>[2];
  readonly governed?: JsonObject;
};

/** Orders that show their lines, which no other read does. */
const orders = ({ governed, lines, read }: Order = {}) => {
  const order = object({ id: words, total: { type: 'number' }, version: { type: 'integer' } }, [], {
    properties: {
      id: words,
      total: { type: 'number' },
      version: { type: 'integer' },
      lines: { type: 'array', items: lines ?? line },
    },
  });
  const rule = { governed: governed ?? { effect: { read: 'getCase' } } };
  return contractOf(
    operation('POST /cases', 'createCase', { result: order, governed: { effect: { read: 'getCase' } } }),
    operation('GET /cases/{caseId}', 'getCase', { result: order, ...read }),
    operation('POST /cases/{caseId}/lines', 'addPart', { body, result: line, ...rule }),
    operation('PUT /cases/{caseId}/lines/{id}', 'updateCase', { body, result: line, status: '200', ...rule }),
    operation('DELETE /cases/{caseId}/lines/{id}', 'wipeCase', { status: '204', ...rule }),
  );
};

const paths: Readonly<Record<string, string>> = {
  addPart: '/cases/case_7/lines',
  updateCase: '/cases/case_7/lines/l1',
  wipeCase: '/cases/case_7/lines/l1',
};
const made: Line = { id: 'a', role: 'setup', status: 201, result: 'case_7' };
const look = (observes: Line['observes'] & string, lines: Json | undefined, more: JsonObject = {}): Line => ({
  ...{ id: observes, observes, role: 'readback', operation: 'getCase', on: 'a', status: 200 },
  body: { id: 'case_7', total: 1, ...(lines === undefined ? {} : { lines }), ...more },
});
const command = (of: string, more: Partial<Line> = {}): Line => ({
  ...{ id: 'command', operation: of, on: 'a', role: 'test', status: of === 'wipeCase' ? 204 : 200 },
  ...more,
});

async function rulings(lines: readonly Part[], order: Order = {}): Promise<readonly string[]> {
  const context = makeContext({
    contract: await orders(order),
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const sent = trace(lines);
  const exchanges = sent.exchanges.map((one) => {
    const path = paths[one.operation];
    return path === undefined ? one : { ...one, request: { ...one.request, path } };
  });
  const clause = clauseOf('CMD-6');
  const found = clause === undefined ? [] : rulingsOf(clause, context, { ...sent, exchanges });
  return found
    .filter(({ exchanges: [first = ''] }) => first.endsWith('x2') || lines.length > 4)
    .map(({ verdict }) => verdict);
}

const [one, two] = [
  { id: 'l1', item: 'asy-t-body' },
  { id: 'l2', item: 'other' },
];
const add = command('addPart', { status: 201, body: one });
const put = command('updateCase', { body: one });
const wipe = command('wipeCase');

test('a record shows what was made within it', async () => {
  const around = (had: Json | undefined, has: Json | undefined, more: JsonObject = {}): readonly Line[] => [
    ...[made, look('before', had), add, look('after', has, more)],
  ];
  expect(await rulings(around([], [one]))).toEqual(['holds']);
  expect(await rulings(around(undefined, [one]))).toEqual(['holds']);
  expect(await rulings(around([], []))).toEqual(['violated']);
  expect(await rulings(around([two], [two]))).toEqual(['violated']);
  expect(await rulings(around([], [], { version: 2 }))).toEqual(['violated']);
  expect(await rulings(around([], [one, one]))).toEqual(['violated']);
});

test('what a record shows otherwise, or not at all, is no violation', async () => {
  const around = (had: Json | undefined, has: Json | undefined, more: JsonObject = {}): readonly Line[] => [
    ...[made, look('before', had), add, look('after', has, more)],
  ];
  // Its total shows that something was made there.
  expect(await rulings(around([], [], { total: 2 }))).toEqual(['inconclusive']);
  // It may show no more than a few.
  const many = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
  expect(await rulings(around(many, many))).toEqual(['inconclusive']);
  expect(await rulings(around([], [two]))).toEqual(['inconclusive']);
  expect(await rulings(around(undefined, undefined))).not.toContain('violated');
  const queued = [made, look('before', []), { ...add, status: 202 }, look('after', [])];
  expect(await rulings(queued)).not.toContain('violated');
  const others = [made, look('before', []), add, { ...look('after', []), as: 'peer' }];
  expect(await rulings(others)).not.toContain('violated');
  // Another schema may be that of a part of them, and a query field may ask for them.
  const lines = object({ id: words, sum: { type: 'number' } }, ['id']);
  expect(await rulings(around([], []), { lines })).not.toContain('violated');
  const expand = { name: 'expand', in: 'query', schema: words };
  expect(await rulings(around([], []), { read: { parameters: [expand] } })).not.toContain('violated');
  expect(await rulings(around([], []), { governed: {} })).toEqual([]);
});

const part = (id: string): JsonObject => ({ id, item: id });
const adds = (id: string, more: Partial<Line> = {}): Line =>
  command('addPart', { id, status: 201, body: part(id), ...more });
const holds = (id: string, parts: readonly string[], more: JsonObject = {}): Line => ({
  ...look('holder', parts.map(part), more),
  id,
});

test('a part that is made next to others is in the record', async () => {
  const around = (had: readonly string[], has: readonly string[], more: JsonObject = {}): readonly Part[] => [
    ...[made, holds('first', []), adds('l1'), holds('second', had), adds('l2'), holds('third', has, more)],
  ];
  expect(await rulings(around(['l1'], ['l1', 'l2']))).not.toContain('violated');
  expect(await rulings(around(['l1'], ['l1']))).toContain('violated');
  expect(await rulings(around(['l1'], ['l1'], { total: 2 }))).not.toContain('violated');
  // One part may be what takes the place of another one.
  expect(await rulings(around(['l1'], ['l2']))).not.toContain('violated');
});

test('a PUT of a part that is there changes it', async () => {
  const was = { ...one, item: 'asy-s-body' };
  const around = (has: Json, more: Partial<Line> = {}): readonly Line[] => [
    ...[made, look('before', [was, two]), { ...put, ...more }, look('after', has)],
  ];
  expect(await rulings(around([one, two]))).toContain('holds');
  expect(await rulings(around([two, one]))).not.toContain('violated');
  expect(await rulings(around([was, two]))).toContain('violated');
  expect(await rulings(around([was, two], { status: 202 }))).not.toContain('violated');
  // A record may hide a part that a PUT put into the background.
  expect(await rulings(around([two]))).not.toContain('violated');
});

test('a part that is deleted is gone from its record, and no other one is', async () => {
  const around = (has: Json | undefined, had: Json = [one, two], more: Partial<Line> = {}) => [
    ...[made, look('before', had), { ...wipe, ...more }, look('after', has)],
  ];
  expect(await rulings(around([two]))).toEqual(['holds']);
  expect(await rulings(around(undefined, [one]))).toEqual(['holds']);
  expect(await rulings(around([one, two]))).toEqual(['violated']);
  expect(await rulings(around([]))).toEqual(['violated']);
  expect(await rulings(around([one]))).toEqual(['violated']);
  expect(await rulings(around([one, two], [one, two], { status: 202 }))).toEqual(['inconclusive']);
  // It may be kept, and say so, or take with it what belongs to it.
  expect(await rulings(around([{ ...one, deleted: true }, two]))).toEqual(['holds']);
  expect(await rulings(around([], [one, { ...two, of: 'l1' }]))).toEqual(['holds']);
  expect(await rulings(around([two], [two]))).toEqual([]);
});
