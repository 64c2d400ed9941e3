import { expect, test } from 'vitest';
import type { Operation } from '../model/contract.ts';
import { makeContext } from '../oracle/context.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { contract, createCase, principals } from './cases/contract.ts';
import { again, first } from './cases/repeats.ts';
import { type Line, type Shown, shown, trace } from './cases/trace.ts';
import { clauseOf } from './catalogue.ts';

/** Its results have no body: Location names the record. */
const located: Operation = {
  ...createCase,
  success: { status: 201, mediaType: undefined, schema: undefined },
  idHeader: { name: 'Location', use: 'first', paths: ['/cases/{caseId}'] },
};
const at = (id: string): Partial<Line> => ({ body: '', headers: [['Location', `/api/cases/${id}`]] });

function verdicts(
  code: string,
  lines: readonly (Line | readonly Line[])[],
  effects?: Shown,
): readonly string[] {
  const operations = contract.operations.map((one) => (one.id === located.id ? located : one));
  const context = makeContext({
    contract: { ...contract, operations },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const seen = trace(lines, effects === undefined ? {} : { effects: shown('t', effects) });
  return (clauseOf(code)?.judges ?? [])
    .flatMap((judge) =>
      judge.over === 'run' ? [...judge.start().see(context, seen)] : [...judge.rule(context, seen)],
    )
    .map(({ verdict }) => verdict);
}

test.each<[what: string, second: Partial<Line>, verdict: string]>([
  ['the stored result', at('case_1'), 'holds'],
  ['another record', at('case_2'), 'violated'],
  ['no Location', { body: '' }, 'holds'],
])('IDM-5: a duplicate whose response has %s', (_, second, verdict) => {
  expect(verdicts('IDM-5', [{ ...first, ...at('case_1') }, again(201, second)])).toEqual([verdict]);
});

test.each<[what: string, ids: readonly [string, string], verdict: string]>([
  ['one record', ['case_1', 'case_1'], 'violated'],
  ['two records', ['case_1', 'case_2'], 'holds'],
])('CMD-5: two commands whose Location names %s', (_, ids, verdict) => {
  const lines = ids.map((id, index): Line => ({ id: `c${index}`, status: 201, ...at(id) }));
  expect(verdicts('CMD-5', lines).at(-1)).toBe(verdict);
});

test.each<[what: string, records: readonly string[], verdict: string]>([
  ['the record', ['case_1'], 'holds'],
  ['no record', [], 'violated'],
  ['the record under another ID', ['17'], 'inconclusive'],
])('CMD-6: the list shows %s', (_, records, verdict) => {
  expect(verdicts('CMD-6', [{ id: 'c', status: 201, ...at('case_1') }], { body: records })).toEqual([
    verdict,
  ]);
});

test.each<[what: string, other: Partial<Line>, verdict: string]>([
  ['another record', at('case_2'), 'violated'],
  ['no record', { body: '' }, 'holds'],
])('IDM-8: a parallel duplicate whose response names %s', (_, other, verdict) => {
  expect(verdicts('IDM-8', [[{ ...first, ...at('case_1') }, again(201, other)]])).toEqual([verdict, verdict]);
});
