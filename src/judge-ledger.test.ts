import { describe, expect, test } from 'vitest';
import { contextOf } from './clauses/cases/judged.ts';
import {
  attempt,
  cellsAfter,
  clause,
  inconclusive,
  over,
  type RulingsByTrace,
  repeat,
  ruling,
  untouched,
  violated,
} from './clauses/cases/scripted.ts';
import { type Line, shown, trace } from './clauses/cases/trace.ts';
import { clauseOf } from './clauses/catalogue.ts';
import { makeLedger, rulingsOf } from './judge.ts';
import type { Clause, Judge, Ruling } from './model/clause.ts';
import type { Trace } from './model/exchange.ts';
import type { Json } from './model/json.ts';
import type { Cell } from './model/verdict.ts';

/** The cell of a clause on createCase after these traces. */
const cellAfter = (one: Clause, ...traces: readonly Trace[]): Cell | undefined =>
  cellsAfter(makeLedger({ clauses: [one], context: contextOf() }), traces)[0];

describe('the matrix', () => {
  test('has a cell for every clause and operation, in their order', () => {
    const all = clause({}, { code: 'X-2', applies: () => true });
    const context = contextOf();
    const operations = context.contract.operations.filter(({ id }) =>
      ['createCase', 'listCases'].includes(id),
    );
    const ledger = makeLedger({
      clauses: [all, clause({})],
      context: { ...context, contract: { ...context.contract, operations } },
    });
    expect(ledger.finish().map((cell) => `${cell.clause} ${cell.operation} ${cell.verdict}`)).toEqual([
      'X-2 createCase not-tested',
      'X-2 listCases not-tested',
      'X-1 createCase not-tested',
      'X-1 listCases not-applicable',
    ]);
  });

  test('a cell that nothing was said of', () => {
    expect(cellAfter(clause({}, { level: 'derived' }))).toEqual({
      ...untouched,
      level: 'derived',
      verdict: 'not-tested',
      because: 'No response of this run was of the kind that the clause is about.',
    });
  });

  test('a pass says which values it is not about', () => {
    const need = { clauses: ['X-1'], operation: 'createCase' };
    const ledger = makeLedger({ clauses: [clause({ a: [{ verdict: 'holds' }] })], context: contextOf() });
    ledger.skip({ ...need, need: { kind: 'value', remedy: "The filter 'x' was not tried." } });
    ledger.skip({ ...need, need: { kind: 'principal', remedy: 'Give a second caller.' } });
    const [cell] = cellsAfter(ledger, [attempt('a')]);
    expect([cell?.verdict, cell?.advisories]).toEqual([
      'pass',
      [{ text: "The filter 'x' was not tried.", count: 1 }],
    ]);
  });

  test('a cell of an operation that the clause does not bind', () => {
    const ledger = makeLedger({
      clauses: [clause({ a: [{ operation: 'listCases', verdict: 'violated' }] })],
      context: contextOf(),
    });
    expect(ledger.see(attempt('a'))).toEqual([]);
    expect(ledger.finish().find((cell) => cell.operation === 'listCases')).toEqual({
      ...untouched,
      operation: 'listCases',
      verdict: 'not-applicable',
      because: 'The contract has no such feature on this operation.',
    });
  });

  test('rulings are counted', () => {
    const one = clause({ a: [{}, {}, inconclusive], b: [{}, violated, { verdict: 'not-tested' }] });
    expect(cellAfter(one, attempt('a'), attempt('b'))).toMatchObject({
      rulings: { holds: 3, violated: 1, inconclusive: 1 },
      advisories: [],
    });
  });
});

