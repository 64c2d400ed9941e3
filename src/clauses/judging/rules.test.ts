import { expect, test } from 'vitest';
import { rulingsOf } from '../../judge.ts';
import { type Operation, operationOf } from '../../model/contract.ts';
import { contract, createCase } from '../cases/contract.ts';

import { contextOf } from '../cases/judged.ts';
import { trace } from '../cases/trace.ts';
import { clauseOf } from '../catalogue.ts';
import { seen } from './reading.ts';
import { commands, guarded, reads, refused, withBody } from './rules.ts';

const applies = (
  predicate: (literal: typeof contract, operation: Operation) => boolean,
  more: Partial<Operation>,
) => predicate(contract, { ...createCase, ...more });

test('an operation is guarded where it needs a token, also where the document names no permission', () => {
  expect(applies(guarded, { permissions: ['case.create'] })).toBe(true);
  expect(applies(guarded, { permissions: [] })).toBe(true);
  expect(applies(guarded, { permissions: undefined })).toBe(false);
});

test('commands, reads and bodies', () => {
  expect([applies(commands, {}), applies(commands, { kind: 'read' })]).toEqual([true, false]);
  expect([applies(reads, {}), applies(reads, { kind: 'read' })]).toEqual([false, true]);
  expect(applies(withBody, {})).toBe(true);
  expect(applies(withBody, { body: undefined })).toBe(false);
  expect(applies(withBody, { kind: 'read' })).toBe(false);
});

const onCases = ['createCase', 'updateCase', 'closeCase', 'approveCase'];
const guardedReads = ['listCases', 'getCase'];
const open = ['createNote', 'listNotes', 'findNotes', 'echo', 'ping', 'wipeCase', 'dropCase'];
const everything = [...onCases, ...guardedReads, ...open];
const withFields = [...onCases, 'createNote'];
/** Left out here: what some clauses need a contract to have. */
const special = [
  'headCase',
  'escalate',
  'mention',
  'moveHours',
  'shelve',
  'keepCase',
  'addPart',
  'tagCases',
  'addParts',
  'listParts',
  'listPieces',
  'addTask',
  'listTasks',
  'addStep',
  'getStep',
  'seekCases',
  'fetchCase',
  'listEntries',
  'submit',
  'readSettings',
  'saveSettings',
];
const severalFields = ['createCase', 'createNote'];

/** Operations of the literal contract, some of which are public and some of which have no body. */
const table: readonly (readonly [readonly string[], string])[] = [
  [onCases, 'AUT-1 AUT-10 PRM-6 PRM-8'],
  [guardedReads, 'AUT-9 RDS-2 RDS-7'],
  [[...onCases, ...guardedReads], 'AUT-2 AUT-3 AUT-4 AUT-5 AUT-6 AUT-7 AUT-8 AUT-11 AUT-12 AUT-13'],
  [[...onCases, ...guardedReads], 'PRM-1 PRM-2 PRM-3 PRM-4 PRM-7 PRM-9 PRM-10 PRE-1'],
  [['updateCase', 'closeCase', 'approveCase', 'getCase'], 'PRM-5'],
  [[...onCases, 'listCases'], 'PRE-2'],
  [withFields, 'VAL-1 VAL-2 VAL-3 VAL-6 VAL-15'],
  [[...withFields, 'echo'], 'PRE-3 VAL-7 VAL-8 VAL-9 VAL-10 VAL-13 VAL-14'],
  [severalFields, 'VAL-4 VAL-5 VAL-11'],
  [['listCases', 'listNotes', 'findNotes'], 'VAL-12'],
  [['listCases', 'findNotes'], 'RDS-3'],
  [['listCases', 'listNotes'], 'RDS-4 RDS-5 RDS-6'],
  [['listCases', 'listNotes', 'findNotes', 'getCase'], 'RID-9 RDS-1 RDS-8'],
  [[...onCases, 'createNote', 'echo', 'ping', 'wipeCase', 'dropCase'], 'RID-1 CMD-1 ERR-4'],
  // Whose success declares no result has none to be typed.
  [withFields, 'CMD-2 CMD-3 ERR-2'],
  [[...withFields, 'echo', 'ping'], 'CMD-4'],
  [['createCase', 'createNote', 'echo', 'ping'], 'CMD-5'],
  [[...onCases, 'wipeCase', 'dropCase'], 'CMD-6'],
  [everything, 'RID-2 RID-3 RID-4 RID-5 RID-6 RID-7 RID-8 ERR-1 ERR-3 PRE-4'],
];

