import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { loadConfig } from '../config/load.ts';
import { loadContract } from '../contract/load.ts';
import { makeLedger } from '../judge.ts';
import type { Trace } from '../model/exchange.ts';
import { makeContext } from '../oracle/context.ts';
import { openPoints, sightsOf } from '../oracle/open-points/register.ts';
import { clauses } from './catalogue.ts';

const config = await loadConfig('fixtures/contracts/extended.config.yaml');
const contract = await loadContract(config.contract);

/** A trace in which one command is sent so many times, each after the one before. */
function burst(times: number): Trace {
  const { holds }: { holds: Trace } = JSON.parse(readFileSync('fixtures/traces/IDM-10.json', 'utf8'));
  const sent = holds.exchanges.filter(({ step }) => step === 'second');
  const exchanges = Array.from({ length: times }, (_, index) =>
    sent.map((one) => ({
      ...structuredClone(one),
      id: `x${index + 1}`,
      ordinal: index,
      startedAt: 1000 + index,
      endedAt: 1000.5 + index,
    })),
  ).flat();
  return { ...holds, exchanges };
}

const context = makeContext({
  contract,
  declared: config.declared,
  principals: config.principals,
  proven: new Set(config.principals.map(({ name }) => name)),
});

/** How often all clauses together serialise something to judge a burst. */
function serialised(times: number): number {
  const ledger = makeLedger({ clauses, context });
  const trace = burst(times);
  const spy = vi.spyOn(JSON, 'stringify');
  ledger.see(trace);
  const { length } = spy.mock.calls;
  spy.mockRestore();
  return length;
}

test('a burst costs no more for each request when it is longer', () => {
  // The first one compiles schemas.
  serialised(10);
  expect(serialised(200)).toBeLessThanOrEqual(4 * serialised(50));
});

test('an open point that needs an odd request is not looked for in each plain one', () => {
  let asked = 0;
  const points = openPoints.slice(0, 1).map((point) => ({
    ...point,
    get needs() {
      asked += 1;
      return ['body'] as const;
    },
  }));
  expect([...sightsOf(context, burst(50), points)]).toEqual([]);
  expect(asked).toBe(1);
});
