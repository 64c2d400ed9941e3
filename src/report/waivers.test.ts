import { expect, test } from 'vitest';
import type { Cell } from '../model/verdict.ts';
import type { Waiver } from '../model/waiver.ts';
import { waiverOf, waiverReports } from './waivers.ts';

const waiver = (given: Partial<Waiver>): Waiver => ({
  clause: 'IDM-6',
  operation: undefined,
  owner: 'Ada',
  reason: 'fixed in 2.0',
  expires: '2026-06-30',
  ...given,
});

const cell = (clause: string, verdict: Cell['verdict']): Cell => ({
  clause,
  level: 'stated',
  operation: 'createCase',
  verdict,
  because: '',
  needs: [],
  idsOnly: false,
  rulings: { holds: 0, violated: 1, inconclusive: 0 },
  repeats: { violated: 1, of: 1 },
  advisories: [],
  example: undefined,
});

test('a waiver holds up to its last day, for its clause and operation', () => {
  const violated = cell('IDM-6', 'fail');
  expect(waiverOf(violated, [waiver({})], '2026-06-30')).toEqual(waiver({}));
  expect(waiverOf(violated, [waiver({})], '2026-07-01')).toBeUndefined();
  expect(waiverOf(violated, [waiver({ clause: 'IDM-7' })], '2026-01-01')).toBeUndefined();
  expect(waiverOf(violated, [waiver({ operation: 'closeCase' })], '2026-01-01')).toBeUndefined();
  expect(waiverOf(violated, [waiver({ operation: 'createCase' })], '2026-01-01')).toBeDefined();
});

test('the report says which waivers are in effect, expired or unused', () => {
  const cells = [cell('IDM-6', 'fail'), cell('IDM-7', 'pass'), cell('IDM-8', 'unstable')];
  const given = [waiver({}), waiver({ clause: 'IDM-7' }), waiver({ clause: 'IDM-8', expires: '2025-12-31' })];
  expect(
    waiverReports(given, cells, '2026-01-01').map(({ clause, state, findings }) => [clause, state, findings]),
  ).toEqual([
    ['IDM-6', 'in effect', ['IDM-6/createCase']],
    ['IDM-7', 'unused', []],
    ['IDM-8', 'expired', ['IDM-8/createCase']],
  ]);
});

test('only what was tested is called stale, and what cannot apply is unmatched', () => {
  const state = (...verdicts: readonly Cell['verdict'][]): string | undefined =>
    waiverReports(
      [waiver({})],
      verdicts.map((verdict) => cell('IDM-6', verdict)),
      '2026-01-01',
    )[0]?.state;
  expect(state('pass')).toBe('unused');
  expect(state('pass', 'not-applicable')).toBe('unused');
  expect(state('pass', 'not-tested')).toBe('not tested');
  expect(state('inconclusive')).toBe('not tested');
  expect(state('not-applicable')).toBe('unmatched');
  expect(state()).toBe('unmatched');
  expect(state('pass', 'unstable')).toBe('in effect');
});
