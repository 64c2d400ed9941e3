import type { SchemaError } from '../generate/index.ts';
import { type Json, type JsonPointer, type JsonSchema, withValueAt } from '../model/json.ts';
import { studiedOf } from './studied.ts';

type Check = (value: Json) => readonly SchemaError[];

/**
 * What is wrong at a place of a body that was valid, with another value there. Of alternatives, that is what the one that held
 * says: another one does not know the member at all, or has another type for it.
 */
export function errorsSince(
  schema: JsonSchema,
  check: Check,
  base: Json,
  at: JsonPointer,
  value: Json,
): readonly SchemaError[] {
  const body = withValueAt(base, at, value);
  const errors = check(body).filter(({ pointer }) => pointer === at);
  if (errors.length < 2) return errors;
  const studied = studiedOf(schema);
  const broken = 'failure' in studied ? new Set<string>() : studied.brokenSince(base, body, at);
  const own = errors.filter(({ keyword }) => broken.has(keyword));
  return own.length > 0 ? own : errors;
}
