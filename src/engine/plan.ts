import { hash } from 'node:crypto';
import type { ClauseCode } from '../model/clause.ts';
import type { Contract, OperationId } from '../model/contract.ts';
import type { PrincipalName } from '../model/principal.ts';
import type { Scenario } from '../model/scenario.ts';
import { withCurrentVersions } from '../suite-kit/current-versions.ts';
import { interning } from '../suite-kit/interned.ts';
import type { Planning, Probe, Skip, Suite } from '../suite-kit/suite.ts';

/** A probe with the suite that proposes it and the seed of its random scenarios. */
export type PlannedProbe = { readonly suite: string; readonly probe: Probe; readonly seed: number };

/** The caller whose limit a probe uses up, as a burst does. */
export function limitedBy({ probe: { alone } }: Pick<PlannedProbe, 'probe'>): PrincipalName | undefined {
  return typeof alone === 'object' && 'limit' in alone ? alone.limit : undefined;
}

export type Plan = {
  readonly probes: readonly PlannedProbe[];
  readonly skips: readonly (Skip & { readonly suite: string })[];
};

export type Selection = {
  readonly suites?: readonly string[] | undefined;
  readonly operations?: readonly OperationId[] | undefined;
  /** Probes that are aimed at one of these clauses. */
  readonly clauses?: readonly ClauseCode[] | undefined;
  /** Probes that showed one of these violations, or are aimed at it. */
  readonly violations?: readonly ShownCell[] | undefined;
};

/** A violated cell, and the probe that showed it. */
export type ShownCell = {
  readonly clause: ClauseCode;
  readonly operation: OperationId;
  readonly suite: string;
  readonly probe: string;
};

/** All proposals of the suites, in their order; equal for equal seed, contract and configuration. */
export function makePlan(
  suites: readonly Suite[],
  planning: Planning,
  seed: number,
  selection: Selection,
): Plan {
  const steps = planSteps(suites, planning, seed, selection);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same, proposal by proposal: with hundreds of operations it takes seconds, and somebody may want to stop. */
export function* planSteps(
  suites: readonly Suite[],
  planning: Planning,
  seed: number,
  selection: Selection,
): Generator<undefined, Plan, undefined> {
  const probes: PlannedProbe[] = [];
  const skips: (Skip & { readonly suite: string })[] = [];
  const { operations } = selection;
  const interned = interning();
  const asked = operations === undefined ? planning : { ...planning, wanted: new Set(operations) };
  for (const suite of suites) {
    if (selection.suites !== undefined && !selection.suites.includes(suite.name)) continue;
    for (const proposal of suite.propose(asked)) {
      yield;
      if (!isSelected(selection, suite.name, proposal)) continue;
      if (proposal.kind === 'skip') skips.push({ ...proposal, suite: suite.name });
      else
        probes.push({
          suite: suite.name,
          probe: withShared(withCurrent(planning.contract, proposal), interned),
          seed: seedOf(seed, `${suite.name} ${proposal.operation} ${proposal.id}`),
        });
    }
  }
  return { probes, skips };
}

function isSelected(
  { clauses, operations, violations }: Selection,
  suite: string,
  proposal: Probe | Skip,
): boolean {
  const aims = (code: ClauseCode): boolean => proposal.clauses.includes(code);
  return (
    (operations === undefined || operations.includes(proposal.operation)) &&
    (clauses === undefined || clauses.some(aims)) &&
    (violations === undefined ||
      violations.some(
        (shown) =>
          (aims(shown.clause) && shown.operation === proposal.operation) ||
          (proposal.kind === 'probe' && shown.suite === suite && shown.probe === proposal.id),
      ))
  );
}

function withCurrent(contract: Contract, probe: Probe): Probe {
  const current = (scenario: Scenario): Scenario => withCurrentVersions(contract, scenario);
  const { random } = probe;
  return {
    ...probe,
    scenarios: probe.scenarios.map(current),
    ...(random === undefined ? {} : { random: { ...random, arbitrary: random.arbitrary.map(current) } }),
  };
}

/** Apart from what makes random scenarios, which lasts as long as the plan: what interns knows the text of each part. */
function withShared(probe: Probe, interned: (scenario: Scenario) => Scenario): Probe {
  return { ...probe, scenarios: probe.scenarios.map(interned) };
}

/** A 32-bit seed for each probe, so that adding a probe changes no other. */
function seedOf(seed: number, name: string): number {
  return hash('sha256', `${seed} ${name}`, 'buffer').readInt32BE(0);
}
