import type fc from 'fast-check';
import { type ClauseCode, type Codes, codesOf, type Need } from '../model/clause.ts';
import type { Budget, TargetRecords } from '../model/configured.ts';
import type { Contract, Operation, OperationId } from '../model/contract.ts';
import type { Declared } from '../model/declaration.ts';
import type { InputProblem } from '../model/input-error.ts';
import type { Principal, PrincipalName } from '../model/principal.ts';
import type { Scenario } from '../model/scenario.ts';
import type { Preparation } from './preparation.ts';
import type { KnownNames } from './script-checks.ts';
import type { OperationValues } from './values.ts';

/** What a suite knows when it proposes; nothing here acts. */
export type Planning = {
  readonly contract: Contract;
  readonly declared: Declared;
  readonly principals: readonly Principal[];
  readonly budget: Budget;
  readonly throttling: { readonly maxRequests: number; readonly maxSeconds: number };
  readonly hooks: ReadonlySet<string>;
  /** Whether the principal's token has the form of a JWT. */
  readonly isJwt: (principal: Principal) => boolean;
  /** Whether flipping the case of its letters makes another token. */
  readonly caseMatters: (principal: Principal) => boolean;
  readonly values: (operation: Operation) => OperationValues;
  /** Target records that only the vendor can make. */
  readonly targets?: ReadonlyMap<OperationId, TargetRecords>;
  /** What new target records need before these commands accept them, as the target has shown. */
  readonly prepared?: ReadonlyMap<OperationId, Preparation>;
  /** Operations whose bodies the configuration gives: records that these name are there. */
  readonly given?: ReadonlySet<OperationId>;
  /** The operations whose proposals are wanted; all where none are named. What a suite proposes for others is left out. */
  readonly wanted?: ReadonlySet<OperationId>;
};

/** A situation to bring about: enumerated scenarios first, then random ones. */
export type Probe = {
  readonly kind: 'probe';
  /** Unique within the suite and operation, and stable: the seed of its random scenarios derives from it. */
  readonly id: string;
  readonly operation: OperationId;
  /** What it is aimed at; every clause judges every trace all the same. */
  readonly clauses: readonly ClauseCode[];
  readonly scenarios: readonly Scenario[];
  readonly random?: { readonly arbitrary: fc.Arbitrary<Scenario>; readonly runs: number };
  /** Races are repeated more often before they are called unstable. */
  readonly concurrent?: boolean;
  /**
   * What nothing else may use meanwhile: the target (`true`), or one principal. These probes run after all others. `limit`
   * reaches the rate limit of a principal; the target is kept quiet until it is known that callers do not share the limit.
   */
  readonly alone?: true | { readonly principal: PrincipalName } | { readonly limit: PrincipalName };
};

/** Clauses that cannot be tested here, and what would test them. */
export type Skip = {
  readonly kind: 'skip';
  readonly operation: OperationId;
  readonly clauses: readonly ClauseCode[];
  readonly need: Need;
};

export type Proposal = Probe | Skip;

/** A pure description of one kind of situation. */
export type Suite = {
  readonly name: string;
  readonly title: string;
  readonly propose: (planning: Planning) => Iterable<Proposal>;
  /** Of a suite that is data: names in it that mean nothing in this run. */
  readonly unknownNames?: (known: KnownNames) => readonly InputProblem[];
};

export function probesOf(
  operation: Operation,
): (
  id: string,
  clauses: Codes,
  scenarios: readonly Scenario[],
  more?: Pick<Probe, 'random' | 'concurrent' | 'alone'>,
) => Probe {
  return (id, clauses, scenarios, more) => ({
    ...{ kind: 'probe', id, operation: operation.id, clauses: codesOf(clauses), scenarios },
    ...more,
  });
}

export function byBudget<T>(planning: Pick<Planning, 'budget'>, quick: T, standard: T, thorough: T): T {
  return planning.budget === 'quick' ? quick : planning.budget === 'standard' ? standard : thorough;
}

/** Parts of about one size, with at most so many in each. */
export function inParts<One>(all: readonly One[], most: number): readonly (readonly One[])[] {
  const parts = Math.ceil(all.length / most);
  return Array.from({ length: parts }, (_, index) =>
    all.slice(Math.floor((index * all.length) / parts), Math.floor(((index + 1) * all.length) / parts)),
  );
}
