import { expect, test } from 'vitest';
import { borrowedKeyCases } from '../cases/borrowed-keys.ts';
import { contract, createCase } from '../cases/contract.ts';
import { judged, stated } from '../cases/judged.ts';
import { clauseOf } from '../catalogue.ts';

test.each(borrowedKeyCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

test('IDM-13 needs a second command', () => {
  const [listCases, closeCase] = ['listCases', 'closeCase'].map((id) =>
    contract.operations.filter((operation) => operation.id === id),
  );
  const binds = (others: typeof contract.operations = []): boolean | undefined =>
    clauseOf('IDM-13')?.applies({ ...contract, operations: [createCase, ...others] }, createCase);
  expect([binds(), binds(listCases), binds(closeCase)]).toEqual([false, false, true]);
});