test.each(table.flatMap(([operations, codes]) => codes.split(' ').map((code) => ({ code, operations }))))(
  '$code binds $operations',
  ({ code, operations }) => {
    const clause = clauseOf(code);
    const bound = contract.operations.filter((operation) => clause?.applies(contract, operation));
    const ids = bound.map(({ id }) => id).filter((id) => !special.includes(id));
    expect(ids.toSorted()).toEqual(operations.toSorted());
  },
);

test('ids that callers choose within a record are not compared', () => {
  const part = { name: 'partId', schema: { type: 'string' }, source: undefined } as const;
  const put = (chosen: object): Operation => ({
    ...operationOf(contract, 'addPart'),
    method: 'PUT',
    path: '/cases/{caseId}/parts/{partId}',
    pathFields: [...operationOf(contract, 'addPart').pathFields, { ...part, ...chosen }],
  });
  const binds = (operation: Operation) => clauseOf('CMD-5')?.applies(contract, operation);
  expect([binds(put({ chosen: true })), binds(operationOf(contract, 'addPart'))]).toEqual([false, true]);
});

test('ids are compared where the contract declares one that the caller does not name', () => {
  const text = { type: 'object', properties: { id: { type: 'string' } } } as const;
  const binds = (more: Partial<Operation>) => applies(clauseOf('CMD-5')?.applies ?? commands, more);
  const body = (required: readonly string[]) => ({
    body: { required: true, mediaType: 'application/json', schema: { ...text, required } },
    success: { ...createCase.success, schema: text },
  });
  expect([binds(body([])), binds(body(['id']))]).toEqual([true, false]);
  const results = [{ type: 'object', properties: {} }, { type: 'object' }] as const;
  expect(results.map((schema) => binds({ success: { ...createCase.success, schema } }))).toEqual([
    false,
    true,
  ]);
});

test.each([
  ['the empty response to HEAD shows nothing', 'getCase', 'HEAD', '', 'holds'],
  ['a read that is shown', 'getCase', 'HEAD', '{"id":"case_7"}', 'violated'],
  ['an empty response to another method', 'getCase', 'POST', '', 'violated'],
  ['a command that is done', 'closeCase', 'HEAD', '', 'violated'],
])('a method in a header: %s', (_, operation, method, body, verdict) => {
  const header = 'X-HTTP-Method-Override';
  const noise = { kind: 'header-noise', header } as const;
  const plain = trace([
    {
      ...{ id: 'probe', status: 200, operation, as: 'nobody', role: 'test', given: 'case_7' },
      deviations: [{ kind: 'permission', how: 'none' }, noise],
    },
  ]);
  const made = {
    ...plain,
    exchanges: plain.exchanges.map(({ answer, request, ...exchange }) => ({
      ...exchange,
      request: { ...request, headers: [...request.headers, [header, method] as const] },
      answer: answer && { ...answer, body, bodyBytes: body.length },
    })),
  };
  expect(seen(contextOf(), made).map((one) => refused(contextOf(), made, one).verdict)).toEqual([verdict]);
  const clause = clauseOf('ERR-1');
  const rulings = clause === undefined ? [] : rulingsOf(clause, contextOf(), made);
  expect(rulings.some((one) => one.verdict === 'violated')).toBe(verdict === 'violated');
});
