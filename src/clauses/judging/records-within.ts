import type { Context } from '../../model/clause.ts';
import { idText, type Operation } from '../../model/contract.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  parentOf,
  valueAt,
  withValueAt,
} from '../../model/json.ts';
import { exactJsonOf } from '../../model/response.ts';
import { idPointer } from '../../model/result-id.ts';
import { type Answered, pathValues } from './reading.ts';
import { resultErrors } from './result-errors.ts';

/** Forms that the ID of anything may have. */
const anyForm = ['1', 'x', 'error_7', '00000000-0000-4000-8000-000000000000', '01JD0000000000000000000000'];

/** Whether an ID has the form of a record's, where the contract gives records a form of their own. */
export function hasRecordForm(context: Context, operation: Operation, id: string): boolean {
  const isId = (value: string): boolean =>
    resultErrors(context, operation, withValueAt({}, idPointer(operation), value)).id.length === 0;
  return isId(id) && !anyForm.some(isId);
}

/** Whether the path or the body of the request has the ID already: a response that repeats it discloses nothing. */
export function isSent({ exchange, operation }: Answered, id: string | undefined): boolean {
  if (id === undefined) return false;
  return [...pathValues(operation, exchange), exchange.request.body].some((text) => text?.includes(id));
}

/** An error may well have an `id` and a `status`: a record whose ID has no form of its own has more. */
const fewest = 3;

/** Whether an object or a list in a response has a record, as the result of its operation has it, that the request did not name. */
export function showsRecordWithin(context: Context, one: Answered): boolean {
  const { answer, operation } = one;
  const { schema } = operation.success;
  if (schema === undefined) return false;
  const at = idPointer(operation);
  const within = parentOf(at);
  const errorsOf = (record: Json) =>
    context
      .schemaErrors(schema, withValueAt({}, within, record))
      .filter(({ pointer }) => pointer === within || pointer.startsWith(`${within}/`));
  const members = errorsOf({}).filter(({ keyword }) => keyword === 'required').length;
  const isRecord = (value: JsonObject): boolean => {
    const id = idText(valueAt(value, at.slice(within.length)));
    return (
      id !== undefined &&
      !isSent(one, id) &&
      (members >= fewest || hasRecordForm(context, operation, id)) &&
      errorsOf(value).length === 0
    );
  };
  const body = exactJsonOf(answer);
  return objectsIn(body ?? null).some((value) => value !== body && isRecord(value));
}

function objectsIn(value: Json): readonly JsonObject[] {
  if (isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}
