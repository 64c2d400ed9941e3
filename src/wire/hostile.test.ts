import { describe, expect, test } from 'vitest';
import { openGate } from '../evidence/gate.ts';
import type { Exchange } from '../model/exchange.ts';
import { machineClock } from '../run/clock.ts';
import { startHostile } from '../testing/attack/hostile-server.ts';
import { type HostileTarget, hostileTargets, type SentPart } from '../testing/attack/target.ts';
import { leaks } from '../testing/attack/targets.ts';
import { openWire } from './wire.ts';

const canary = 'Canary-b7Qm2xVt9LsKc4RzWn8YpD3f';

/** Bombs are packed for `npm run attack`; here a megabyte is as much beyond what is kept as a hundred. */
function lighter(parts: readonly SentPart[]): readonly SentPart[] {
  return parts.map((part) => ('packed' in part ? { ...part, times: Math.min(part.times, 65_536) } : part));
}

async function met(target: HostileTarget): Promise<string> {
  const server = await startHostile(
    { ...target, sends: lighter(target.sends) },
    { after: 0, every: 1 },
    undefined,
  );
  const wire = openWire(
    {
      origin: `http://127.0.0.1:${server.port}`,
      timeoutMs: 300,
      connections: 1,
      maxBodyBytes: 256 * 1024,
    },
    machineClock,
  );
  try {
    const { answer, noAnswer, connection, startedAt, sentAt, endedAt } = await wire.send({
      method: target.to.method ?? 'POST',
      path: '/cases',
      headers: [['Authorization', `Bearer ${canary}`]],
      body: undefined,
      transport: 'pooled',
    });
    const exchange: Exchange = {
      id: 'x1',
      trace: 't1',
      step: 's',
      ordinal: 0,
      operation: 'createCase',
      principal: 'full',
      request: { method: 'POST', path: '/cases', headers: [], body: undefined },
      answer,
      noAnswer,
      requestIds: [],
      connection,
      earlier: [],
      startedAt,
      sentAt,
      endedAt,
      time: '2026-01-01T00:00:00.000Z',
    };
    return JSON.stringify(openGate([{ name: 'full', value: canary }], 's').exchange(exchange));
  } finally {
    await wire.close();
    await server.close();
  }
}

describe('a hostile target gets no more than its time, and leaves no token', () => {
  test.concurrent.each(hostileTargets().map((target) => ({ name: target.name, target })))(
    '$name',
    async ({ target }) => {
      const line = await met(target);
      const { answer, noAnswer } = JSON.parse(line);
      // One of the two: what broke off is no response.
      expect(Number(answer !== undefined) + Number(noAnswer !== undefined)).toBe(1);
      expect(leaks([canary], new Map([['the log', line]]))).toEqual([]);
    },
  );
});
