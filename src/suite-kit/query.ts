import type { QueryField } from '../model/contract.ts';
import { isArray, isObject } from '../model/json.ts';

/** Texts that the schema of a query field refuses. */
export function wrongQueries({
  schema,
}: QueryField): readonly { readonly value: string; readonly keyword: string }[] {
  if (!isObject(schema)) return [];
  const found: { readonly value: string; readonly keyword: string }[] = [];
  if (schema['type'] === 'integer' || schema['type'] === 'number') {
    found.push({ value: 'abc', keyword: 'type' });
    if (typeof schema['minimum'] === 'number')
      found.push({ value: String(schema['minimum'] - 1), keyword: 'minimum' });
    if (typeof schema['maximum'] === 'number')
      found.push({ value: String(schema['maximum'] + 1), keyword: 'maximum' });
  }
  if (isArray(schema['enum'])) found.push({ value: 'assay-none-of-these', keyword: 'enum' });
  return found;
}
