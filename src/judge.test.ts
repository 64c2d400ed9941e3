import { describe, expect, test } from 'vitest';
import { bothWays, twice } from './clauses/cases/both-ways.ts';
import { contextOf } from './clauses/cases/judged.ts';
import { fresh, many } from './clauses/cases/keys.ts';
import { first, form, again as once } from './clauses/cases/repeats.ts';
import { cellsAfter } from './clauses/cases/scripted.ts';
import {
  absent,
  lacking,
  missing,
  negative,
  type Part,
  reuse,
  type Shown,
  shown,
  trace,
} from './clauses/cases/trace.ts';
import { clauseOf, clauses } from './clauses/catalogue.ts';
import { makeLedger } from './judge.ts';
import type { Trace } from './model/exchange.ts';
import type { Deviation } from './model/scenario.ts';
import type { Cell } from './model/verdict.ts';

/** The cell of a clause after these traces: on createCase, or where all are about one other operation, on that one. */
function cellOf(code: string, traces: readonly Trace[], proven: readonly string[] = []): Cell | undefined {
  const ledger = makeLedger({ clauses, context: contextOf({}, proven) });
  const sent = new Set(traces.flatMap(({ exchanges }) => exchanges.map(({ operation }) => operation)));
  const [only] = sent.size === 1 ? sent : [];
  return cellsAfter(ledger, traces, only).find(({ clause }) => clause === code);
}

const verdictOf = (...of: Parameters<typeof cellOf>): string | undefined => cellOf(...of)?.verdict;

/** The response when the trace was repeated. */
const repeat = (parts: readonly Part[], more: Partial<Trace> = {}): Trace =>
  trace(parts, { id: 'again', purpose: 'repeat', repeats: 't', ...more });
const showing = (id: string, records: Shown | undefined): Partial<Trace> =>
  records === undefined ? {} : { effects: shown(id, records) };

describe('clauses on literal traces', () => {
  const rows = bothWays.map(([code, holds, violates, shows]) => ({ code, holds, violates, shows }));
  test.each(rows)('$code holds, and is violated', ({ code, holds, shows, violates }) => {
    expect(verdictOf(code, [trace(holds, showing('t', shows?.holds))])).toBe('pass');
    const first = trace(violates, showing('t', shows?.violates));
    expect(verdictOf(code, [first, repeat(violates, showing('again', shows?.violates))])).toBe('fail');
  });

  test('a duplicate that ran twice shows only in an independent read', () => {
    const seen = (ids: readonly string[]): Cell | undefined =>
      cellOf('IDM-4', [trace(twice, showing('t', { body: ids }))]);
    expect(cellOf('IDM-4', [trace(twice)])).toMatchObject({ verdict: 'pass', idsOnly: true });
    expect(seen(['case_1'])).toMatchObject({ verdict: 'pass', idsOnly: false });
    expect(seen(['case_1', 'case_2'])).toMatchObject({ verdict: 'fail' });
  });
});

describe('a clause about effects that saw none', () => {
  const rows: readonly { readonly code: string; readonly holds: readonly Part[] }[] = [
    ...bothWays.map(([code, holds]) => ({ code, holds })),
    { code: 'IDM-8', holds: [[first, once(201)]] },
    { code: 'IDM-17', holds: [first, once(201, form)] },
  ].filter(({ code }) => clauseOf(code)?.judges.some((judge) => judge.byResponses === true));
  test.each(rows)('$code passes by IDs only, where the read did not reach its end', ({ code, holds }) => {
    for (const more of [{}, { effects: shown('t', { body: [] }, false) }])
      expect(cellOf(code, [trace(holds, more)])).toMatchObject({ verdict: 'pass', idsOnly: true });
  });
  test.each(['IDM-8', 'IDM-17'])('%s passes without that mark where records were counted', (code) => {
    const holds = rows.findLast((row) => row.code === code)?.holds ?? [];
    const seen = { effects: shown('t', { body: ['case_1'] }) };
    expect(cellOf(code, [trace(holds, seen)])).toMatchObject({ verdict: 'pass', idsOnly: false });
  });
});

