import type { Codes } from '../model/clause.ts';
import type { Operation } from '../model/contract.ts';
import { trouble } from '../model/input-error.ts';
import { type Scene, sceneOf, skip } from './scene.ts';
import type { Planning, Proposal, Suite } from './suite.ts';

/**
 * A suite that proposes for one operation at a time. Where no scene can be made, `clauses` are skipped with the reason;
 * none, where another suite skips them.
 */
export type OperationSuite = Pick<Suite, 'name' | 'title'> & {
  readonly for: 'commands' | 'operations' | ((operation: Operation) => boolean);
  readonly clauses: Codes | ((operation: Operation) => Codes);
  readonly propose: (scene: Scene, planning: Planning) => Iterable<Proposal>;
};

/**
 * Defines a suite: `export default defineSuite({ name, title, for: 'commands', clauses, *propose(scene, planning) { ... } })`,
 * or without `for` and `clauses`, with `*propose(planning)`, for the whole contract.
 */
export function defineSuite(suite: OperationSuite): Suite;
export function defineSuite(suite: Suite): Suite;
export function defineSuite(suite: Suite | OperationSuite): Suite {
  if (!('for' in suite)) return suite;
  const { name, title } = suite;
  return { name, title, propose: (planning) => proposals(suite, planning) };
}

function* proposals(suite: OperationSuite, planning: Planning): Iterable<Proposal> {
  for (const operation of planning.contract.operations) {
    if (!isFor(suite.for, operation)) continue;
    // A narrow run is planned in the time of its own operations.
    if (planning.wanted?.has(operation.id) === false) continue;
    const scene = sceneOf(planning, operation);
    const clauses = typeof suite.clauses === 'function' ? suite.clauses(operation) : suite.clauses;
    if (!('remedy' in scene)) yield* ownOf(suite, operation, suite.propose(scene, planning));
    else if (clauses.length > 0) yield skip(operation, clauses, scene);
  }
}

/** A proposal for another operation would be lost where that one alone is wanted. @throws InputError */
function* ownOf(
  { name }: OperationSuite,
  { id }: Operation,
  proposals: Iterable<Proposal>,
): Iterable<Proposal> {
  for (const proposal of proposals) {
    if (proposal.operation !== id)
      throw trouble(
        `suite ${name}`,
        `it was asked for proposals on ${id}, and proposes something on ${proposal.operation}`,
        "leave out 'for' and 'clauses' to propose for the whole contract",
      );
    yield proposal;
  }
}

function isFor(wanted: OperationSuite['for'], operation: Operation): boolean {
  if (wanted === 'operations') return true;
  return wanted === 'commands' ? operation.kind === 'command' : wanted(operation);
}