describe('a verdict', () => {
  test.each<readonly [string, readonly Partial<Ruling>[], Cell['verdict'], string]>([
    ['passes where one ruling holds', [{ because: 'it was kept' }], 'pass', ''],
    ['passes though others were in doubt', [inconclusive, {}], 'pass', ''],
    [
      'is inconclusive, by the first doubt',
      [inconclusive, { ...inconclusive, because: 'other' }],
      'inconclusive',
      'in doubt',
    ],
    [
      'is not tested, by the first reason',
      [
        { verdict: 'not-tested', because: 'too slow' },
        { verdict: 'not-tested', because: 'other' },
      ],
      'not-tested',
      'too slow',
    ],
    [
      'is inconclusive before it is not tested',
      [{ verdict: 'not-tested', because: 'too slow' }, inconclusive],
      'inconclusive',
      'in doubt',
    ],
    ['passes before it is not tested', [{ verdict: 'not-tested', because: 'too slow' }, {}], 'pass', ''],
    [
      'is inconclusive where a violation was never repeated',
      [violated, {}],
      'inconclusive',
      'Seen, but never repeated: it was seen',
    ],
    [
      'fails at once where that is conclusive',
      [{ ...violated, conclusive: true }, {}],
      'fail',
      'it was seen',
    ],
    [
      'fails where one of two violations is conclusive',
      [{ ...violated, conclusive: true }, violated],
      'fail',
      'it was seen',
    ],
  ])('%s', (_, rulings, verdict, because) => {
    expect(cellAfter(clause({ a: rulings }), attempt('a'))).toMatchObject({ verdict, because });
  });

  test('of an advisory clause fails at once: nobody repeats it', () => {
    expect(cellAfter(clause({ a: [violated] }, { level: 'advisory' }), attempt('a'))).toMatchObject({
      verdict: 'fail',
      because: 'it was seen',
    });
  });
});

describe('effects', () => {
  const read = shown('a', {});
  const ids = clause({ a: [{ idsOnly: true }] });
  test('were seen through IDs alone', () =>
    expect(cellAfter(ids, attempt('a'))).toMatchObject({ verdict: 'pass', idsOnly: true }));
  test('a clause that counts nothing', () =>
    expect(cellAfter(clause({ a: [{}] }), attempt('a'))).toMatchObject({ verdict: 'pass', idsOnly: false }));
  test('an independent read counted them somewhere', () =>
    expect(
      cellAfter(clause({ a: [{ idsOnly: true }], b: [{}] }), attempt('a'), attempt('b', { effects: read })),
    ).toMatchObject({ verdict: 'pass', idsOnly: false }));
  test('reads of the target of a command counted them', () => {
    const judges = (held: Partial<Ruling>): Clause =>
      clause([over('trace', { a: [{ idsOnly: true }] }), over('effects', { a: [held] })]);
    expect(cellAfter(judges({}), attempt('a'))).toMatchObject({ verdict: 'pass', idsOnly: false });
    // The key was free, and nothing shows whether there was an effect.
    expect(cellAfter(judges(inconclusive), attempt('a'))).toMatchObject({ verdict: 'pass', idsOnly: true });
  });
  test('responses alone show none, and reads have none', () => {
    const blind = clause([{ ...over('trace', { a: [{}] }), byResponses: true }]);
    expect(cellAfter(blind, attempt('a'))).toMatchObject({ verdict: 'pass', idsOnly: true });
    expect(cellAfter(blind, attempt('a', { effects: read }))).toMatchObject({ idsOnly: true });
    const list = { ...blind, applies: () => true };
    const ofRead = [{ ...over('trace', { a: [{ operation: 'listCases' }] }), byResponses: true as const }];
    const cells = cellsAfter(
      makeLedger({ clauses: [{ ...list, judges: ofRead }], context: contextOf() }),
      [attempt('a')],
      'listCases',
    );
    expect(cells).toMatchObject([{ verdict: 'pass', idsOnly: false }]);
  });
  test('that a duplicate was accepted shows nothing of an effect that nothing shows', () => {
    const unseen = { verdict: 'not-tested', because: 'the result has no ID' } as const;
    const accepted = { ...over('trace', { a: [{}], b: [{}] }), byResponses: true } as const;
    const judged = (effects: RulingsByTrace): Cell | undefined =>
      cellAfter(clause([accepted, over('effects', effects)]), attempt('a'), attempt('b'));
    expect(judged({ a: [unseen] })).toMatchObject({ verdict: 'not-tested', because: 'the result has no ID' });
    expect(judged({ a: [unseen], b: [{ idsOnly: true }] })).toMatchObject({ verdict: 'pass', idsOnly: true });
    expect(judged({ a: [unseen], b: [{}] })).toMatchObject({ verdict: 'pass', idsOnly: false });
    // What a clause says of responses alone is another matter.
    expect(cellAfter(clause([accepted, over('trace', { a: [unseen] })]), attempt('a'))).toMatchObject({
      verdict: 'pass',
    });
  });
  test('elsewhere without one nothing was counted', () =>
    expect(cellAfter(clause({ a: [{ idsOnly: true }], b: [{}] }), attempt('a'), attempt('b'))).toMatchObject({
      verdict: 'pass',
      idsOnly: true,
    }));
  test('a failed cell says nothing', () =>
    expect(
      cellAfter(clause({ a: [{ idsOnly: true }, { ...violated, conclusive: true }] }), attempt('a')),
    ).toMatchObject({ verdict: 'fail', idsOnly: false }));
});

