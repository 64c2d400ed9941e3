import type { Operation } from '../model/contract.ts';
import type { JsonSchema } from '../model/json.ts';
import { remembered } from '../model/remembered.ts';
import type { BodyValues } from './other-values.ts';

/**
 * What is found in the bodies of an operation, once for all operations whose bodies are alike: of one schema and one plain body, and
 * with the same places that the engine fills in. `find` may look at nothing else of an operation.
 */
export function foundOnce<Found extends NonNullable<unknown>>(
  find: (operation: Operation, values: BodyValues, most: number) => Found,
): (operation: Operation, values: BodyValues, most?: number) => Found {
  const bySource = remembered((_: object) => new Map<JsonSchema, Map<string, Found>>());
  return (operation, values, most = Number.MAX_SAFE_INTEGER) => {
    const { body } = operation;
    const { marker, plain, valid } = values;
    if (body === undefined || valid === undefined) return find(operation, values, most);
    const bySchema = bySource(valid);
    const known = bySchema.get(body.schema) ?? new Map<string, Found>();
    bySchema.set(body.schema, known);
    const text = JSON.stringify([plain, marker, most, filledIn(operation)]);
    const found = known.get(text) ?? find(operation, values, most);
    known.set(text, found);
    return found;
  };
}

/** All that says where the engine puts something into a body. */
function filledIn({ named = [], ownId, verification, version }: Operation): unknown {
  return [
    ownId?.at,
    version?.carrier,
    verification?.carrier,
    named.map(({ at, field }) => [at, field.source !== undefined]),
  ];
}
