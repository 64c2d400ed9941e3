import type { Operation } from '../model/contract.ts';
import { isObject, type Json, type JsonPointer } from '../model/json.ts';
import { bare } from '../model/path.ts';
import { schemasAt } from '../model/schema-places.ts';

/** Whether a place has a text or a number that is not fixed. */
export function isFree(schema: Json | undefined, at: JsonPointer): boolean {
  const all = schemasAt(schema === undefined || !isObject(schema) ? true : schema, at);
  const types = all.flatMap<Json>(({ type = [] }) => type);
  return (
    all.length > 0 &&
    all.every((one) => one['enum'] === undefined && one['const'] === undefined) &&
    (types.length === 0 || types.some((type) => type === 'string' || type === 'integer'))
  );
}

/** Whether the command makes the very records that the read shows: a member of its body may then choose their ID. */
export function isOwn({ method, path }: Pick<Operation, 'method' | 'path'>, read: Operation): boolean {
  return method === 'POST' && bare(read.path).replace(/\/\{[^{}]+\}$/, '') === bare(path);
}
