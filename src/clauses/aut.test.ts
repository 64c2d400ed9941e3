import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import { contract } from './cases/contract.ts';
import { credentialCases } from './cases/credentials.ts';
import { judged, stated } from './cases/judged.ts';
import { clauseOf } from './catalogue.ts';

test.each(credentialCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

test('AUT-11 does not bind reads of which a stranger could learn nothing', () => {
  const read = operationOf(contract, 'getCase');
  const clause = clauseOf('AUT-11');
  expect(clause?.applies(contract, read)).toBe(true);
  expect(clause?.applies(contract, { ...read, pathFields: [], queryFields: [] })).toBe(false);
});
