import type { Context, SchemaError } from '../../model/clause.ts';
import { declaredSuccess, type Operation } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';
import { isObject } from '../../model/json.ts';
import { idPointer } from '../../model/result-id.ts';

/** What an accepted body departs in from the declared result, sorted by the clause that speaks of it. */
export type ResultErrors = {
  readonly id: readonly SchemaError[];
  readonly fixed: readonly SchemaError[];
  readonly other: readonly SchemaError[];
};

/** @param status of the response, where several successes are declared */
export function resultErrors(
  context: Context,
  operation: Operation,
  body: Json | undefined,
  status?: number,
): ResultErrors {
  const { schema } = declaredSuccess(operation, status);
  if (schema === undefined || body === undefined) return { id: [], fixed: [], other: [] };
  const errors = context.shapeErrors(schema, body);
  if (errors.length === 0) return { id: [], fixed: [], other: [] };
  const idAt = idPointer(operation);
  const fixedAt = fixedMembers(schema);
  const id = errors.filter((error) => error.pointer === idAt);
  const fixed = errors.filter(
    (error) =>
      error.pointer !== idAt &&
      (error.keyword === 'const' || error.keyword === 'enum' || fixedAt.has(error.pointer)),
  );
  return { id, fixed, other: errors.filter((error) => !id.includes(error) && !fixed.includes(error)) };
}

/** Members to which the schema gives one value, such as the status of a new case. */
function fixedMembers(schema: Json): ReadonlySet<string> {
  if (!isObject(schema) || !isObject(schema['properties'])) return new Set();
  return new Set(
    Object.entries(schema['properties']).flatMap(([name, member]) =>
      isObject(member) && (Object.hasOwn(member, 'const') || Object.hasOwn(member, 'enum'))
        ? [`/${name}`]
        : [],
    ),
  );
}
