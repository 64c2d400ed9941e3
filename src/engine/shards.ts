import { actsOnOne, type Contract, operationOf } from '../model/contract.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { requestsOfProbe } from './estimate.ts';
import type { Plan, PlannedProbe } from './plan.ts';
import { sharedRecords } from './turns.ts';

/** A plan in parts: those that can run at the same time, and the one that follows them. */
export type Parts = {
  readonly shards: readonly (readonly PlannedProbe[])[];
  /** What needs something for itself that other processes would use as well. */
  readonly last: readonly PlannedProbe[];
};

/** Splits a plan into so many shards, evenly by the requests that are expected. The same plan gives the same parts. */
export function partsOf(plan: Plan, planning: Planning, count: number): Parts {
  const needsQuiet = quietProbes(plan, planning);
  const loads = Array.from({ length: count }, () => 0);
  const shardOf = new Map<PlannedProbe, number>();
  const costs = new Map(plan.probes.map((planned) => [planned, requestsOfProbe(planned) + 1]));
  const costOf = (planned: PlannedProbe): number => costs.get(planned) ?? 0;
  // The dearest first, each to the shard with the least: the sort is stable, so ties keep the order of the plan.
  for (const planned of plan.probes.toSorted((one, other) => costOf(other) - costOf(one))) {
    if (needsQuiet(planned)) continue;
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + costOf(planned);
    shardOf.set(planned, least);
  }
  return {
    shards: loads.map((_, index) => plan.probes.filter((planned) => shardOf.get(planned) === index)),
    last: plan.probes.filter((planned) => !shardOf.has(planned)),
  };
}

/** Probes that keep the target or a principal quiet, and those that use a record which a probe must have for itself. */
function quietProbes({ probes }: Plan, { contract, targets }: Planning): (planned: PlannedProbe) => boolean {
  const uses = new Map(probes.map((planned) => [planned, usesOf(contract, planned)]));
  const observed = new Set(
    [...uses.values()].flatMap((all) => all.filter(({ alone }) => alone).map(({ record }) => record)),
  );
  return (planned) => {
    const { alone, operation, random } = planned.probe;
    const given = actsOnOne(operationOf(contract, operation)) || targets?.has(operation) === true;
    return (
      alone !== undefined ||
      // What will be drawn is not known here.
      (random !== undefined && given) ||
      (uses.get(planned) ?? []).some(({ record }) => observed.has(record))
    );
  };
}

function usesOf(contract: Contract, { probe }: PlannedProbe): ReturnType<typeof sharedRecords> {
  return probe.scenarios.flatMap((scenario) => sharedRecords(contract, scenario));
}
