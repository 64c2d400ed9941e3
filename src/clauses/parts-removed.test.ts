import { expect, test } from 'vitest';
import { rulingsOf } from '../judge.ts';
import type { Operation } from '../model/contract.ts';
import type { Deviation } from '../model/scenario.ts';
import { makeContext } from '../oracle/context.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { contract, principals } from './cases/contract.ts';
import { type Line, record, reuse, trace } from './cases/trace.ts';
import { clauseOf } from './catalogue.ts';

/** The verdicts of a clause on a trace, where one operation of the literal contract is another one. */
function verdicts(
  code: string,
  lines: readonly Line[],
  changes: Readonly<Record<string, Partial<Operation>>>,
): readonly string[] {
  const operations = contract.operations.map((one): Operation => ({ ...one, ...changes[one.id] }));
  const context = makeContext({
    contract: { ...contract, operations },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const sent = trace(lines);
  const exchanges = sent.exchanges.map((one) => {
    const path = changes[one.operation]?.path?.replace('{caseId}', 'case_7') ?? one.request.path;
    return { ...one, request: { ...one.request, path } };
  });
  const clause = clauseOf(code);
  return clause === undefined
    ? []
    : rulingsOf(clause, context, { ...sent, exchanges }).map(({ verdict }) => verdict);
}

const made: Line = { id: 'made', role: 'setup', status: 201, result: 'case_7' };
const look = (id: 'before' | 'after'): Line => ({
  ...{ id, observes: id, role: 'readback', operation: 'getCase', on: 'made', status: 200 },
  body: record('case_7', { version: 'v1' }),
});
const listed = (id: 'list-before' | 'list-after'): Line => ({
  ...{ id, observes: id, role: 'readback', operation: 'listCases', status: 200 },
  body: { items: [{ id: 'case_7' }], nextCursor: null },
});
const unliked = { path: '/cases/{caseId}/like' } as const;
const wipe: Line = { id: 'wipe', operation: 'wipeCase', on: 'made', role: 'test', status: 204 };
const drop: Line = { ...wipe, operation: 'dropCase' };
const put: Line = { id: 'put', operation: 'keepCase', on: 'made', status: 200 };
const putLike = { ...unliked, method: 'PUT' } as const;

test('the deletion of a part that nothing has put there may change nothing', () => {
  const parts = { wipeCase: unliked, dropCase: unliked };
  expect(verdicts('CMD-6', [made, look('before'), wipe, look('after')], parts)).toEqual(['inconclusive']);
  expect(verdicts('CMD-6', [made, listed('list-before'), drop, listed('list-after')], parts)).toEqual([
    'inconclusive',
  ]);
});

test('the deletion of a part that was put there changes the record', () => {
  const lines = [made, put, look('before'), wipe, look('after')];
  expect(verdicts('CMD-6', lines, { wipeCase: unliked, keepCase: putLike })).toContain('violated');
  expect(verdicts('CMD-6', lines.slice(2), {})).toContain('violated');
});

test('IDM-4: what is new in a list is not made by a deletion', () => {
  const list = (observes: 'list-before' | 'list-after', ...ids: readonly string[]): Line => ({
    ...{ id: observes, observes, operation: 'listParts', on: 'made', role: 'readback', status: 200 },
    body: ids.map((id) => ({ id })),
  });
  const again: Line = { ...wipe, id: 'again', key: 'wipe', deviations: [reuse('wipe')] };
  const lines = [made, list('list-before'), wipe, again, list('list-after', 'part_1', 'part_2')];
  expect(verdicts('IDM-4', lines, {})).not.toContain('violated');
  const add = (one: Line): Line => ({ ...one, operation: 'addPart', status: 201, body: { id: 'part_1' } });
  expect(
    verdicts(
      'IDM-4',
      lines.map((one) => (one.operation === 'wipeCase' ? add(one) : one)),
      {},
    ),
  ).toContain('violated');
});

const foreign: Deviation = { kind: 'scope', through: 'own' };

/** A caller of another scope asks within a case of its own for what the case of the first scope has. */
function within(operation: string, status: number, after: string): readonly Line[] {
  return [
    made,
    { id: 'own', role: 'setup', as: 'abroad', status: 201, result: 'case_8' },
    look('before'),
    { id: 'probe', operation, on: 'own', as: 'abroad', role: 'test', status, deviations: [foreign] },
    { ...look('after'), body: record('case_7', { version: after }) },
    { id: 'control', controls: 'probe', operation, on: 'made', status: 200 },
  ];
}

test.each(['PRM-5', 'ERR-1'])('%s: a deletion within a record of its own may find nothing', (code) => {
  const judged = (status: number, after: string): readonly string[] =>
    verdicts(code, within('wipeCase', status, after), {});
  expect(judged(204, 'v1')).not.toContain('violated');
  if (code === 'PRM-5') {
    expect(judged(204, 'v1')).toEqual(['holds']);
    expect(judged(204, 'v2')).toEqual(['violated']);
    expect(judged(404, 'v1')).toEqual(['holds']);
  }
});

test.each([
  ['a name', { chosen: true }, 'inconclusive'],
  ['an ID', {}, 'violated'],
] as const)('PRM-5: %s of the first scope within a record of its own', (_, more, verdict) => {
  const pathFields = contract.operations
    .find(({ id }) => id === 'approveCase')
    ?.pathFields.map((field) => ({ ...field, ...more }));
  const changes = { approveCase: pathFields === undefined ? {} : { pathFields } };
  expect(verdicts('PRM-5', within('approveCase', 409, 'v1'), changes)).toEqual([verdict]);
});
