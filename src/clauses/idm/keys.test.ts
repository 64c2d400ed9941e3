import { expect, test } from 'vitest';
import { type Operation, operationOf } from '../../model/contract.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { judged, stated } from '../cases/judged.ts';
import { fresh, keyFormCases, many } from '../cases/keys.ts';
import { missingKeyCases } from '../cases/missing-keys.ts';
import { movedAboveCases } from '../cases/moved-above.ts';
import { trace } from '../cases/trace.ts';
import { clauseOf } from '../catalogue.ts';

test.each([...missingKeyCases, ...keyFormCases, ...movedAboveCases])('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

const { version } = operationOf(contract, 'updateCase');
const { conflict, pathFields } = operationOf(contract, 'closeCase');
const { verification } = operationOf(contract, 'approveCase');

test.each<readonly [string, Partial<Operation>, number]>([
  ['a key is taken for another', {}, 1],
  ['the version may be old', { version }, 0],
  ['the verification may be wrong', { verification }, 0],
  ['the state may forbid it', { conflict }, 0],
  ['the target may forbid it', { pathFields }, 0],
])('IDM-11, a conflict among many: %s', (_, more, violations) => {
  const operations = contract.operations.map((operation) =>
    operation.id === 'createCase' ? { ...operation, ...more } : operation,
  );
  const context = makeContext({
    contract: { ...contract, operations },
    declared: parsedDeclaration({}),
    principals,
    proven: new Set(['full']),
  });
  const rulings = clauseOf('IDM-11')?.judges.flatMap((judge) =>
    judge.over === 'run'
      ? [...judge.start().see(context, trace([...many(20), fresh(409), ...many(20, 'd')]))]
      : [],
  );
  expect(rulings).toHaveLength(violations);
});