test('advisories are counted by their words', () => {
  const one = clause({
    a: [{ advisory: 'one' }, { advisory: 'two' }],
    b: [inconclusive, { advisory: 'one' }],
  });
  expect(cellAfter(one, attempt('a'), attempt('b'))?.advisories).toEqual([
    { text: 'one', count: 2 },
    { text: 'two', count: 1 },
  ]);
});

describe('what cannot be tested', () => {
  const need = { kind: 'principal', remedy: 'give an expired token' } as const;
  const other = { kind: 'hook', remedy: 'give a hook' } as const;
  const gone = { kind: 'inapplicable', remedy: 'it has no members' } as const;
  const skipped = (
    needs: readonly Parameters<ReturnType<typeof makeLedger>['skip']>[0]['need'][],
    said: RulingsByTrace = {},
  ) => {
    const ledger = makeLedger({ clauses: [clause(said)], context: contextOf() });
    for (const each of needs) ledger.skip({ clauses: ['X-9', 'X-1'], operation: 'createCase', need: each });
    ledger.skip({ clauses: ['X-1'], operation: 'listCases', need });
    for (const id of Object.keys(said)) ledger.see(attempt(id));
    return ledger.finish()[0];
  };

  test('says what would test it, once', () => {
    expect(skipped([need, other, { ...need }])).toMatchObject({
      verdict: 'not-tested',
      because: 'give an expired token',
      needs: [need, other],
    });
  });
  test('a ruling knows better', () => {
    expect(skipped([need], { a: [{ verdict: 'not-tested', because: 'too slow' }] })).toMatchObject({
      verdict: 'not-tested',
      because: 'too slow',
      needs: [need],
    });
  });
  test('what was tested after all needs nothing', () => {
    expect(skipped([need, gone], { a: [{}] })).toMatchObject({ verdict: 'pass', because: '', needs: [] });
  });
  test('what leaves the clause nothing to say makes it not applicable', () => {
    expect(skipped([need, gone])).toMatchObject({
      verdict: 'not-applicable',
      because: 'it has no members',
      needs: [],
    });
  });
});

describe('judges', () => {
  test('are heard when their time has come', () => {
    const judges: readonly Judge[] = [
      over('trace', { a: [{ ...violated, because: 'trace' }] }),
      over('effects', { a: [{ ...violated, because: 'effects' }] }),
      { over: 'run', start: () => ({ see: () => [ruling({ ...violated, because: 'run' })] }) },
    ];
    const one = clause(judges);
    const ledger = makeLedger({ clauses: [one], context: contextOf() });
    const heard = (all: ReturnType<typeof ledger.see>) =>
      all.map((each) => [each.clause, each.ruling.because]);
    expect(heard(ledger.see(attempt('a')))).toEqual([
      [one, 'trace'],
      [one, 'run'],
    ]);
    expect(heard(ledger.seeEffects(attempt('a')))).toEqual([[one, 'effects']]);
    expect(rulingsOf(one, contextOf(), attempt('a')).map(({ because }) => because)).toEqual([
      'trace',
      'effects',
      'run',
    ]);
  });

  test('of the whole run begin once, and see every trace', () => {
    let started = 0;
    const run: Judge = {
      over: 'run',
      start: () => {
        started += 1;
        let seen = 0;
        return {
          *see() {
            seen += 1;
            yield ruling({ ...violated, because: `trace ${seen}` });
          },
        };
      },
    };
    const ledger = makeLedger({ clauses: [clause([run])], context: contextOf() });
    const words = ['a', 'b'].flatMap((id) => ledger.see(attempt(id)).map((each) => each.ruling.because));
    expect([words, started]).toEqual([['trace 1', 'trace 2'], 1]);
  });

  test('report only violations to the engine', () => {
    const one = clause({ a: [{}, inconclusive, { verdict: 'not-tested' }, violated] });
    const ledger = makeLedger({ clauses: [one], context: contextOf() });
    expect(ledger.see(attempt('a')).map((each) => each.ruling.verdict)).toEqual(['violated']);
  });
});

