import type { PathField, PathSource } from '../model/contract.ts';
import { itemsAt } from '../model/described-places.ts';
import { isObject, pointerOf } from '../model/json.ts';
import { bare, writtenName } from '../model/path.ts';
import { schemasAt } from '../model/schema-places.ts';
import { describedAt } from './described-id.ts';
import type { All } from './links.ts';
import type { Draft } from './operation.ts';

/**
 * The first item of the list of a collection, as GET /currencies has for the field of GET /currencies/{code}, where nothing
 * in the document returns the ID of such a record. Only a read may take it: it is anybody's.
 */
export function listedSource(field: PathField, target: Draft, { drafts }: All): PathSource | undefined {
  const { kind, method, path } = target.operation;
  if (kind !== 'read' || method === 'POST') return undefined;
  const [collection = ''] = bare(path).split(`/{${field.name}}`);
  const list = drafts.find(
    ({ operation }) =>
      operation.method === 'GET' && bare(operation.path) === collection && operation !== target.operation,
  );
  if (list === undefined) return undefined;
  const { schema } = list.operation.success;
  const items = list.governed.pagination?.items ?? itemsAt(schema);
  if (items === undefined) return undefined;
  const first = `${items}${pointerOf(['0'])}`;
  const id = describedAt({
    result: {
      allOf: schemasAt(schema, first),
      ...(isObject(schema) && schema['$defs'] !== undefined ? { $defs: schema['$defs'] } : {}),
    },
    body: undefined,
    fields: [writtenName(field)],
    collection: collection.slice(collection.lastIndexOf('/') + 1),
  });
  return id === undefined ? undefined : { operation: list.operation.id, at: `${first}${id}` };
}
