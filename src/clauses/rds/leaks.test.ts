import v8 from 'node:v8';
import vm from 'node:vm';
import { expect, test } from 'vitest';
import { makeLedger } from '../../judge.ts';
import type { Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import type { JsonObject } from '../../model/json.ts';
import { contextOf } from '../cases/judged.ts';
import { type Line, trace } from '../cases/trace.ts';
import { clauseOf } from '../catalogue.ts';

const marker = 'asy-0123456789abcdef';

/** A command by somebody, with a marker in its body. */
function made(as: string, more: Partial<Line> = {}): Trace {
  const one = trace([{ id: 'made', status: 201, as, ...more }]);
  return {
    ...one,
    exchanges: one.exchanges.map((exchange) => ({
      ...exchange,
      request: { ...exchange.request, body: JSON.stringify({ subject: `a case ${marker}` }) },
    })),
  };
}

/** A page of an independent read. */
function swept(as: string): Trace {
  const body = { items: [{ id: 'case_1' }, { id: 'case_2', subject: `a case ${marker}` }], nextCursor: null };
  return { ...trace([{ id: 'sweep-3', operation: 'listCases', status: 200, as, body }]), suite: 'sweep' };
}

function verdicts(traces: readonly Trace[], clause = 'RDS-7'): readonly string[] {
  const judge = clauseOf(clause)?.judges.find(({ over }) => over === 'run');
  if (judge?.over !== 'run') throw new Error(`${clause} is judged over the run`);
  const fold = judge.start();
  const rulings: Ruling[] = traces.flatMap((one) => [...fold.see(contextOf({}), one)]);
  return rulings.map(({ verdict, operation }) => `${verdict} ${operation}`);
}

test('a record of another scope is seen wherever it is in a list that is read for effects', () => {
  expect(verdicts([made('full'), swept('abroad')])).toEqual(['violated listCases']);
  expect(verdicts([made('full'), swept('full')])).toEqual([]);
  expect(verdicts([made('full'), swept('peer')])).toEqual([]);
});

test('what both scopes have sent proves nothing', () => {
  expect(verdicts([made('full'), made('abroad'), swept('abroad')])).toEqual([]);
  // The response was lost, and the record may be there.
  const lost = { ...made('abroad') };
  const exchanges = lost.exchanges.map(({ answer: _, ...exchange }) => ({ ...exchange, answer: undefined }));
  expect(verdicts([made('full'), { ...lost, exchanges }, swept('abroad')])).toEqual([]);
});

test('pages of a probe are compared with all records of the run, but not the query that they repeat', () => {
  const read = (body: object): Trace =>
    trace([
      { id: 'few-4', operation: 'listCases', role: 'test', status: 200, as: 'abroad', body: { ...body } },
    ]);
  const leaking = read({ items: [{ id: 'case_2', subject: marker }], nextCursor: null });
  const repeating = read({ items: [{ id: 'case_1' }], nextCursor: null, self: `/cases?subject=${marker}` });
  expect(verdicts([made('full'), leaking])).toEqual(['violated listCases']);
  expect(verdicts([made('full'), repeating])).toEqual([]);
});

test('any read that nobody made faulty is compared with them', () => {
  const line = { id: 'look', operation: 'getCase', status: 200, as: 'abroad', body: { subject: marker } };
  expect(verdicts([made('full'), trace([line])])).toEqual(['violated getCase']);
  expect(verdicts([made('full'), trace([{ ...line, deviations: [{ kind: 'scope' }] }])])).toEqual([]);
});

test('a record is seen whose trace ends after the read that shows it', () => {
  expect(verdicts([swept('abroad'), made('full'), made('full')])).toEqual(['violated listCases']);
  expect(verdicts([swept('full'), made('full')])).toEqual([]);
});

test('what a caller wrote into the record of another scope is no record of its own scope', () => {
  const beyond = made('abroad', { deviations: [{ kind: 'scope' }] });
  expect(verdicts([beyond, swept('full')])).toEqual([]);
  expect(verdicts([swept('full'), beyond])).toEqual([]);
});

test('the finding shows the read that showed the record too early', () => {
  const read = { ...swept('abroad'), id: 't1' };
  const written = { ...made('full'), id: 't2' };
  const clause = clauseOf('RDS-7');
  const ledger = makeLedger({ clauses: clause === undefined ? [] : [clause], context: contextOf({}) });
  for (const one of [read, written]) ledger.see(one);
  const cell = ledger.finish().find(({ operation }) => operation === 'listCases');
  expect(cell?.verdict).toBe('fail');
  expect(cell?.example?.trace.id).toBe('t1');
  expect(cell?.example?.trace.exchanges.map(({ id }) => id)).toEqual(cell?.example?.ruling.exchanges);
});

test('a foreign cursor that opens what any trace wrote in the other scope violates RDS-6', () => {
  const page = (as: string): Trace =>
    trace([
      {
        id: 'foreign',
        operation: 'listCases',
        role: 'test',
        status: 200,
        as,
        body: { items: [{ id: 'case_2', subject: marker }], nextCursor: null },
        deviations: [{ kind: 'cursor', how: 'foreign' }],
      },
    ]);
  expect(verdicts([made('full'), page('abroad')], 'RDS-6')).toEqual(['violated listCases']);
  expect(verdicts([made('abroad'), page('abroad')], 'RDS-6')).toEqual([]);
  expect(verdicts([made('full'), page('abroad')], 'RDS-7')).toEqual([]);
  expect(verdicts([made('full'), swept('abroad')], 'RDS-6')).toEqual([]);
});

test('a filter that a list requires does not keep it from being read to its end', () => {
  const context = contextOf({});
  const requiring: typeof context = {
    ...context,
    reading: (one) => {
      const read = context.reading(one);
      const answered = read.answered.map((each) => ({
        ...each,
        operation: {
          ...each.operation,
          queryFields: each.operation.queryFields.map((field) => ({ ...field, required: true })),
        },
      }));
      return { ...read, answered };
    },
  };
  const walked = trace([
    { id: 'theirs', status: 201, as: 'abroad', result: 'case_theirs' },
    {
      id: 'afar',
      operation: 'listCases',
      role: 'test',
      status: 200,
      query: 'status=open',
      body: { items: [{ id: 'case_own' }], nextCursor: null },
    },
  ]);
  const judges = clauseOf('RDS-7')?.judges ?? [];
  const verdict = (of: typeof context): readonly string[] =>
    judges
      .flatMap((judge) => (judge.over === 'trace' ? [...judge.rule(of, walked)] : []))
      .map((ruling) => ruling.verdict);
  expect(verdict(context)).toEqual(['inconclusive']);
  expect(verdict(requiring)).toEqual(['holds']);
});

test.each([
  ['many digits that were chosen', '182075454087', '182075454087', true],
  ['few digits', '1820', '1820', false],
  ['many digits that are shown as a number', '182075454087', 182_075_454_087, false],
])('of a record under a chosen ID, %s are a sign in lists: %s', (_, given, shown, isSign) => {
  const listed = (...items: readonly JsonObject[]): Trace =>
    trace([
      {
        ...{ id: 'theirs', operation: 'keepCase', given, status: 200, as: 'abroad' },
        ...{ sent: '{"name":"a"}', body: { id: shown } },
      },
      { id: 'afar', operation: 'listCases', role: 'test', status: 200, body: { items, nextCursor: null } },
    ]);
  const rulings = (one: Trace): readonly string[] =>
    (clauseOf('RDS-7')?.judges ?? [])
      .flatMap((judge) => (judge.over === 'trace' ? [...judge.rule(contextOf({}), one)] : []))
      .map(({ verdict }) => verdict);
  expect(rulings(listed({ id: shown }, { id: 'case_own' }))).toEqual(isSign ? ['violated'] : []);
  expect(rulings(listed({ id: 'case_own' }))).toEqual(isSign ? ['holds'] : []);
});

test('so is one that a text in the query brought forth', () => {
  const injected = trace([
    {
      id: 'odd',
      operation: 'listCases',
      status: 200,
      as: 'abroad',
      role: 'test',
      deviations: [{ kind: 'query', field: 'status', keyword: 'odd' }],
      body: { items: [{ id: 'case_2', subject: `a case ${marker}` }], nextCursor: null },
    },
  ]);
  expect(verdicts([made('full'), injected])).toEqual(['violated listCases']);
  expect(verdicts([made('abroad'), injected])).toEqual([]);
});

test('of the requests of a run nothing is kept but their markers', () => {
  const judge = clauseOf('RDS-7')?.judges.find(({ over }) => over === 'run');
  if (judge?.over !== 'run') throw new Error('RDS-7 is judged over the run');
  v8.setFlagsFromString('--expose-gc');
  const collect: unknown = vm.runInNewContext('gc');
  const kept = (): number => {
    if (typeof collect === 'function') collect();
    return process.memoryUsage().heapUsed / 1024 / 1024;
  };
  const fold = judge.start();
  const see = (index: number): void => {
    const one = made('full');
    const own = `asy-${String(index).padStart(16, '0')}`;
    const body = JSON.stringify({ subject: own, text: `${index}`.repeat(20_000) });
    const exchanges = one.exchanges.map((each) => ({ ...each, request: { ...each.request, body } }));
    for (const _ of fold.see(contextOf({}), { ...one, exchanges }));
  };
  see(1000);
  const before = kept();
  for (let index = 1001; index < 1401; index += 1) see(index);
  // The bodies take 80 KB each.
  expect(kept() - before).toBeLessThan(10);
  for (const _ of fold.see(contextOf({}), made('full')));
});
