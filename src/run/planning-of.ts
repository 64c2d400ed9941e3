import type { Config } from '../config/config.ts';
import { caseMatters } from '../engine/credential.ts';
import { isJwt } from '../engine/jwt.ts';
import type { AcceptedBodies } from '../engine/rehearsal.ts';
import type { Contract, Operation, OperationId } from '../model/contract.ts';
import type { PrincipalName } from '../model/principal.ts';
import type { Preparations } from '../suite-kit/preparation.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { type OperationValues, operationValues } from '../suite-kit/values.ts';

/** What suites may know. `kept` holds the values of operations for all runs of one configuration. */
export function planningOf(
  config: Config,
  contract: Contract,
  tokens: ReadonlyMap<PrincipalName, string>,
  kept: Map<string, OperationValues>,
  accepted: AcceptedBodies = new Map(),
  prepared: Preparations = new Map(),
): Planning {
  const own = new Map<OperationId, OperationValues>();
  return {
    contract,
    declared: config.declared,
    principals: config.principals,
    budget: config.budget,
    throttling: config.throttling,
    hooks: new Set(config.hooks.keys()),
    isJwt: (principal) => isJwt(tokens.get(principal.name) ?? ''),
    targets: config.targets,
    prepared,
    given: new Set(config.examples.keys()),
    caseMatters: (principal) => caseMatters(tokens.get(principal.name) ?? 'aB'),
    values: (operation: Operation) => {
      const found = accepted.get(operation.id);
      const values = found === undefined ? kept : own;
      const known = values.get(operation.id);
      if (known !== undefined) return known;
      const made = operationValues(
        operation,
        found === undefined ? (config.examples.get(operation.id) ?? []) : [found],
        config.declared.G19 === 'conflict' ? 'all' : config.examples.has(operation.id) ? undefined : 'id',
      );
      values.set(operation.id, made);
      return made;
    },
  };
}
