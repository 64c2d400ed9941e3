import type { Operation } from '../../src/model/contract.ts';
import { idPointer } from '../../src/model/result-id.ts';
import { schemasAt } from '../../src/model/schema-places.ts';
import type { Scene } from '../../src/suite-kit/scene.ts';

/**
 * Whether nothing in a response would show a caller of another scope to see what a command wrote: `PUT /settings` with numbers and
 * choices alone. A path that names the record of another scope is refused, which needs no sign.
 */
export function isUnsigned({ pathFields }: Operation, { body, operation }: Scene): boolean {
  const isMarked = operation.body !== undefined && body().marker !== undefined;
  const hasId =
    operation.idHeader !== undefined || schemasAt(operation.success.schema, idPointer(operation)).length > 0;
  return pathFields.length === 0 && !isMarked && !hasId;
}

export function whatSigns({ operation: { id } }: Scene): string {
  return `Bodies of ${id} have no text by which its record would be known in another scope. Give bodies with such a text under operations.${id}.examples.`;
}
