import { expect, test } from 'vitest';
import { trace } from '../clauses/cases/trace.ts';
import type { Contract } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
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

type Sent = Partial<Pick<Exchange, 'answer' | 'endedAt' | 'principal' | 'startedAt' | 'request' | 'step'>> & {
  readonly operation?: string;
  readonly status?: number;
};

/** What is known after these commands on the settings, each of an attempt of its own. */
const noted = (scene: Scenario, ...all: readonly Sent[]): LastWrites => {
  const writes: LastWrites = new Map();
  for (const { operation = 'putSettings', status = 200, ...sent } of all) {
    const [exchange] = trace([{ id: 'command', status }]).exchanges;
    if (exchange === undefined) throw new Error('no exchange');
    const exchanges = [{ ...exchange, operation, startedAt: sent.endedAt ?? 0, ...sent }];
    const markers = { body: 'asy-1', next: 'asy-2', last: 'asy-3' };
    noteWrites(writes, contract, { scenario: scene, exchanges, markers }, { now: 9000, settleMs: 5000 });
  }
  return writes;
};
/** The times at which commands ended, where they were answered. */
const after = (...ends: readonly (number | undefined)[]): LastWrites =>
  noted(
    scenario(put),
    ...ends.map((end) => (end === undefined ? { answer: undefined, endedAt: 0 } : { endedAt: end })),
  );
const sending = (marker: string): Exchange['request'] => ({
  ...{ method: 'PUT', path: '/settings', headers: [] },
  body: JSON.stringify({ zone: marker }),
});

test('what reads a singleton alone waits from the last command on it', () => {
  expect(lastWriteBefore(after(100, 700), contract, observed)).toBe(700);
  expect(lastWriteBefore(after(700, 100), contract, observed)).toBe(700);
});

test('a command without a response may act until its attempt ends', () => {
  expect(lastWriteBefore(after(undefined), contract, observed)).toBe(9000);
});

test('reads write nothing', () => {
  const writes = noted(
    observed,
    { endedAt: 100 },
    { endedAt: 800, operation: 'getSettings', step: 'before' },
  );
  expect(lastWriteBefore(writes, contract, observed)).toBe(100);
});

test('what was accepted last is known by its marker, however it is written', () => {
  const escaped = { ...sending(''), body: '{"zone":"\\u0061sy-2"}' };
  const writes = noted(
    scenario(put),
    { endedAt: 100, request: sending('asy-1') },
    { endedAt: 200, request: escaped },
    { endedAt: 300, request: sending('asy-3'), status: 422 },
  );
  expect(writes.get('/settings')).toEqual({
    ...{ endedAt: 300, acceptedAt: 200, queued: false },
    markers: [{ marker: 'asy-2', by: 'full', endedAt: 200 }],
  });
});

test('of commands that overlapped, of two callers, and without a response, each may be what is shown', () => {
  const known = (...sent: Parameters<typeof noted>[1][]): readonly (string | undefined)[] | undefined =>
    noted(scenario(put), ...sent)
      .get('/settings')
      ?.markers.map(({ marker }) => marker);
  const first = { endedAt: 100, request: sending('asy-1') };
  const second = { endedAt: 200, request: sending('asy-2') };
  expect(known(first, second)).toEqual(['asy-2']);
  expect(known(first, { ...second, startedAt: 50 })).toEqual(['asy-1', 'asy-2']);
  expect(known(first, { ...second, principal: 'peer' })).toEqual(['asy-1', 'asy-2']);
  expect(known(first, { ...second, answer: undefined, startedAt: 50 })).toEqual(['asy-1', 'asy-2']);
});

test('a queued command may act until its settling time has passed', () => {
  const queued = (...sent: Parameters<typeof noted>[1][]): boolean | undefined =>
    noted(scenario(put), ...sent).get('/settings')?.queued;
  const one = { endedAt: 100, status: 202 };
  expect(queued(one)).toBe(true);
  expect(queued(one, { endedAt: 5099 })).toBe(true);
  expect(queued(one, { endedAt: 5100 })).toBe(false);
});

test('nothing is known before the first command, nor of a list, nor where others use the record too', () => {
  expect(lastWriteBefore(new Map(), contract, observed)).toBeUndefined();
  const listed = scenario(send('list', 'listZones', { role: 'readback' }), before, put);
  expect(lastWriteBefore(after(100), contract, listed)).toBeUndefined();
  expect(lastWriteBefore(after(100), contract, scenario(put))).toBeUndefined();
  expect(lastWriteBefore(after(100), contract, scenario(send('before', 'getSettings'), put))).toBeUndefined();
});
