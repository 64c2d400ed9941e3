import type { Context, SchemaError } from '../../model/clause.ts';
import type { Operation } from '../../model/contract.ts';
import type { HttpResponse } from '../../model/exchange.ts';
import { type Json, type JsonPointer, type JsonSchema, parentOf } from '../../model/json.ts';
import { idPointer } from '../../model/result-id.ts';
import { returnedSuccess } from '../../model/returned-form.ts';
import { schemasAt } from '../../model/schema-places.ts';
import type { Answered } from './reading.ts';

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
  answer?: HttpResponse,
): ResultErrors {
  const { schema } = answer === undefined ? operation.success : returnedSuccess(operation, answer);
  if (schema === undefined || body === undefined) return { id: [], fixed: [], other: [] };
  const errors = context.shapeErrors(schema, body);
  if (errors.length === 0) return { id: [], fixed: [], other: [] };
  const idAt = idPointer(operation);
  const levels = new Set(['', parentOf(idAt)]);
  const id = errors.filter((error) => error.pointer === idAt);
  const fixed = errors.filter(
    ({ pointer, keyword }) =>
      pointer !== idAt &&
      (keyword === 'const' ||
        keyword === 'enum' ||
        (levels.has(parentOf(pointer)) && isFixed(schema, pointer))),
  );
  return { id, fixed, other: errors.filter((error) => !id.includes(error) && !fixed.includes(error)) };
}

/** Whether the schema gives a member its values, such as the status of a new case. */
function isFixed(schema: JsonSchema, pointer: JsonPointer): boolean {
  return schemasAt(schema, pointer).some((one) => Object.hasOwn(one, 'const') || Object.hasOwn(one, 'enum'));
}

export function errorText(errors: readonly SchemaError[]): string {
  return errors
    .map((error) => `${error.pointer === '' ? 'the body' : error.pointer} ${error.message}`)
    .join('; ');
}

/** Whether the contract declares results that are no objects, and this is one: its schema refuses another kind of value. */
export function isDeclaredBody(context: Context, { answer, operation }: Answered, body: Json): boolean {
  const { schema } = returnedSuccess(operation, answer);
  return (
    schema !== undefined &&
    context.shapeErrors(schema, body).length === 0 &&
    [null, true, 0, '', []].some((other) => context.shapeErrors(schema, other).length > 0)
  );
}