describe('what accuses nobody', () => {
  test.each<readonly [string, string, readonly Part[]]>([
    ['silence', 'AUT-1', negative(absent, undefined)],
    ['429', 'AUT-1', negative(absent, 429)],
    ['a control that was refused as well', 'AUT-1', negative(absent, 403, {}, { status: 403 })],
    ['5xx to the control as well', 'VAL-1', negative(missing, 500, {}, { status: 503 })],
    [
      '401 to an outsider whose token was accepted nowhere',
      'PRM-1',
      negative(lacking, 401, { as: 'nobody' }),
    ],
  ])('%s', (_, code, lines) => {
    expect(verdictOf(code, [trace(lines), repeat(lines)])).toBe('inconclusive');
  });

  test('401 to an outsider whose token was accepted elsewhere is a violation', () => {
    const lines = negative(lacking, 401, { as: 'nobody' });
    expect(verdictOf('PRM-1', [trace(lines), repeat(lines)], ['nobody'])).toBe('fail');
  });
});

describe('cells', () => {
  const bad = negative(absent, 403);
  test('seen once and never repeated: inconclusive', () =>
    expect(verdictOf('AUT-1', [trace(bad)])).toBe('inconclusive'));
  test('never again when repeated: unstable', () =>
    expect(verdictOf('AUT-1', [trace(bad), repeat(negative(absent, 401))])).toBe('unstable'));
  test('a success where there must be none needs no repeat', () =>
    expect(verdictOf('AUT-1', [trace(negative(absent, 201))])).toBe('fail'));
  test('nothing seen: not-tested', () => expect(verdictOf('AUT-1', [])).toBe('not-tested'));
  test('no such feature: not-applicable', () => expect(verdictOf('VER-1', [])).toBe('not-applicable'));
});

test('a 409 proves nothing where valid commands get one now and then, but before who sends is known', () => {
  const full = (id: string, sent?: string): Trace =>
    trace([{ id: 'plain', role: 'setup', status: 409, ...(sent === undefined ? {} : { sent }) }], { id });
  const text = (digit: string): string => `{"subject":"asy-${digit.repeat(16)}"}`;
  const charset: Deviation = { kind: 'media-type', how: 'parameter' };
  const seen = (code: string, deviation: Deviation, ...others: readonly Trace[]): string | undefined =>
    verdictOf(code, [trace(negative(deviation, 409)), repeat(negative(deviation, 409)), ...others]);
  const [one, two] = [full('one', text('1')), full('two', text('2'))];
  expect(seen('VAL-14', charset)).toBe('fail');
  expect(seen('VAL-14', charset, one)).toBe('fail');
  expect(seen('VAL-14', charset, one, full('two', '{"subject":"a case"}'))).toBe('fail');
  expect(seen('VAL-14', charset, one, two)).toBe('inconclusive');
  expect(seen('AUT-1', absent, one, two)).toBe('fail');
  // Twenty like it before and twenty after it prove that nothing else had the conflict.
  const among = [...many(20), fresh(409), ...many(20, 'e')];
  expect(verdictOf('IDM-11', [trace(among), one, two])).toBe('fail');
});

test('another request under the key of a command that was throttled is no fault', () => {
  const meanwhile = trace([
    { id: 'slow', status: 429, key: 'k' },
    {
      id: 'meanwhile',
      role: 'test',
      status: 201,
      key: 'k',
      name: 'other',
      deviations: [reuse('slow', 'request')],
    },
  ]);
  expect(verdictOf('ERR-1', [meanwhile])).not.toBe('fail');
  expect(verdictOf('IDM-6', [meanwhile])).not.toBe('fail');
  expect(verdictOf('IDM-9', [meanwhile])).not.toBe('fail');
});
