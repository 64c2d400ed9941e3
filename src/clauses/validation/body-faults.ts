import type { Contract, Operation } from '../../model/contract.ts';
import type { Deviation, Step } from '../../model/scenario.ts';
import { fieldsOf } from '../../oracle/fields.ts';
import { only } from '../reading.ts';
import { withBody } from '../rules.ts';

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

export function hasFields(contract: Contract, operation: Operation): boolean {
  return withBody(contract, operation) && fieldsOf(operation.body?.schema).length > 0;
}
