import { describe, expect, test } from 'vitest';
import { contextOf, shown, trace } from './clauses/literal/trace.ts';
import { makeLedger, rulingsOf } from './judge.ts';
import type { Clause, Judge, Ruling } from './model/clause.ts';
import type { Trace } from './model/exchange.ts';
import type { Cell } from './model/verdict.ts';

/** What a clause says to each trace, by its id. */
type Script = Readonly<Record<string, readonly Partial<Ruling>[]>>;

function ruling(more: Partial<Ruling>): Ruling {
  return {
    operation: 'createCase',
    verdict: 'holds',
    exchanges: [],
    expected: '',
    actual: '',
    because: '',
    ...more,
  };
}

const says = (script: Script, { id }: Trace): readonly Ruling[] => (script[id] ?? []).map(ruling);
const over = (kind: 'trace' | 'effects', script: Script): Judge => ({
  over: kind,
  rule: (_, one) => says(script, one),
});

function clause(judges: Script | readonly Judge[], more: Partial<Clause> = {}): Clause {
  return {
    code: 'X-1',
    level: 'stated',
    text: '',
    source: { where: '', quote: '' },
    explain: { test: '', violation: '', fix: '' },
    applies: (_, operation) => operation.id === 'createCase',
    judges: isJudges(judges) ? judges : [over('trace', judges)],
    ...more,
  };
}

function isJudges(judges: Script | readonly Judge[]): judges is readonly Judge[] {
  return Array.isArray(judges);
}

const attempt = (id: string, more: Partial<Trace> = {}): Trace => trace([], { id, ...more });
const repeat = (id: string, repeats: string, more: Partial<Trace> = {}): Trace =>
  attempt(id, { purpose: 'repeat', repeats, ...more });

/** The cell of the first clause on createCase after these traces, each judged when it ended and once read. */
function cellAfter(one: Clause, ...traces: readonly Trace[]): Cell | undefined {
  const ledger = makeLedger({ clauses: [one], context: contextOf() });
  for (const each of traces) {
    ledger.see(each);
    ledger.seeEffects(each);
  }
  return ledger.finish().find((cell) => cell.operation === 'createCase');
}

const violated = { verdict: 'violated', because: 'it was seen' } as const;
const inconclusive = { verdict: 'inconclusive', because: 'in doubt' } as const;

