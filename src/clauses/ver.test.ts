import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import { contract } from './cases/contract.ts';
import { judged, stated } from './cases/judged.ts';
import { versionCases } from './cases/version.ts';
import { clauseOf } from './catalogue.ts';

test.each(versionCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

test.each(['VER-5', 'VER-6'])('%s binds commands that move the version on, and no others', (code) => {
  const { version, ...plain } = operationOf(contract, 'updateCase');
  const binds = (neutral: boolean): boolean | undefined =>
    version && clauseOf(code)?.applies(contract, { ...plain, version: { ...version, neutral } });
  expect([binds(false), binds(true)]).toEqual([true, false]);
  expect(clauseOf(code)?.applies(contract, { ...plain, version: undefined })).toBe(false);
});

test('VER-6 does not bind deletions: what is deleted has no version any more', () => {
  const update = operationOf(contract, 'updateCase');
  const clause = clauseOf('VER-6');
  expect(clause?.applies(contract, update)).toBe(true);
  expect(clause?.applies(contract, { ...update, method: 'DELETE' })).toBe(false);
});
