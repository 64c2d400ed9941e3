import { expect, test } from 'vitest';
import type { Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { contextOf, trace } from '../cases/trace.ts';
import { readClauses } from './reads.ts';

const marker = 'asy-0123456789abcdef';

/** A command by somebody, with a marker in its body. */
function made(as: string): Trace {
  const one = trace([{ id: 'made', status: 201, as }]);
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

function verdicts(traces: readonly Trace[]): readonly string[] {
  const judge = readClauses.find(({ code }) => code === 'RDS-7')?.judges.find(({ over }) => over === 'run');
  if (judge?.over !== 'run') throw new Error('RDS-7 is judged over the run');
  const fold = judge.start();
  const rulings: Ruling[] = traces.flatMap((one) => [...fold.see(contextOf({}), one)]);
  return rulings.map(({ verdict, operation }) => `${verdict} ${operation}`);
}

test('a record of another scope is seen wherever it is in a list that is read for effects', () => {
  expect(verdicts([made('full'), swept('abroad')])).toEqual(['violated listCases']);
  expect(verdicts([made('full'), swept('full')])).toEqual([]);
  expect(verdicts([made('full'), swept('peer')])).toEqual([]);
});

test('what both scopes have sent tells nothing', () => {
  expect(verdicts([made('full'), made('abroad'), swept('abroad')])).toEqual([]);
});
