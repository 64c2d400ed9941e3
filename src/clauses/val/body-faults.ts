import type { Contract, Operation } from '../../model/contract.ts';
import type { JsonPointer } from '../../model/json.ts';
import type { Deviation, Step } from '../../model/scenario.ts';
import { fieldsOf } from '../../oracle/fields.ts';
import { only } from '../judging/reading.ts';
import { commands } from '../judging/rules.ts';

export const rule3 = {
  where: 'POST /cases, rule 3',
  quote:
    'When the body does not match the published schema, the result is `422` and names the offending fields.',
};

export const row422 = { where: 'Errors table, 422', quote: 'Request does not match the published schema' };

export type BodyFault = Extract<Deviation, { kind: 'body' }>;

/** The one fault of the step, where it is a member of the body that departs from the schema. */
export function memberFault(step: Step): BodyFault | undefined {
  const fault = only(step, 'body');
  return fault === undefined || fault.at === '' ? undefined : fault;
}

export const bodyFault = (step: Step): boolean => only(step, 'body') !== undefined;

/** Pointers of the members that the schema of the request body names. */
export function bodyFields(operation: Operation): readonly JsonPointer[] {
  return fieldsOf(operation.body?.schema);
}

export function hasFields(contract: Contract, operation: Operation): boolean {
  return commands(contract, operation) && bodyFields(operation).length > 0;
}
