import type { BrokenKeyword } from './evaluation.ts';
import { type Json, type JsonPointer, valueAt } from './json.ts';
import type { Study } from './study.ts';

export type IntendedFault = {
  readonly pointer: JsonPointer;
  readonly keyword: string;
  readonly schemaPointer: JsonPointer;
};

/** Keywords that cannot always be broken one without the other. */
const TOGETHER = [
  ['enum', 'const'],
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
  ['additionalProperties', 'unevaluatedProperties'],
];
/** Errors of ajv that only pass on what others say. */
const WRAPPERS = new Set(['anyOf', 'oneOf', 'if', 'unevaluatedProperties', 'unevaluatedItems']);

/** What is wrong with a body that was valid: of alternatives, the faults of the branch that held before. */
export function faultsSince(
  study: Study,
  before: Json,
  after: Json,
  claim?: IntendedFault,
): readonly BrokenKeyword[] {
  const { evaluator, index } = study.builder;
  const settle = (fault: BrokenKeyword): readonly BrokenKeyword[] => {
    if (fault.branches === undefined) return [fault];
    if (fault.pointer === claim?.pointer && fault.schemaPointer === claim.schemaPointer) return [fault];
    const held = valueAt(before, fault.pointer);
    const branch =
      held === undefined ? undefined : fault.branches.find(({ node }) => evaluator.holds(node, held));
    if (branch === undefined || branch.faults.length === 0) return [fault];
    return branch.faults.flatMap(settle);
  };
  return evaluator.evaluate(index.root, after).faults.flatMap(settle);
}

/** Whether one keyword at one pointer breaks alone, by ajv and by the second reading; a wrong type may break more. */
export function breaksOnly(study: Study, before: Json, after: Json, claim: IntendedFault): boolean {
  const faults = faultsSince(study, before, after, claim);
  if (
    !faults.some(
      ({ keyword, schemaPointer }) => keyword === claim.keyword && schemaPointer === claim.schemaPointer,
    )
  )
    return false;
  if (
    !faults.every(({ pointer, keyword }) => pointer === claim.pointer && goTogether(claim.keyword, keyword))
  )
    return false;
  const errors = study.compiled.validate(after);
  if (errors.length === 0) return false;
  const branching = errors.some(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  if (branching) return errors.some(({ pointer }) => pointer === claim.pointer);
  return errors
    .filter(({ keyword }) => !WRAPPERS.has(keyword) || keyword === claim.keyword)
    .every(
      ({ pointer }) =>
        pointer === claim.pointer ||
        (claim.keyword === 'contains' && pointer.startsWith(`${claim.pointer}/`)),
    );
}

function goTogether(claimed: string, other: string): boolean {
  if (claimed === other) return true;
  // A text that is too short for a date is no date either, and what breaks the length is refused for that.
  if (other === 'format') return true;
  // What is said of objects alone holds of any text, and so on: no `not` and no alternative outlives its type.
  if (claimed === 'type') return true;
  return TOGETHER.some((group) => group.includes(claimed) && group.includes(other));
}
