import type { Operation, QueryField } from './contract.ts';
import { isObject } from './json.ts';

/** The query field that a list requires, and for which nobody says which of its values the records of the run have. */
export function narrowingField({
  ownParameters = [],
  pagination,
  queryFields,
}: Operation): string | undefined {
  const others = [pagination?.limit, pagination?.cursor, ...ownParameters];
  return queryFields.find((field) => narrows(field) && !others.includes(field.name))?.name;
}

/** A field with a default, an example or few values, such as `api-version`, need not select anything. */
function narrows({ examples = [], filters, name, required, schema, value }: QueryField): boolean {
  if (!required || value !== undefined) return false;
  const isFree = isObject(schema) && ['const', 'default', 'enum'].every((keyword) => !(keyword in schema));
  return filters !== undefined || (examples.length === 0 && isFree) || /[a-z](?:Id|ID)$|[_-]id$/.test(name);
}
