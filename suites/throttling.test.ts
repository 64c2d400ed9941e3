import { expect, test } from 'vitest';
import type { TargetRecords } from '../src/model/configured.ts';
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

test('a read of one record reaches the limit for a command on a record, which a list of records reaches itself', async () => {
  const path = '/streams/{stream}/events';
  const contract = await contractOf(
    operation(`POST ${path}`, 'append', { result: made }),
    operation(`GET ${path}`, 'readLog', { result: made }),
  );
  const ids = [{ stream: 'a' }, { stream: 'b' }];
  const burst = (given: TargetRecords): readonly string[] =>
    planned(throttling, contract, {
      targets: new Map([
        ['append', given],
        ['readLog', { ids }],
      ]),
    })
      .probes()
      .flatMap(({ scenarios }) => scenarios.map(({ title }) => title));
  expect(burst({ ids })[0]).toBe('too fast, then as guided');
  expect(burst({ hook: 'target of append' })[0]).toBe('too fast with readLog, then append');
});
