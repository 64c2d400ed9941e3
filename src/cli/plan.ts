import type { Overrides } from '../config/config.ts';
import { makePlan } from '../engine/plan.ts';
import { type Scenario, stepsOf, type Wave } from '../model/scenario.ts';
import { checkSelection, openSession } from '../run/session.ts';
import type { Output } from './terminal/output.ts';

/** Says what a run would send, and what cannot be tested with this configuration and why. Sends nothing, and reads no token. */
export async function plan(
  file: string,
  flags: {
    readonly overrides: Overrides;
    readonly suites: readonly string[] | undefined;
    readonly operations: readonly string[] | undefined;
  },
  output: Output,
): Promise<number> {
  const session = await openSession(file, flags.overrides);
  checkSelection(session, flags);
  const { probes, skips } = makePlan(session.suites, session.planning(new Map()), session.seed, flags);
  const { bold, dim, yellow } = output.colours;
  let total = 0;
  for (const suite of session.suites) {
    const own = probes.filter((probe) => probe.suite === suite.name);
    if (own.length === 0) continue;
    const requests = own.reduce(
      (sum, { probe }) =>
        sum +
        probe.cases.reduce((each, scenario) => each + requestsOf(scenario), 0) +
        (probe.random === undefined ? 0 : probe.random.runs * 2),
      0,
    );
    total += requests;
    output.out(
      `${bold(suite.name.padEnd(24))} ${String(own.length).padStart(5)} probes, about ${requests} requests\n`,
    );
  }
  output.out(
    `${'all'.padEnd(24)} ${String(probes.length).padStart(5)} probes, about ${total} requests at the ${session.config.budget} budget, seed ${session.seed}\n`,
  );
  const reasons = new Map<string, Set<string>>();
  for (const skip of skips)
    for (const code of skip.clauses)
      reasons.set(skip.need.remedy, (reasons.get(skip.need.remedy) ?? new Set()).add(code));
  if (reasons.size > 0) output.out(`\n${bold('Cannot be tested with this configuration')}\n`);
  for (const [remedy, codes] of reasons)
    output.out(`  ${yellow([...codes].join(', '))}\n    ${dim(remedy)}\n`);
  return 0;
}

function requestsOf(scenario: Scenario): number {
  return scenario.waves.reduce((sum, wave) => sum + requestsIn(wave), 0);
}

/** Conditional waves run where something went wrong, or to read on: they are not counted. */
function requestsIn(wave: Wave): number {
  if ('repeat' in wave) return wave.max;
  return 'when' in wave ? 0 : stepsOf([wave]).length;
}
