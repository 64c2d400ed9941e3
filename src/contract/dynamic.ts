import { isObject } from '../model/json.ts';
import { type DynamicScope, dynamicTarget } from './identifiers.ts';
import type { Library, Place } from './library.ts';
import { child, resolve, untestableAt } from './place.ts';

/** The schema that the `$dynamicRef` of a schema means, behind these resources. @throws Untestable where nothing says which */
export function dynamically(schema: Place, scope: DynamicScope, library: Library): Place {
  const here = child(schema, '$dynamicRef');
  const ref = String(here.value);
  if (isObject(schema.value) && schema.value['$ref'] !== undefined)
    throw untestableAt(
      here,
      "a '$dynamicRef' next to a '$ref' is not supported",
      "write both as branches of an 'allOf'",
      'key',
    );
  const target = dynamicTarget(here, ref, scope, library);
  if (target === 'ambiguous')
    throw untestableAt(
      here,
      "this '$dynamicRef' leads to a '$dynamicAnchor' that its resource has twice",
      "give each schema with that '$dynamicAnchor' an '$id' of its own, or name the schema with $ref",
      'key',
    );
  return target === 'plain' ? resolve(here, ref, library) : target;
}
