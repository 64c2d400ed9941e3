import { expect, test } from 'vitest';
import { mostTelling } from '../engine/most-telling.ts';
import { kindOf } from '../engine/order.ts';
import { makePlan } from '../engine/plan.ts';
import { openSession } from './session.ts';

test('each kind of scenario that is to come first exists in a plan', async () => {
  const session = await openSession('fixtures/contracts/extended.config.yaml', { budget: 'quick', seed: 1 });
  const { probes } = makePlan(await session.suites(), session.planning(new Map()), 1, {});
  const kinds = new Set(
    probes.flatMap((planned) =>
      planned.probe.scenarios.map((_, scenarioIndex) => kindOf({ planned, scenarioIndex })),
    ),
  );
  expect(kinds.size).toBeGreaterThan(mostTelling.size);
  expect([...mostTelling.keys()].filter((kind) => !kinds.has(kind))).toEqual([]);
});
