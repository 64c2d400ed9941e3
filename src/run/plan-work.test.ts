import { expect, test } from 'vitest';
import { clauses } from '../clauses/catalogue.ts';
import { requestsOfProbe } from '../engine/estimate.ts';
import { makePlan, type PlannedProbe } from '../engine/plan.ts';
import { forcedWait } from '../engine/waits.ts';
import type { Budget } from '../model/configured.ts';
import { settleMs } from '../model/declaration.ts';
import { openSession, type Session } from './session.ts';

const budgets: readonly Budget[] = ['quick', 'standard', 'thorough'];
const configs: readonly (readonly [string, string])[] = [
  ['POST /cases', 'harness.config.yaml'],
  ['the extended catalogue', 'fixtures/contracts/extended.config.yaml'],
];

type Column = { readonly session: Session; readonly probes: readonly PlannedProbe[] };

async function columnOf(config: string, budget: Budget): Promise<Column> {
  const session = await openSession(config, { budget, seed: 1 });
  return { session, probes: makePlan(await session.suites(), session.planning(new Map()), 1, {}).probes };
}

const requestsIn = (probes: readonly PlannedProbe[]): number =>
  probes.reduce((sum, planned) => sum + requestsOfProbe(planned), 0);

/** What the scenarios of a plan wait for whatever the target returns, in milliseconds. */
function waitsIn({ probes, session: { config, contract } }: Column): readonly number[] {
  const stage = { contract, settleMs: settleMs(config.declared) };
  return probes.flatMap(({ probe }) => probe.scenarios.map(({ waves }) => forcedWait(waves, stage)));
}

const row = (name: string, cells: readonly (string | number)[]): string =>
  `${name.padEnd(12)}${cells.map((cell) => String(cell).padStart(10)).join('')}`.trimEnd();

// A guard without a clock: what a run sends and waits for. Where more is worth it, `npx vitest -u` takes the new figures.
test.each(configs)(
  'a run of %s sends no more for a clause, and waits no longer, than it did',
  async (name, config) => {
    const columns = await Promise.all(budgets.map((budget) => columnOf(config, budget)));
    const waits = columns.map(waitsIn);
    const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
    const lines = [
      row(name, []),
      row('', budgets),
      row(
        'requests',
        columns.map(({ probes }) => requestsIn(probes)),
      ),
      row(
        'waits',
        waits.map((all) => seconds(all.reduce((sum, one) => sum + one, 0))),
      ),
      row(
        'longest',
        waits.map((all) => seconds(Math.max(...all))),
      ),
      ...clauses.map(({ code }) =>
        row(
          code,
          columns.map(({ probes }) => requestsIn(probes.filter(({ probe }) => probe.clauses.includes(code)))),
        ),
      ),
    ];
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(
      `plan-work/${name.replaceAll(/[^A-Za-z]+/g, '-').toLowerCase()}.txt`,
    );
  },
);
