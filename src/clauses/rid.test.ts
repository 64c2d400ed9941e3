import { expect, test } from 'vitest';
import { makeContext } from '../oracle/context.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { contract, principals } from './cases/contract.ts';
import { judged, stated } from './cases/judged.ts';
import { requestIdCases } from './cases/request-ids.ts';
import { trace } from './cases/trace.ts';
import { clauseOf } from './catalogue.ts';

test.each(requestIdCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

test.each([
  ['among the responses of the operation', { '400': undefined }, 'violated'],
  ['there as a range alone', { '4XX': undefined, default: undefined }, 'inconclusive'],
])('RID-3: 400 without an ID, where the document has 400 %s', (_, failures, verdict) => {
  const operations = contract.operations.map((one) => ({ ...one, failures }));
  const context = makeContext({
    contract: { ...contract, operations },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const refused = trace([{ id: 'a', status: 400, requestId: [] }]);
  const rulings = (clauseOf('RID-3')?.judges ?? []).flatMap((judge) =>
    judge.over === 'trace' ? [...judge.rule(context, refused)] : [],
  );
  expect(rulings.map((ruling) => ruling.verdict)).toEqual([verdict]);
});
