import { expect, test } from 'vitest';
import { rulingsOf } from '../../judge.ts';
import type { Contract } from '../../model/contract.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { made, read } from '../cases/list-lines.ts';
import { type Line, page, trace } from '../cases/trace.ts';
import { clauseOf } from '../catalogue.ts';

const versioned = {
  carrier: { in: 'header', name: 'If-Match' },
  source: { operation: 'getCase', in: 'body', at: '/version' },
  neutral: false,
} as const;
/** Nothing adds to the list without a current version. */
const unfilled: Contract = {
  ...contract,
  operations: contract.operations.map((one) =>
    one.effect?.list === 'listCases' ? { ...one, version: versioned } : one,
  ),
};

function verdicts(code: string, of: Contract, ...lines: readonly Line[]): readonly string[] {
  const clause = clauseOf(code);
  const context = makeContext({
    contract: of,
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  return clause === undefined ? [] : rulingsOf(clause, context, trace(lines)).map(({ verdict }) => verdict);
}

const tampered = [{ kind: 'cursor', how: 'tampered' } as const];
test.each<[string, Partial<Line>]>([
  ['RDS-3', { query: 'limit=9&status=open' }],
  ['RDS-5', { query: 'limit=2' }],
  ['RDS-6', { query: 'cursor=x', deviations: tampered }],
])('%s is not tested on an empty list that no probe fills', (code, asked) => {
  const empty = read('read', page([]), asked);
  expect(verdicts(code, unfilled, empty)).toEqual(['not-tested']);
  expect(verdicts(code, contract, empty)).toEqual(['inconclusive']);
  expect(verdicts(code, unfilled, made('a'), empty)).toEqual(['inconclusive']);
});

test('RDS-4 is not tested on an empty list that no probe fills', () => {
  const look = (id: string, observes: Line['observes'], query: string): Line => ({
    ...read(id, page([]), { query }),
    observes,
  });
  const lines = [
    look('whole', 'whole-page', 'limit=9'),
    look('part', 'part-of-list', 'limit=2'),
    look('again', 'whole-page', 'limit=9'),
  ];
  expect(verdicts('RDS-4', unfilled, ...lines)).toEqual(['not-tested']);
  expect(verdicts('RDS-4', contract, ...lines)).toEqual(['inconclusive']);
});
