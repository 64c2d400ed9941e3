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

test.each(['AUT-1', 'AUT-4', 'PRM-1', 'PRM-5', 'PRE-1', 'PRE-2'])(
  '%s binds what needs a token, also where the document names no permission',
  (code) => {
    const close = operationOf(contract, 'closeCase');
    const clause = clauseOf(code);
    expect(clause?.applies(contract, close)).toBe(true);
    expect(clause?.applies(contract, { ...close, permissions: [] })).toBe(true);
    expect(clause?.applies(contract, { ...close, permissions: undefined })).toBe(false);
  },
);

test('AUT-11 does not bind reads of which a stranger could learn nothing', () => {
  const read = operationOf(contract, 'getCase');
  const clause = clauseOf('AUT-11');
  expect(clause?.applies(contract, read)).toBe(true);
  expect(clause?.applies(contract, { ...read, pathFields: [], queryFields: [] })).toBe(false);
});
