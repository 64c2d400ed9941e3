import type { ClauseCode } from '../model/clause.ts';
import type { Contract } from '../model/contract.ts';
import { type Scenario, stepsOf } from '../model/scenario.ts';
import type { LaneUse } from './lanes.ts';
import type { PlannedProbe } from './plan.ts';
import { sharedRecords } from './turns.ts';
import { forcedWait } from './waits.ts';

/** One enumerated scenario of the plan. */
export type Unit = {
  readonly planned: PlannedProbe;
  readonly scenario: Scenario;
  readonly caseIndex: number;
};

/** Whom a scenario sends as. */
export function claimOf(contract: Contract, scenario: Scenario): LaneUse {
  const records = sharedRecords(contract, scenario);
  return {
    uses: [...new Set(stepsOf(scenario.waves).map((step) => step.as))],
    ...(records.length === 0 ? {} : { records }),
  };
}

/** A wait that decides how long a run takes. */
const longMs = 1000;

/**
 * Puts first what catches most: the first scenario of each probe for a clause that has none yet, then
 * the others. In between, one in four, those that wait longest: they are alive for as long as it takes.
 */
export function orderedUnits(probes: readonly PlannedProbe[], settleMs: number): readonly Unit[] {
  const units = probes.flatMap((planned) =>
    planned.probe.cases.map((scenario, caseIndex): Unit => ({ planned, scenario, caseIndex })),
  );
  const waits = new Map(units.map((unit) => [unit, forcedWait(unit.scenario.waves, settleMs)]));
  const waitOf = (unit: Unit): number => waits.get(unit) ?? 0;
  const patient = units
    .filter((unit) => waitOf(unit) >= longMs)
    .sort((one, other) => waitOf(other) - waitOf(one));
  const prompt = units.filter((unit) => waitOf(unit) < longMs);
  const aimed = new Set<ClauseCode>();
  const early: Unit[] = [];
  const late: Unit[] = [];
  for (const unit of prompt) {
    const novel = unit.caseIndex === 0 && unit.planned.probe.clauses.some((code) => !aimed.has(code));
    if (novel) for (const code of unit.planned.probe.clauses) aimed.add(code);
    (novel ? early : late).push(unit);
  }
  const ordered: Unit[] = [];
  const rest = [...early, ...late];
  for (let index = 0; ordered.length < units.length; index += 1) {
    const next = index % 4 === 0 ? (patient.shift() ?? rest.shift()) : (rest.shift() ?? patient.shift());
    if (next !== undefined) ordered.push(next);
  }
  return ordered;
}