describe('the matrix', () => {
  test('has a cell for every clause and operation, in their order', () => {
    const all = clause({}, { code: 'X-2', applies: () => true });
    const context = contextOf();
    const operations = context.contract.operations.slice(0, 2);
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
      clause: 'X-1',
      level: 'derived',
      operation: 'createCase',
      verdict: 'not-tested',
      because: 'The run ended, or was narrowed, before this was tested.',
      needs: [],
      idsOnly: false,
      rulings: { holds: 0, violated: 0, inconclusive: 0 },
      repeats: { violated: 0, of: 0 },
      advisories: [],
      example: undefined,
    });
  });

  test('a cell of an operation that the clause does not bind', () => {
    const ledger = makeLedger({
      clauses: [clause({ a: [{ operation: 'listCases', verdict: 'violated' }] })],
      context: contextOf(),
    });
    expect(ledger.see(attempt('a'))).toEqual([]);
    expect(ledger.finish().find((cell) => cell.operation === 'listCases')).toEqual({
      clause: 'X-1',
      level: 'stated',
      operation: 'listCases',
      verdict: 'not-applicable',
      because: 'The contract has nothing of the kind on this operation.',
      needs: [],
      idsOnly: false,
      rulings: { holds: 0, violated: 0, inconclusive: 0 },
      repeats: { violated: 0, of: 0 },
      advisories: [],
      example: undefined,
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
      'Seen once and not repeated, because the run ended: it was seen',
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

describe('repeats', () => {
  test('the violation came again in one of two', () => {
    const one = clause({ a: [violated], c: [violated] });
    expect(cellAfter(one, attempt('a'), repeat('b', 'a'), repeat('c', 'a'))).toMatchObject({
      verdict: 'fail',
      because: 'it was seen',
      repeats: { violated: 1, of: 2 },
    });
  });

  test('never again: unstable', () => {
    const one = clause({ a: [violated], b: [{}] });
    expect(cellAfter(one, attempt('a'), repeat('b', 'a'))).toMatchObject({
      verdict: 'unstable',
      because: 'it was seen',
      repeats: { violated: 0, of: 1 },
    });
  });

  test('two violations in one repeat are one', () => {
    const judges = [
      over('trace', { a: [violated], b: [violated, violated] }),
      over('effects', { b: [violated] }),
    ];
    expect(cellAfter(clause(judges), attempt('a'), repeat('b', 'a'))).toMatchObject({
      rulings: { violated: 4 },
      repeats: { violated: 1, of: 1 },
    });
  });

  test('what the effects showed is repeated like the rest', () => {
    const judges = [over('effects', { a: [violated], b: [violated] })];
    expect(cellAfter(clause(judges), attempt('a'), repeat('b', 'a'))).toMatchObject({
      verdict: 'fail',
      repeats: { violated: 1, of: 1 },
    });
  });

  test('a repeat of another trace repeats nothing', () => {
    const one = clause({ a: [violated], b: [violated] });
    expect(cellAfter(one, attempt('a'), attempt('o'), repeat('b', 'o'))).toMatchObject({
      verdict: 'inconclusive',
      rulings: { violated: 2 },
      repeats: { violated: 0, of: 0 },
    });
  });

  test('a second try is no repeat', () => {
    const one = clause({ a: [violated], b: [violated] });
    expect(cellAfter(one, attempt('a'), attempt('b'))).toMatchObject({ repeats: { violated: 0, of: 0 } });
  });

  test('each clause has its own', () => {
    const ledger = makeLedger({
      clauses: [clause({ a: [violated], b: [violated] }), clause({ b: [violated] }, { code: 'X-2' })],
      context: contextOf(),
    });
    for (const one of [attempt('a'), repeat('b', 'a')]) ledger.see(one);
    const cells = ledger.finish().filter((cell) => cell.operation === 'createCase');
    expect(cells.map(({ verdict, repeats }) => [verdict, repeats])).toEqual([
      ['fail', { violated: 1, of: 1 }],
      ['inconclusive', { violated: 0, of: 0 }],
    ]);
  });
});

describe('the example', () => {
  const one = clause({ a: [violated], b: [violated], c: [violated], d: [violated], e: [violated] });
  const exampleOf = (...traces: readonly Trace[]): string | undefined =>
    cellAfter(one, ...traces)?.example?.trace.id;
  const shrunk = (id: string): Trace => attempt(id, { purpose: 'shrink' });

  test('is the first trace that showed it', () => expect(exampleOf(attempt('a'), attempt('b'))).toBe('a'));
  test('or the first smaller one', () => expect(exampleOf(attempt('a'), shrunk('b'), shrunk('c'))).toBe('b'));
  test('not one that is larger again', () => expect(exampleOf(shrunk('a'), attempt('b'))).toBe('a'));
  test('or the last repeat of the smallest', () =>
    expect(exampleOf(attempt('a'), shrunk('b'), repeat('c', 'b'), repeat('d', 'b'), shrunk('e'))).toBe('d'));
  test('and the ruling is its own', () => {
    const two = clause({ a: [{ ...violated, because: 'at first' }], b: [{ ...violated, because: 'again' }] });
    expect(cellAfter(two, attempt('a'), repeat('b', 'a'))).toMatchObject({
      because: 'again',
      example: { ruling: { because: 'again' } },
    });
  });
});

describe('effects', () => {
  const read = shown('a', {});
  const ids = clause({ a: [{ idsOnly: true }] });
  test('were seen through ids alone', () =>
    expect(cellAfter(ids, attempt('a'))).toMatchObject({ verdict: 'pass', idsOnly: true }));
  test('a clause that counts nothing', () =>
    expect(cellAfter(clause({ a: [{}] }), attempt('a'))).toMatchObject({ verdict: 'pass', idsOnly: false }));
  test('an independent read counted them somewhere', () =>
    expect(
      cellAfter(clause({ a: [{ idsOnly: true }], b: [{}] }), attempt('a'), attempt('b', { effects: read })),
    ).toMatchObject({ verdict: 'pass', idsOnly: false }));
  test('elsewhere without one nothing was counted', () =>
    expect(cellAfter(clause({ a: [{ idsOnly: true }], b: [{}] }), attempt('a'), attempt('b'))).toMatchObject({
      verdict: 'pass',
      idsOnly: true,
    }));
  test('a failed cell does not tell', () =>
    expect(
      cellAfter(clause({ a: [{ idsOnly: true }, { ...violated, conclusive: true }] }), attempt('a')),
    ).toMatchObject({ verdict: 'fail', idsOnly: false }));
});

test('advisories are counted by their words', () => {
  const one = clause({
    a: [{ advisory: 'one' }, { advisory: 'two' }],
    b: [{ ...inconclusive, advisory: 'one' }],
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
    said: Script = {},
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

  test('tell the engine of violations alone', () => {
    const one = clause({ a: [{}, inconclusive, { verdict: 'not-tested' }, violated] });
    const ledger = makeLedger({ clauses: [one], context: contextOf() });
    expect(ledger.see(attempt('a')).map((each) => each.ruling.verdict)).toEqual(['violated']);
  });
});

describe('a violation that rests on an answer 5xx', () => {
  const failing = (id: string, status: number, more: Partial<Trace> = {}): Trace =>
    trace([{ id: 'probe', status }], { id, ...more });
  const again = (id: string, status: number): Trace =>
    failing(id, status, { purpose: 'repeat', repeats: 'a' });
  const about = (...ids: readonly string[]): Clause =>
    clause(
      Object.fromEntries(
        ids.map((id) => {
          const exchanges = failing(id, 500).exchanges.map((exchange) => exchange.id);
          return [id, [{ ...violated, exchanges, conclusive: true }]];
        }),
      ),
    );

  test('is a failure of the service that may have passed: nothing is said of it alone, however conclusive', () => {
    expect(cellAfter(about('a'), failing('a', 503))).toMatchObject({
      verdict: 'inconclusive',
      because: 'The service failed (5xx), and not each time that this was repeated: it was seen',
      rulings: { violated: 1 },
      example: undefined,
    });
    expect(cellAfter(about('a'), failing('a', 499))).toMatchObject({ verdict: 'fail' });
  });

  test('counts where each repeat shows it', () => {
    const cell = cellAfter(about('a', 'b', 'c'), failing('a', 500), again('b', 500), again('c', 500));
    expect(cell).toMatchObject({ verdict: 'fail', because: 'it was seen', repeats: { violated: 2, of: 2 } });
    expect(cell?.example?.trace.id).toBe('a');
  });

  test('does not count where one repeat does not', () => {
    expect(cellAfter(about('a', 'b'), failing('a', 500), again('b', 500), again('c', 500))).toMatchObject({
      verdict: 'inconclusive',
      repeats: { violated: 0, of: 0 },
    });
  });

  test('is passed over where another kind of violation was seen', () => {
    const cell = cellAfter(about('a', 'b'), failing('a', 500), failing('b', 200));
    expect(cell).toMatchObject({ verdict: 'fail', rulings: { violated: 2 } });
    expect(cell?.example?.trace.id).toBe('b');
  });

  test('is what it seems where it follows a failure that the harness brought about', () => {
    const made = (id: string, status: number): Trace =>
      trace(
        [
          { id: 'probe', status: 500, deviations: [{ kind: 'fault', how: 'before-commit' }] },
          { id: 'retry', status },
        ],
        { id },
      );
    const follows = made('a', 201);
    const exchanges = follows.exchanges.map(({ id }) => id);
    const one = clause({ a: [{ ...violated, exchanges, conclusive: true }] });
    expect(cellAfter(one, follows)).toMatchObject({ verdict: 'fail' });
    // What that failure is like may be the doing of a gateway that failed in its place.
    const alone = clause({ a: [{ ...violated, exchanges: exchanges.slice(0, 1), conclusive: true }] });
    expect(cellAfter(alone, follows)).toMatchObject({ verdict: 'inconclusive' });
    expect(cellAfter(one, made('a', 503))).toMatchObject({ verdict: 'inconclusive' });
  });

  test('in an advisory clause is told as it was seen', () => {
    expect(cellAfter({ ...about('a'), level: 'advisory' }, failing('a', 500))).toMatchObject({
      verdict: 'fail',
    });
  });
});