describe('a clause that throws', () => {
  const fails = (): never => {
    throw new TypeError('no such thing');
  };
  /** What it says to traces, but for those on which it fails. */
  const failing = (script: RulingsByTrace, ...on: readonly string[]): Clause =>
    clause([
      {
        over: 'trace',
        rule: (_, { id }) => (on.includes(id) ? fails() : (script[id] ?? []).map(ruling)),
      },
    ]);
  const because = 'clause X-1 cannot judge trace b (s p): TypeError: no such thing';

  test('makes its cell inconclusive, although it held elsewhere', () => {
    expect(cellAfter(failing({ a: [{}] }, 'b'), attempt('a'), attempt('b'))).toMatchObject({
      verdict: 'inconclusive',
      because: `The harness itself failed, which says nothing about the target: ${because}`,
      rulings: { holds: 1, violated: 0, inconclusive: 0 },
    });
  });

  test('leaves what it found elsewhere', () => {
    const found = failing({ a: [{ ...violated, conclusive: true }] }, 'b');
    expect(cellAfter(found, attempt('b'), attempt('a'))).toMatchObject({ verdict: 'fail' });
  });

  test('leaves other clauses, and is named once', () => {
    const other = clause({ a: [{}], b: [{}] }, { code: 'X-2' });
    const ledger = makeLedger({ clauses: [failing({}, 'b', 'c'), other], context: contextOf() });
    const cells = cellsAfter(ledger, [attempt('a'), attempt('b'), attempt('c')]);
    expect(cells.map((cell) => `${cell.clause} ${cell.verdict}`)).toEqual(['X-1 inconclusive', 'X-2 pass']);
    expect(ledger.failures()).toEqual([because]);
  });

  test('is not asked about a trace of operations to which it does not apply', () => {
    const elsewhere = trace([{ id: 'a', status: 200, operation: 'listCases' }], { id: 'b' });
    const ledger = makeLedger({ clauses: [failing({}, 'b')], context: contextOf() });
    expect(ledger.see(elsewhere)).toEqual([]);
    expect(ledger.failures()).toEqual([]);
  });

  test('fails on the operations of the trace alone', () => {
    const everywhere = { ...failing({}, 'b'), applies: () => true };
    const ledger = makeLedger({ clauses: [everywhere], context: contextOf() });
    ledger.see(trace([{ id: 'a', status: 201 }], { id: 'b' }));
    const broken = ledger.finish().filter((cell) => cell.verdict === 'inconclusive');
    expect(broken.map((cell) => cell.operation)).toEqual(['createCase']);
  });

  test('where it applies', () => {
    const ledger = makeLedger({ clauses: [{ ...clause({}), applies: fails }], context: contextOf() });
    expect(ledger.finish()[0]).toMatchObject({ verdict: 'inconclusive' });
    expect(ledger.failures()).toEqual([
      'clause X-1 cannot say whether it applies to createCase: TypeError: no such thing',
    ]);
  });
});

