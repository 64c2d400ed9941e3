import type { Need } from '../model/clause.ts';
import type { Contract, Operation, OperationId } from '../model/contract.ts';
import type { Json, JsonPointer } from '../model/json.ts';
import type { Principal } from '../model/principal.ts';
import { remembered } from '../model/remembered.ts';
import { type BodySpec, type Scenario, type Step, stepsOf } from '../model/scenario.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import type { Planning, Probe, Proposal, Suite } from '../suite-kit/suite.ts';
import { operationValues } from '../suite-kit/values.ts';

/** What a test says of its planning; the rest is usual. */
type PlanningParts = Partial<Omit<Planning, 'contract' | 'hooks'>> & {
  readonly hooks?: readonly string[];
  /** Bodies that the vendor gave. */
  readonly examples?: readonly Json[];
};

/** A valid principal that holds no permission; `more` replaces what a test is about. */
export function principal(name: string, more: Partial<Principal> = {}): Principal {
  return { name, permissions: [], scope: 'a', state: 'valid', identity: name, use: 'any', ...more };
}

/** A valid principal that holds every permission of the contract. */
export function holder(contract: Contract, name: string, more: Partial<Principal> = {}): Principal {
  const permissions = contract.operations.flatMap((operation) => operation.permissions ?? []);
  return principal(name, { permissions: [...new Set(permissions)], ...more });
}

/** What a suite knows: one principal `all` that may do everything, the quick budget, no hooks and no JWTs. */
export function planningOf(
  contract: Contract,
  { examples = [], hooks = [], ...more }: PlanningParts = {},
): Planning {
  return {
    contract,
    declared: parsedDeclaration({}),
    principals: [holder(contract, 'all')],
    budget: 'quick',
    throttling: { maxRequests: 1, maxSeconds: 1 },
    hooks: new Set(hooks),
    isJwt: () => false,
    caseMatters: () => true,
    // As in a session: scenes ask for them again and again.
    values: remembered((operation: Operation) =>
      operationValues(operation, examples, examples.length === 0 ? 'id' : undefined),
    ),
    given: new Set(examples.length === 0 ? [] : contract.operations.map(({ id }) => id)),
    ...more,
  };
}

/** Which probes a test looks at; all, where it says nothing. */
type WantedProbes = { readonly probe?: string; readonly operation?: OperationId };

/** What a suite proposes for a contract. */
export function planned(suite: Suite, contract: Contract, given: PlanningParts = {}) {
  const proposals: readonly Proposal[] = [...suite.propose(planningOf(contract, given))];
  const probes = ({ operation, probe }: WantedProbes = {}): readonly Probe[] =>
    proposals.flatMap((one) =>
      one.kind === 'probe' && one.id === (probe ?? one.id) && one.operation === (operation ?? one.operation)
        ? [one]
        : [],
    );
  const scenarios = (wanted?: WantedProbes): readonly Scenario[] =>
    probes(wanted).flatMap((probe) => probe.scenarios);
  return {
    skips: proposals.filter((one) => one.kind === 'skip'),
    probes,
    scenarios,
    steps: (wanted?: WantedProbes): readonly Step[] =>
      scenarios(wanted).flatMap(({ waves }) => stepsOf(waves)),
  };
}

/** A scene, or what else a test needs to be there. @throws Error with what is missing */
export function present<T extends object>(made: T | Need): T {
  if ('remedy' in made) throw new Error(String(made.remedy));
  return made;
}

/** What an edit puts into a body at one place, whichever where none is named. */
export function editedTo(body: BodySpec, at?: JsonPointer): Json | undefined {
  const edit = body.use === 'named' ? body.edit : undefined;
  return edit !== undefined && 'set' in edit && edit.at === (at ?? edit.at) ? edit.set : undefined;
}
