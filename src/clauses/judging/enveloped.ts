import { isObject, type JsonObject, type JsonPointer, pointerOf } from '../../model/json.ts';
import { envelopes } from '../../model/result-id.ts';
import { schemasAt } from '../../model/schema-places.ts';
import type { Seen } from './reading.ts';

/** The schemas of a member of the record that a read shows, which may be in an envelope. */
export function readSchemasAt(
  { operation }: Pick<Seen, 'operation'>,
  at: JsonPointer,
): readonly JsonObject[] {
  const { schema } = operation.success;
  const own = schemasAt(schema, at);
  const tops = schemasAt(schema, '').flatMap(({ properties }) =>
    isObject(properties) ? Object.keys(properties) : [],
  );
  const [first, ...others] = new Set(tops);
  const usual = envelopes.flatMap((name) => tops.find((top) => top.toLowerCase() === name) ?? []);
  const around = usual[0] ?? (others.length === 0 ? first : undefined);
  return own.length > 0 || around === undefined ? own : schemasAt(schema, pointerOf([around]) + at);
}
