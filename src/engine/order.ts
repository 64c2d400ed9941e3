import type { ClauseCode } from '../model/clause.ts';
import type { Contract } from '../model/contract.ts';
import { type Scenario, stepsOf, type Wave } from '../model/scenario.ts';
import { requestsOf } from './estimate.ts';
import type { LaneUse } from './lanes.ts';
import { mostTelling } from './most-telling.ts';
import type { PlannedProbe } from './plan.ts';
import type { Stage } from './stage.ts';
import { sharedRecords } from './turns.ts';
import { forcedWait, sequentialMs } from './waits.ts';

export type Unit = {
  readonly planned: PlannedProbe;
  readonly scenario: Scenario;
  readonly scenarioIndex: number;
  /** One of those that come first since they catch most. */
  readonly telling?: true;
};

export function unitsOf(planned: PlannedProbe): readonly Unit[] {
  return planned.probe.scenarios.map((scenario, scenarioIndex) => ({ planned, scenario, scenarioIndex }));
}

export function claimOf(contract: Contract, scenario: Scenario): LaneUse {
  const records = sharedRecords(contract, scenario);
  const steps = stepsOf(scenario.waves);
  return {
    uses: [...new Set(steps.map((step) => step.as))],
    ...(isSlowed(scenario) ? { lasting: true } : {}),
    ...(records.length === 0 ? {} : { records }),
  };
}

/** Whether it has the hook hold a request, also under a condition. */
export function isSlowed({ waves }: { readonly waves: readonly Wave[] }): boolean {
  return waves.some(
    (wave) => ('hook' in wave && wave.hook === 'slow') || ('waves' in wave && isSlowed(wave)),
  );
}

/** A scenario that lasts this long may decide how long a run takes. */
const longMs = 1000;

/**
 * First comes what waits longest, then what catches most: one scenario of each kind that is known to, and of the first scenarios
 * the one for most clauses that have none yet, per request. Then what lasts longest, and the others by turns with one in four of
 * those that last long: they are alive for as long as it takes. Of both, what reads a list to its end comes first, since the run
 * makes the list longer.
 */
export function orderedUnits(
  probes: readonly PlannedProbe[],
  stage: Pick<Stage, 'contract' | 'settleMs'>,
): readonly Unit[] {
  const units = probes.flatMap(unitsOf);
  const waits = new Map(units.map((unit) => [unit, forcedWait(unit.scenario.waves, stage)]));
  const waitOf = (unit: Unit): number => waits.get(unit) ?? 0;
  const lastingOf = (unit: Unit): number => waitOf(unit) + sequentialMs * sendingWaves(unit.scenario);
  const brief = units.filter((unit) => waitOf(unit) < longMs);
  const covering = telling(brief.filter((unit) => unit.scenarioIndex === 0));
  const known = [...new Set([...knownToTell(brief), ...covering])];
  // What lasts long, and bursts, cannot wait for all of them.
  const early = known.slice(0, covering.length);
  // What waits longest decides how long a run takes at least, and begins with a few requests.
  const longest = units
    .filter((unit) => waitOf(unit) >= longMs)
    .sort((one, other) => waitOf(other) - waitOf(one))
    .slice(0, 1);
  const begun = new Set([...longest, ...known]);
  const patient = units
    .filter((unit) => lastingOf(unit) >= longMs && !begun.has(unit))
    .sort((one, other) => walks(one) - walks(other) || lastingOf(other) - lastingOf(one));
  const turns = turnsOf(units);
  const short = units.filter((unit) => lastingOf(unit) < longMs && !begun.has(unit));
  const rest = [
    ...known.slice(early.length),
    ...short.sort(
      (one, other) => walks(one) - walks(other) || (turns.get(one) ?? 0) - (turns.get(other) ?? 0),
    ),
  ];
  const ordered = [
    ...longest,
    ...early.map((unit): Unit => ({ ...unit, telling: true })),
    ...patient.slice(0, 1),
  ];
  let [slow, prompt] = [1, 0];
  for (let index = 1; ordered.length < units.length; index += 1) {
    const long = index % 4 === 0 ? slow < patient.length : prompt >= rest.length;
    const next = long ? patient[slow++] : rest[prompt++];
    if (next !== undefined) ordered.push(next);
  }
  return ordered;
}

