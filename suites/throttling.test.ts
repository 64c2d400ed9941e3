import { expect, test } from 'vitest';
import { operation } from '../src/selftest/shapes/document.ts';
import { contractOf, made } from '../src/testing/contracts.ts';
import { planned } from '../src/testing/plans.ts';
import throttling from './throttling.ts';

test('the one burst of the quick budget is at an operation that is asked for', async () => {
  const contract = await contractOf(
    operation('POST /cases', 'createCase', { result: made }),
    operation('POST /notes', 'createNote', { result: made }),
  );
  const burst = (...wanted: readonly string[]): readonly string[] =>
    planned(throttling, contract, wanted.length === 0 ? {} : { wanted: new Set(wanted) })
      .probes()
      .map((probe) => probe.operation);
  expect(burst()).toEqual(['createCase']);
  expect(burst('createNote')).toEqual(['createNote']);
});
