import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import { contract } from './cases/contract.ts';
import { judged, stated } from './cases/judged.ts';
import { verificationCases } from './cases/verification.ts';
import { clauseOf } from './catalogue.ts';

test.each(verificationCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

test('STV-4 binds commands whose verification serves once, and no others', () => {
  const { verification, ...plain } = operationOf(contract, 'approveCase');
  const binds = (singleUse: boolean): boolean | undefined =>
    verification &&
    clauseOf('STV-4')?.applies(contract, { ...plain, verification: { ...verification, singleUse } });
  expect([binds(true), binds(false)]).toEqual([true, false]);
  expect(clauseOf('STV-4')?.applies(contract, { ...plain, verification: undefined })).toBe(false);
});
