import { expect, test } from 'vitest';
import { trace } from '../clauses/cases/trace.ts';
import type { Contract } from '../model/contract.ts';
import type { Scenario, Step, Wave } from '../model/scenario.ts';
import { operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { type LastWrites, lastWriteBefore, noteWrites } from './last-writes.ts';

const record = { type: 'object', properties: { zone: { type: 'string' } } };
const contract: Contract = await contractOf(
  operation('GET /settings', 'getSettings', { result: record }),
  operation('PUT /settings', 'putSettings', { status: '200', body: record, result: record }),
  operation('GET /zones', 'listZones', {
    result: { type: 'object', properties: { items: { type: 'array', items: record } } },
  }),
);

const step = (id: string, of: string, more: Partial<Step> = {}): Step => ({
  ...{ id, operation: of, as: 'full', role: 'test', key: { use: 'none' }, body: { use: 'none' } },
  ...{ deviations: [], ...more },
});
const send = (...of: Parameters<typeof step>): Wave => ({ steps: [step(...of)] });
const scenario = (...waves: readonly Wave[]): Scenario => ({
  ...{ title: 't', keys: {}, bodies: {}, waves: [{ wait: 'settle' }, ...waves] },
});
const before = send('before', 'getSettings', { role: 'readback' });
const put = send('command', 'putSettings');
const observed = scenario(before, put);

/** The times at which commands on the settings ended, where they were answered. */
const after = (...ends: readonly (number | undefined)[]): LastWrites => {
  const writes: LastWrites = new Map();
  const [exchange] = trace([{ id: 'command', status: 200 }]).exchanges;
  if (exchange === undefined) throw new Error('no exchange');
  for (const end of ends)
    noteWrites(
      writes,
      contract,
      scenario(put),
      [
        {
          ...exchange,
          operation: 'putSettings',
          endedAt: end ?? 0,
          answer: end === undefined ? undefined : exchange.answer,
        },
      ],
      9000,
    );
  return writes;
};

test('what reads a singleton alone waits from the last command on it', () => {
  expect(lastWriteBefore(after(100, 700), contract, observed)).toBe(700);
  expect(lastWriteBefore(after(700, 100), contract, observed)).toBe(700);
});

test('a command without a response may act until its attempt ends', () => {
  expect(lastWriteBefore(after(undefined), contract, observed)).toBe(9000);
});

test('reads write nothing', () => {
  const writes = after(100);
  const [exchange] = trace([{ id: 'before', status: 200 }]).exchanges;
  if (exchange === undefined) throw new Error('no exchange');
  noteWrites(writes, contract, observed, [{ ...exchange, operation: 'getSettings', endedAt: 800 }], 9000);
  expect(lastWriteBefore(writes, contract, observed)).toBe(100);
});

test('nothing is known before the first command, nor of a list, nor where others use the record too', () => {
  expect(lastWriteBefore(new Map(), contract, observed)).toBeUndefined();
  const listed = scenario(send('list', 'listZones', { role: 'readback' }), before, put);
  expect(lastWriteBefore(after(100), contract, listed)).toBeUndefined();
  expect(lastWriteBefore(after(100), contract, scenario(put))).toBeUndefined();
  expect(lastWriteBefore(after(100), contract, scenario(send('before', 'getSettings'), put))).toBeUndefined();
});
