import { describe, expect, test } from 'vitest';
import { contextOf } from './clauses/cases/judged.ts';
import {
  attempt,
  cellsAfter,
  clause,
  inconclusive,
  over,
  repeat,
  violated,
} from './clauses/cases/scripted.ts';
import { reuse, trace } from './clauses/cases/trace.ts';
import { makeLedger } from './judge.ts';
import type { Clause } from './model/clause.ts';
import type { Trace } from './model/exchange.ts';
import type { Cell } from './model/verdict.ts';

/** The cell of a clause on createCase after these traces. */
const cellAfter = (one: Clause, ...traces: readonly Trace[]): Cell | undefined =>
  cellsAfter(makeLedger({ clauses: [one], context: contextOf() }), traces)[0];

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

  test('one in which the service refuses what it accepted before does not count', () => {
    const one = clause({ a: [violated], b: [{}], c: [{}] });
    const sent = (id: string, first: number, control: number, more: Partial<Trace> = {}): Trace =>
      trace(
        [
          { id: 'first', status: first },
          { id: 'again', role: 'test', status: 403, deviations: [reuse('first')] },
          { id: 'control', status: control },
          { id: 'read', role: 'readback', status: first },
        ],
        { id, ...more },
      );
    const again = { purpose: 'repeat', repeats: 'a' } as const;
    expect(cellAfter(one, sent('a', 201, 403), sent('b', 403, 403, again))).toMatchObject({
      verdict: 'inconclusive',
      because: 'Seen, but never repeated: it was seen',
      repeats: { violated: 0, of: 0 },
    });
    expect(
      cellAfter(one, sent('a', 201, 403), sent('b', 201, 403, again), sent('c', 403, 403, again)),
    ).toMatchObject({ verdict: 'unstable', repeats: { violated: 0, of: 1 } });
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

  test('are counted once, although the effects of the first trace are judged after them', () => {
    const one = clause([over('effects', { a: [violated], b: [violated], c: [violated] })]);
    const ledger = makeLedger({ clauses: [one], context: contextOf() });
    const traces = [attempt('a'), repeat('b', 'a'), repeat('c', 'a')];
    for (const each of traces) ledger.see(each);
    for (const each of traces) ledger.seeEffects(each);
    expect(ledger.finish()[0]?.repeats).toEqual({ violated: 2, of: 2 });
  });

  test.each(['interrupted', 'budget'] as const)(
    'one cut short (%s) counts only where it shows it',
    (ended) => {
      const one = clause({ a: [violated], b: [violated], d: [violated] });
      const cut = (id: string): Trace => ({ ...repeat(id, 'a'), ended });
      expect(cellAfter(one, attempt('a'), cut('c'))).toMatchObject({
        verdict: 'inconclusive',
        because: 'Seen, but never repeated: it was seen',
      });
      expect(cellAfter(one, attempt('a'), repeat('b', 'a'), cut('c'), cut('d'))).toMatchObject({
        verdict: 'fail',
        repeats: { violated: 2, of: 2 },
      });
    },
  );

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
  test('or a plainer one, where situations that differ were repeated', () => {
    const traced = (id: string, probe: string, ...statuses: readonly (number | undefined)[]): Trace =>
      trace(
        statuses.map((status, index) => ({ id: `step-${index}`, status })),
        { id, probe, purpose: 'repeat', repeats: 'a' },
      );
    expect(exampleOf(attempt('a'), traced('b', 'cut', undefined, 201), traced('c', 'again', 201, 201))).toBe(
      'c',
    );
    expect(exampleOf(attempt('a'), traced('b', 'again', 201, 201), traced('c', 'cut', undefined, 201))).toBe(
      'b',
    );
    expect(
      exampleOf(attempt('a'), traced('b', 'thrice', 201, 201, 201), traced('c', 'twice', 201, 201)),
    ).toBe('c');
    expect(
      exampleOf(attempt('a'), traced('b', 'twice', 201, 201), traced('c', 'thrice', 201, 201, 201)),
    ).toBe('b');
    expect(exampleOf(attempt('a'), traced('b', 'twice', 201, 201), traced('c', 'other', 201, 201))).toBe('b');
  });
  test('and the ruling is its own', () => {
    const two = clause({ a: [{ ...violated, because: 'at first' }], b: [{ ...violated, because: 'again' }] });
    expect(cellAfter(two, attempt('a'), repeat('b', 'a'))).toMatchObject({
      because: 'again',
      example: { ruling: { because: 'again' } },
    });
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
      because: 'The service failed (5xx), but not in every repeat: it was seen',
      rulings: { violated: 1 },
      example: undefined,
    });
    expect(cellAfter(about('a'), failing('a', 499))).toMatchObject({ verdict: 'fail' });
  });

  test('counts where each repeat shows it', () => {
    const cell = cellAfter(about('a', 'b', 'c'), failing('a', 500), again('b', 500), again('c', 500));
    expect(cell).toMatchObject({ verdict: 'fail', because: 'it was seen', repeats: { violated: 2, of: 2 } });
    expect(cell?.example?.trace.id).toBe('b');
  });

  test('counts although a later repeat was cut short', () => {
    const cut: Trace = { ...again('c', 500), ended: 'interrupted' };
    expect(cellAfter(about('a', 'b'), failing('a', 500), again('b', 500), cut)).toMatchObject({
      verdict: 'fail',
      repeats: { violated: 1, of: 1 },
    });
  });

  test('does not count where one repeat does not', () => {
    expect(cellAfter(about('a', 'b'), failing('a', 500), again('b', 500), again('c', 500))).toMatchObject({
      verdict: 'inconclusive',
      repeats: { violated: 0, of: 0 },
    });
  });

  test('is neither shown nor refuted by a repeat that leaves it open', () => {
    const failed = (id: string) => ({
      ...violated,
      exchanges: failing(id, 500).exchanges.map((one) => one.id),
    });
    const one = clause({
      a: [failed('a')],
      b: [inconclusive],
      c: [failed('c')],
      d: [failed('d')],
      e: [failed('e')],
      z: [{}],
    });
    const [first, open, shown] = [failing('a', 500), again('b', 201), again('c', 500)];
    expect(cellAfter(one, first, open, shown, again('d', 500), again('e', 500))).toMatchObject({
      verdict: 'fail',
      repeats: { violated: 3, of: 3 },
    });
    // Once or twice more may be chance.
    expect(cellAfter(one, first, open, shown)).toMatchObject({ verdict: 'inconclusive' });
    expect(cellAfter(one, first, open, shown, again('d', 500))).toMatchObject({ verdict: 'inconclusive' });
    expect(cellAfter(one, first, open, attempt('z'))).toMatchObject({ verdict: 'inconclusive' });
  });

  test('is none where each repeat answered rightly, and what held elsewhere counts', () => {
    const one = clause({
      a: [{ ...violated, exchanges: failing('a', 500).exchanges.map(({ id }) => id) }],
      z: [{}],
    });
    const first = failing('a', 500);
    const well = [again('b', 201), again('c', 201)];
    expect(cellAfter(one, first, ...well, attempt('z'))).toMatchObject({
      verdict: 'pass',
      advisories: [{ text: 'returned 5xx, which no repeat showed again', count: 1 }],
    });
    expect(cellAfter(one, first, ...well)).toMatchObject({ verdict: 'inconclusive' });
    expect(cellAfter(one, first, attempt('z'))).toMatchObject({ verdict: 'inconclusive' });
  });

  test.each<[string, readonly (readonly number[])[], Partial<Cell>]>([
    [
      'several each time',
      [
        [1, 2],
        [0, 3],
        [2, 3],
      ],
      { verdict: 'fail', repeats: { violated: 2, of: 2 } },
    ],
    ['several in most', [[1, 2], [0, 3], [], [1, 3]], { verdict: 'fail', repeats: { violated: 2, of: 3 } }],
    ['several in half', [[1, 2], [0, 3], [], [1, 3], []], { verdict: 'inconclusive' }],
    ['several once again', [[1, 2], [0, 3], []], { verdict: 'inconclusive' }],
    ['one each time', [[1], [0], [3]], { verdict: 'fail', repeats: { violated: 2, of: 2 } }],
    ['one in most', [[1], [0], [], [3]], { verdict: 'inconclusive' }],
    ['one never again', [[1], [], []], { verdict: 'pass' }],
  ])('of a race comes at any of its requests: %s', (_, races, expected) => {
    const traces = races.map((failing, index) => {
      const id = `r${index}`;
      const racers = [0, 1, 2, 3].map((racer) => ({
        id: `racer-${racer}`,
        role: 'test' as const,
        status: failing.includes(racer) ? 500 : 201,
        deviations: racer === 0 ? [] : [reuse('racer-0')],
      }));
      return trace([racers], { id, ...(index === 0 ? {} : { purpose: 'repeat', repeats: 'r0' }) });
    });
    const rulings = traces.map(({ exchanges, id }) => [
      id,
      exchanges.flatMap(({ answer, id: exchange }) =>
        answer?.status === 500 ? [{ ...violated, exchanges: [exchange] }] : [],
      ),
    ]);
    const one = clause({ ...Object.fromEntries(rulings), z: [{}] });
    expect(cellAfter(one, ...traces, attempt('z'))).toMatchObject(expected);
  });

  test('is none where each time another of many requests met it', () => {
    const many = (id: string, failing: string, more: Partial<Trace> = {}): Trace =>
      trace(
        ['one', 'two', 'three'].map((step) => ({ id: step, status: step === failing ? 502 : 422 })),
        { id, ...more },
      );
    const about = (...traces: readonly Trace[]): Clause =>
      clause({
        z: [{}],
        ...Object.fromEntries(
          traces.map(({ exchanges, id }) => [
            id,
            exchanges
              .filter(({ answer }) => answer?.status === 502)
              .map((exchange) => ({ ...violated, exchanges: [exchange.id] })),
          ]),
        ),
      });
    const repeated = { purpose: 'repeat', repeats: 'a' } as const;
    const chance = [many('a', 'one'), many('b', 'two', repeated), many('c', 'three', repeated)];
    expect(cellAfter(about(...chance), ...chance)).toMatchObject({ verdict: 'inconclusive' });
    expect(cellAfter(about(...chance), ...chance, attempt('z'))).toMatchObject({ verdict: 'pass' });
    const twice = [many('a', 'one'), many('b', 'two', repeated), many('c', 'two', repeated)];
    expect(cellAfter(about(...twice), ...twice, attempt('z'))).toMatchObject({ verdict: 'inconclusive' });
    const each = [many('a', 'one'), many('b', 'one', repeated), many('c', 'one', repeated)];
    expect(cellAfter(about(...each), ...each, attempt('z'))).toMatchObject({
      verdict: 'fail',
      repeats: { violated: 2, of: 2 },
    });
  });

  test('counts where several of a burst failed each time, whichever they were', () => {
    const burst = (id: string, failed: readonly number[], more: Partial<Trace> = {}): Trace =>
      trace(
        [1, 2, 3, 4].map((ordinal) => ({
          id: 'burst',
          ordinal,
          status: failed.includes(ordinal) ? 503 : 201,
        })),
        { id, ...more },
      );
    const told = (...traces: readonly Trace[]) =>
      cellAfter(
        clause(
          Object.fromEntries(
            traces.map(({ exchanges, id }) => [
              id,
              [
                {
                  ...violated,
                  exchanges: exchanges.flatMap(({ answer, id }) => (answer?.status === 503 ? [id] : [])),
                },
              ],
            ]),
          ),
        ),
        ...traces,
      );
    const again = { purpose: 'repeat', repeats: 'a' } as const;
    expect(told(burst('a', [3, 4]), burst('b', [1, 2], again))).toMatchObject({ verdict: 'fail' });
    expect(told(burst('a', [3, 4]), burst('b', [2], again))).toMatchObject({ verdict: 'inconclusive' });
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

  test('may have passed where the harness only slowed the request', () => {
    const slowed = trace(
      [
        { id: 'probe', status: 502, deviations: [{ kind: 'fault', how: 'slow' }] },
        { id: 'meanwhile', status: 201 },
      ],
      { id: 'a' },
    );
    const exchanges = slowed.exchanges.map(({ id }) => id);
    expect(cellAfter(clause({ a: [{ ...violated, exchanges }] }), slowed)).toMatchObject({
      verdict: 'inconclusive',
    });
  });

  test('in an advisory clause is reported as it was seen', () => {
    expect(cellAfter({ ...about('a'), level: 'advisory' }, failing('a', 500))).toMatchObject({
      verdict: 'fail',
    });
  });
});
