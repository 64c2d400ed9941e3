import { expect, test } from 'vitest';
import { rulingsOf } from '../../judge.ts';
import type { Operation } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';
import { Undecided } from '../../model/undecided.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, createCase, principals } from '../cases/contract.ts';
import { judged, stated } from '../cases/judged.ts';
import { neverWrittenCases } from '../cases/never-written.ts';
import { resultCases } from '../cases/results.ts';
import { shown, trace } from '../cases/trace.ts';
import { clauseOf } from '../catalogue.ts';

test.each([...resultCases, ...neverWrittenCases])('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

test.each([
  ['CMD-2', { id: 1, status: 'open' }, 'violated: /id '],
  ['CMD-2', [], 'violated: The body is not an object'],
  ['CMD-3', { id: 'case_1' }, 'violated: /status '],
  ['CMD-4', '', 'violated: the body is empty'],
])('%s says what departs, and where: %j', (clause, body, words) => {
  const trace = [{ id: 'a', status: 201, body }];
  expect(judged({ clause, kind: 'violates', when: '', trace }).because).toContain(words);
});

test('CMD-6 binds a command whose record only the list of another one shows', () => {
  const bound = contract.operations.filter((one) => clauseOf('CMD-6')?.applies(contract, one));
  expect(bound.map(({ id }) => id)).toContain('addPart');
});

const json = 'application/json';
const nothing = { status: 204, mediaType: undefined, schema: undefined };
const untyped = { status: 200, mediaType: json, schema: undefined };

test.each([
  ['a body of a declared shape', {}, ['CMD-2', 'CMD-3', 'CMD-4', 'ERR-2']],
  ['no body', { success: nothing }, []],
  ['a body of any shape', { success: untyped }, ['CMD-4']],
  [
    'no body, or one of a declared shape',
    { success: nothing, otherSuccesses: [createCase.success] },
    ['CMD-2', 'CMD-3', 'CMD-4'],
  ],
])('the clauses about a result bind a command that returns %s', (_, declared, codes) => {
  const operation: Operation = { ...createCase, ...declared };
  const binding = ['CMD-2', 'CMD-3', 'CMD-4', 'ERR-2'].filter((code) =>
    clauseOf(code)?.applies(contract, operation),
  );
  expect(binding).toEqual(codes);
});

test.each([
  [201, { id: 'case_1', status: 'open' }, 'holds'],
  [202, { ticket: 7 }, 'holds'],
  [202, { id: 'case_1', status: 'open' }, 'violated'],
])('a result of %i is compared with the schema of that status: %j', (status, body, verdict) => {
  const ticket = { type: 'object', required: ['ticket'], properties: { ticket: { type: 'integer' } } };
  const operation: Operation = {
    ...createCase,
    otherSuccesses: [{ status: 202, mediaType: json, schema: ticket }],
  };
  const clause = clauseOf('CMD-4');
  const context = makeContext({
    contract: { ...contract, operations: [operation] },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const rulings = clause && rulingsOf(clause, context, trace([{ id: 'a', status, body }]));
  expect(rulings?.map((one) => one.verdict)).toEqual([verdict]);
});

const notes = { type: 'array', items: { type: 'string' } };
const record = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const members = { properties: { id: { type: 'string' } } };

test.each([
  ['one of several kinds', { oneOf: [notes, record] }, ['a'], 'holds'],
  ['a list by reference', { $ref: '#/$defs/notes', $defs: { notes } }, ['a'], 'holds'],
  ['a choice', { enum: ['done'] }, '"done"', 'holds'],
  ['of several kinds another one', { oneOf: [notes, record] }, 5, 'violated'],
  ['a list where members alone are declared', members, ['a'], 'violated'],
  ['a text where nothing is declared', {}, '"done"', 'violated'],
])('a result may be what the schema declares: %s', (_, schema, body, verdict) => {
  const operation: Operation = { ...createCase, success: { status: 200, mediaType: json, schema } };
  const context = makeContext({
    contract: { ...contract, operations: [operation] },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  for (const code of ['CMD-2', 'CMD-4']) {
    const clause = clauseOf(code);
    const rulings = clause && rulingsOf(clause, context, trace([{ id: 'a', status: 200, body }]));
    expect([code, rulings?.map((one) => one.verdict)]).toEqual([code, [verdict]]);
  }
});

test('a result is compared with no schema that nothing satisfies', () => {
  const base = { type: 'object', properties: { id: { type: 'string' } }, additionalProperties: false };
  const schema = {
    allOf: [base, { type: 'object', required: ['total'], properties: { total: { type: 'integer' } } }],
  };
  const operation: Operation = { ...createCase, success: { status: 200, mediaType: json, schema } };
  const context = makeContext({
    contract: { ...contract, operations: [operation] },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const clause = clauseOf('CMD-4');
  const judge = (body: Json): unknown =>
    clause && rulingsOf(clause, context, trace([{ id: 'a', status: 200, body }]));
  expect(() => judge({ id: 'a', total: 1 })).toThrow(Undecided);
});

const three = ['one', 'two', 'three'].map((word) => ({ subject: `${word} asy-t-body` }));
const named = (...ids: readonly string[]): Json => ({ cases: ids.map((id) => ({ id })) });

test.each<[string, Json, Json, readonly string[], string]>([
  ['all', { cases: three }, named('a', 'b', 'c'), ['a', 'b', 'c'], 'holds'],
  ['the first', { cases: three }, named('a', 'b', 'c'), ['a'], 'violated'],
  ['all but the first', { cases: three }, named('a', 'b', 'c'), ['b', 'c'], 'violated'],
  ['the first, and the result too', { cases: three }, named('a'), ['a'], 'violated'],
  [
    'the first, and the result says so',
    { cases: three },
    { ...Object(named('a')), skipped: 2 },
    ['a'],
    'inconclusive',
  ],
  [
    'the first of some that have more in common than a text may differ in',
    { cases: three.map((item) => ({ ...item, kind: 'home' })) },
    named('a'),
    ['a'],
    'inconclusive',
  ],
  ['all, and the result names one', { cases: three }, named('a'), ['a', 'b', 'c'], 'holds'],
  ['the first of a list', three, named('a', 'b', 'c'), ['a'], 'violated'],
  [
    'the first, which alone is marked',
    { cases: [three[0] ?? {}, { subject: 'b' }] },
    named('a', 'b'),
    ['a'],
    'holds',
  ],
  ['the one', { cases: three.slice(0, 1) }, named('a'), ['a'], 'holds'],
])('of several records made at once the list shows %s', (_, sent, body, ids, verdict) => {
  const operation: Operation = {
    ...createCase,
    effect: { read: undefined, list: 'listCases', id: '/cases/0/id' },
    idAt: '/cases/0/id',
  };
  const context = makeContext({
    contract: { ...contract, operations: [operation, ...contract.operations.slice(1)] },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const clause = clauseOf('CMD-6');
  const made = trace([{ id: 'a', status: 201, sent: JSON.stringify(sent), body }], {
    effects: shown('t', { body: ids }),
  });
  const rulings = clause && rulingsOf(clause, context, made);
  expect(rulings?.map((one) => one.verdict)).toEqual([verdict]);
});

test.each([
  ['two records were made one by one with all of it', ['x', 'y'], 'home', 'violated'],
  ['both commands made one record', ['x', 'x'], 'home', 'inconclusive'],
  ['two records were made with something else', ['x', 'y'], 'work', 'inconclusive'],
])('the first of some that have more in common, where %s', (_, ids, kind, verdict) => {
  const operation: Operation = {
    ...createCase,
    effect: { read: undefined, list: 'listCases', id: '/cases/0/id' },
    idAt: '/cases/0/id',
  };
  const context = makeContext({
    contract: { ...contract, operations: [operation, ...contract.operations.slice(1)] },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const alone = ids.map((id, nth) => ({
    ...{ id: `alone-${nth}`, role: 'setup' as const, status: 201, name: `alone-${nth}` },
    sent: JSON.stringify({ cases: [{ subject: `asy-t-alone-${nth}`, kind }] }),
    body: named(id),
  }));
  const sent = JSON.stringify({ cases: three.map((item) => ({ ...item, kind: 'home' })) });
  const made = trace([...alone, { id: 'a', status: 201, sent, body: named('a') }], {
    effects: shown('t', { body: ['a'], 'alone-0': ['x'], 'alone-1': [ids[1] ?? ''] }),
  });
  const clause = clauseOf('CMD-6');
  const rulings = clause && rulingsOf(clause, context, made);
  expect(rulings?.map((one) => one.verdict).at(-1)).toEqual(verdict);
});
