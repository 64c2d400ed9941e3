import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Exchange } from '../model/exchange.ts';
import { openGate } from './gate.ts';
import { openLog } from './write.ts';

const id = (index: number): string => `7b0c2d9e-11f4-4c6a-9d3b-${String(index).padStart(12, '0')}`;

const exchange = (index: number): Exchange => ({
  id: `x${index + 1}`,
  trace: 't1',
  step: 's',
  ordinal: 0,
  operation: 'createCase',
  principal: 'full',
  request: {
    method: 'POST',
    path: '/cases',
    headers: [
      ['Authorization', 'Bearer Reference-Token-Full-0001'],
      ['Idempotency-Key', id(index)],
      ['Content-Type', 'application/json'],
    ],
    body: `{"subject":"A letter ${index}"}`,
  },
  answer: {
    status: 201,
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Request-Id', `req_${id(index)}`],
      ['Date', 'Sat, 21 Nov 2026 17:00:00 GMT'],
    ],
    body: `{"id":"case_${id(index)}","status":"open","subject":"A letter ${index}","createdAt":"2026-11-21T17:00:00Z"}`,
    bodyBytes: 120,
    truncated: false,
  },
  noAnswer: undefined,
  requestIds: [`req_${id(index)}`],
  connection: 0,
  earlier: [],
  startedAt: 1,
  sentAt: 2,
  endedAt: 3,
  time: '2026-01-01T00:00:00.000Z',
});

// A guard without a clock: what one exchange costs on its way to the disk. Change a figure only on purpose.
test('an exchange is serialised once, parsed never, and searched with few regular expressions', async () => {
  const log = await openLog(join(await mkdtemp(join(tmpdir(), 'assay-work-')), 'evidence.jsonl'));
  const gate = openGate([{ name: 'full', value: 'Reference-Token-Full-0001' }], 'salt');
  const count = 1000;
  const spies = {
    parse: vi.spyOn(JSON, 'parse'),
    stringify: vi.spyOn(JSON, 'stringify'),
    buffers: vi.spyOn(Buffer, 'from'),
    test: vi.spyOn(RegExp.prototype, 'test'),
    exec: vi.spyOn(RegExp.prototype, 'exec'),
  };
  const exchanges = Array.from({ length: count }, (_, index) => exchange(index));
  const lines = exchanges.map((one) =>
    gate.value({ line: 'exchange' as const, exchange: gate.exchange(one) }),
  );
  const searched = Object.fromEntries(
    Object.entries(spies).map(([name, spy]) => [name, spy.mock.calls.length]),
  );
  for (const line of lines) await log.append(line);
  const serialised = spies.stringify.mock.calls.length;
  for (const spy of Object.values(spies)) spy.mockRestore();
  await log.close(
    gate.value({
      end: 'complete',
      counts: { exchanges: count, traces: 0 },
      endedAt: '2026-01-01T00:00:01.000Z',
      elapsedMs: 1,
      redaction: gate.manifest(),
    }),
  );
  expect(searched).toEqual({ parse: 0, stringify: 0, buffers: 0, test: 0, exec: 0 });
  expect(serialised).toBe(count);
});