describe('a record that reads otherwise without a command', () => {
  const record = (status: string, took: number) => ({ id: 'case_7', status, version: '1', took });
  const reads = (...bodies: readonly Json[]): readonly Line[] =>
    bodies.map((body, index) => ({
      id: index === 0 ? 'before' : 'before-again',
      operation: 'getCase',
      role: 'readback',
      observes: 'before',
      status: 200,
      on: 'made',
      body,
    }));
  const moved = (...at: readonly string[]): Partial<Ruling> => ({
    ...violated,
    moved: { read: 'getCase', at },
  });
  const aside = (id: string, ...bodies: readonly Json[]): Trace =>
    trace([{ id: 'made', status: 201, result: 'case_7' }, ...reads(...bodies)], { id });
  const still = aside('aside', record('open', 1), record('open', 1));
  const busy = aside('aside', record('open', 1), record('open', 2));
  const late = aside('aside', record('pending', 1), record('open', 1));
  const made: Line = { id: 'made', status: 201, result: 'case_7' };
  const closed: Line = { id: 'closed', operation: 'closeCase', status: 200, on: 'made' };
  const triesOf = (...lines: readonly Line[]): readonly Trace[] => [
    trace(lines, { id: 'a' }),
    trace(lines, { id: 'b', purpose: 'repeat', repeats: 'a' }),
  ];
  const tries = triesOf(made);
  test.each<readonly [string, readonly string[], readonly Trace[], Cell['verdict']]>([
    ['stays still', ['/status'], [still, ...tries], 'fail'],
    ['changed elsewhere', ['/status'], [busy, ...tries], 'fail'],
    ['changed there and elsewhere', ['/status', '/took'], [busy, ...tries], 'fail'],
    ['changed in the same member, as was known', ['/took'], [busy, ...tries], 'inconclusive'],
    ['changed in the same member, as was seen later', ['/status'], [...tries, late], 'inconclusive'],
  ])('%s', (_, at, traces, verdict) => {
    expect(cellAfter(clause({ a: [moved(...at)], b: [moved(...at)] }), ...traces)?.verdict).toBe(verdict);
  });

  test.each<readonly [string, readonly Trace[], Cell['verdict']]>([
    ['as was known', [busy, ...tries], 'pass'],
    ['as was seen later', [...tries, busy], 'pass'],
    ['as no other read shows', [still, ...tries], 'fail'],
  ])('that moved by itself, %s, and kept what the command would have replaced', (_, traces, verdict) => {
    const ruling = { ...moved('/took'), unwritten: true } as const;
    expect(cellAfter(clause({ a: [ruling], b: [ruling] }), ...traces)?.verdict).toBe(verdict);
  });

  test.each<readonly [string, readonly Line[], Cell['verdict']]>([
    ['on which it never ran', [made], 'fail'],
    ['on which it was refused', [made, { ...closed, status: 409 }], 'fail'],
    ['on which it ran', [made, closed], 'inconclusive'],
    ['on which it may have run', [made, { ...closed, status: undefined }], 'inconclusive'],
    ['that was there before', reads(record('open', 1)).map(({ on: _, ...line }) => line), 'inconclusive'],
  ])('what moves after a command is judged on a record %s', (_, lines, verdict) => {
    const after = trace([made, closed, ...reads(record('closing', 1), record('closed', 1))], { id: 'aside' });
    const script = { a: [moved('/status')], b: [moved('/status')] };
    const one = clause(script, { applies: () => true });
    expect(cellAfter(one, ...triesOf(...lines), after)?.verdict).toBe(verdict);
  });

  test.each([
    ['a record changed once, and in no repeat', [moved('/took')], 'inconclusive'],
    ['something else was seen once as well', [moved('/took'), violated], 'unstable'],
  ])('%s', (_, seen, verdict) => {
    const one = clause({ a: seen, b: [{}] });
    expect(cellAfter(one, ...tries)).toMatchObject({ verdict, repeats: { violated: 0, of: 1 } });
  });

  /** A command between two reads, the second of which finds nothing. */
  const goneAfter = (command: Line): readonly Line[] => {
    const look = { operation: 'getCase', role: 'readback', on: 'made' } as const;
    return [
      made,
      { ...closed, id: 'first' },
      { ...look, id: 'before', observes: 'before', status: 200 },
      { ...command, operation: 'closeCase', role: 'test', on: 'made' },
      { ...look, id: 'after', observes: 'after', status: 404 },
      { ...closed, id: 'control', controls: command.id },
    ];
  };
  const archived = trace(
    [
      made,
      closed,
      ...reads(record('closed', 1), record('closed', 1)).map((line, index) => ({
        ...line,
        status: index === 0 ? 200 : 404,
      })),
    ],
    { id: 'aside' },
  );
  const missing: Line['deviations'] = [{ kind: 'body', at: '/reason', keyword: 'required' }];
  test.each<readonly [string, string, Line, Cell['verdict']]>([
    ['a refused command', 'VAL-7', { id: 'probe', status: 422, deviations: missing }, 'inconclusive'],
    [
      'a late duplicate',
      'IDM-19',
      {
        id: 'late',
        status: 200,
        key: 'first',
        deviations: [{ kind: 'key-reuse', of: 'first', difference: 'late' }],
      },
      // The responses are right.
      'pass',
    ],
  ])('%s is not what takes a record away that is archived by itself', (_, code, command, verdict) => {
    const clauses = [clauseOf(code)].flatMap((one) => one ?? []);
    const verdictAfter = (...traces: readonly Trace[]): Cell['verdict'] | undefined =>
      cellsAfter(makeLedger({ clauses, context: contextOf() }), traces, 'closeCase')[0]?.verdict;
    const lines = triesOf(...goneAfter(command));
    expect([verdictAfter(...lines), verdictAfter(...lines, archived)]).toEqual(['fail', verdict]);
  });

  test('what else was violated stays', () => {
    const one = clause({ a: [moved('/took')], b: [moved('/took')], c: [violated], d: [violated] });
    expect(cellAfter(one, ...tries, attempt('c'), repeat('d', 'c'), busy)).toMatchObject({
      verdict: 'fail',
      rulings: { violated: 2, inconclusive: 2 },
    });
  });
});
