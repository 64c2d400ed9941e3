import type { Operation, Success } from '../model/contract.ts';
import { isArray, isObject, type JsonObject, type JsonSchema } from '../model/json.ts';
import { bare } from '../model/path.ts';
import { schemasAt } from '../model/schema-places.ts';

/**
 * POST /cases with what the specification fixes of its result (Case, id and status) where the document leaves it
 * open. What the document fixes itself stays as it is, and so does every other operation.
 */
export function asSpecified(operation: Operation): Operation {
  const { method, path, permissions, success, otherSuccesses } = operation;
  const isCases = method === 'POST' && /^[^{]*\/cases$/i.test(bare(path));
  if (!isCases || permissions?.includes('case.create') !== true) return operation;
  return {
    ...operation,
    success: fixed(success),
    ...(otherSuccesses === undefined ? {} : { otherSuccesses: otherSuccesses.map(fixed) }),
  };
}

function fixed(success: Success): Success {
  const { schema, status } = success;
  if (status !== 201 || !isObject(schema)) return success;
  const properties = {
    ...(isFreeText(schemasAt(schema, '/id')) ? { id: { type: 'string', pattern: '^case_.' } } : {}),
    ...(isFreeText(schemasAt(schema, '/status'), 'open') ? { status: { const: 'open' } } : {}),
  };
  const required = Object.keys(properties);
  return required.length === 0
    ? success
    : { ...success, written: schema, schema: and(schema, { properties, required }) };
}

function and(schema: JsonObject, more: JsonObject): JsonSchema {
  const parts = schema['allOf'];
  return { ...schema, allOf: [...(isArray(parts) ? parts : []), more] };
}

const fixes = ['const', 'format', 'pattern'];

/** Whether a member is described as a text, or null, and nothing more, or as one of several values of which one is this. */
function isFreeText(schemas: readonly JsonObject[], value?: string): boolean {
  const isOneOf = ({ enum: all }: JsonObject): boolean =>
    all === undefined || (value !== undefined && isArray(all) && all.includes(value));
  const types = schemas.flatMap(({ type }) => type ?? []);
  return (
    types.includes('string') &&
    types.every((type) => type === 'string' || type === 'null') &&
    schemas.every((one) => isOneOf(one) && !fixes.some((keyword) => Object.hasOwn(one, keyword)))
  );
}