function sendingWaves({ waves }: Scenario): number {
  return waves.filter((wave) => 'steps' in wave).length;
}

/** Every kind of scenario comes on one operation before it comes on the next; of each clause, its first before its second. */
function turnsOf(units: readonly Unit[]): ReadonlyMap<Unit, number> {
  const seen = new Map<string, number>();
  const count = (name: string): number => {
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before;
  };
  return new Map(
    units.map((unit) => {
      const { probe, suite } = unit.planned;
      const lap = count(`${suite} ${probe.id} ${unit.scenarioIndex}`);
      const within = Math.min(...probe.clauses.map((code) => count(`${lap} ${code}`)));
      return [unit, lap * units.length + within];
    }),
  );
}

/** 0 of a scenario that reads a list page by page, else 1. */
function walks({ scenario }: Unit): number {
  return stepsOf(scenario.waves).some(({ observes }) => observes === 'page') ? 0 : 1;
}

/** Probes of one kind are alike on every operation, and at every place of a body. */
export function kindOf({
  planned: { probe, suite },
  scenarioIndex,
}: Pick<Unit, 'planned' | 'scenarioIndex'>): string {
  return `${suite} ${probe.id.replace(/\/.*/, '')} ${scenarioIndex}`;
}

/** Of each kind that is known to show faults, the scenario of fewest requests; what shows most for each request comes first. */
function knownToTell(units: readonly Unit[]): readonly Unit[] {
  const known = new Map<string, { readonly unit: Unit; readonly gain: number }>();
  for (const unit of units) {
    const kind = kindOf(unit);
    const gain = (mostTelling.get(kind) ?? 0) / Math.max(1, requestsOf(unit.scenario));
    if (gain > (known.get(kind)?.gain ?? 0)) known.set(kind, { unit, gain });
  }
  return [...known.values()].sort((one, other) => other.gain - one.gain).map(({ unit }) => unit);
}

/** What a further faulty request of a scenario counts, where its first one counts 1. */
const ofFurther = 0.4;

function faultsOf({ waves }: Scenario): number {
  const faulty = stepsOf(waves).filter(({ deviations, role }) => role === 'test' && deviations.length > 0);
  return Math.max(1, faulty.length);
}

/** Those that aim together at all clauses at which any aims, the most telling first. */
function telling(units: readonly Unit[]): readonly Unit[] {
  // Operations that are alike have probes that are alike: one of each is enough to choose from.
  const kinds = new Map<string, { readonly unit: Unit; readonly requests: number }>();
  for (const unit of units) {
    const kind = unit.planned.probe.clauses.join();
    const requests = Math.max(1, requestsOf(unit.scenario));
    if (requests < (kinds.get(kind)?.requests ?? Number.POSITIVE_INFINITY))
      kinds.set(kind, { unit, requests });
  }
  const aimed = new Set<ClauseCode>();
  const left = [...kinds.values()];
  const chosen: Unit[] = [];
  while (left.length > 0) {
    const gains = left.map(({ requests, unit: { planned, scenario } }) => {
      const fresh = planned.probe.clauses.filter((code) => !aimed.has(code)).length;
      return fresh === 0 ? 0 : (fresh + (faultsOf(scenario) - 1) * ofFurther) / requests;
    });
    const most = Math.max(...gains);
    const [next] = left.splice(gains.indexOf(most), 1);
    if (next === undefined || most === 0) break;
    for (const code of next.unit.planned.probe.clauses) aimed.add(code);
    chosen.push(next.unit);
  }
  return chosen;
}
