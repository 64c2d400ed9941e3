import { itemPlace } from '../../model/described-places.ts';
import { isArray, type Json, type JsonObject, type JsonPointer } from '../../model/json.ts';
import { schemasAt } from '../../model/schema-places.ts';
import type { Seen } from './reading.ts';

/** Keywords by which other schemas say what the value of a member is: these are looked at as well. */
const composed = ['$ref', 'allOf', 'anyOf', 'oneOf'];

/** Whether a read may show a value at a place of its records: a text and a list may be sent where it shows only a text. */
export function hasRoomFor({ operation }: Pick<Seen, 'operation'>, at: JsonPointer, value: Json): boolean {
  const [own = []] = ['', itemPlace(operation)]
    .map((record) => schemasAt(operation.success.schema, `${record}${at}`))
    .filter((schemas) => schemas.length > 0);
  if (own.some((schema) => !saysType(schema))) return true;
  const types = own.flatMap(({ type }) => type ?? []);
  return types.length === 0 || typesOf(value).some((type) => types.includes(type));
}

function saysType(schema: JsonObject): boolean {
  return schema['type'] !== undefined || composed.some((keyword) => keyword in schema);
}

function typesOf(value: Json): readonly string[] {
  if (value === null) return ['null'];
  if (isArray(value)) return ['array'];
  return typeof value === 'number' && Number.isInteger(value) ? ['number', 'integer'] : [typeof value];
}
