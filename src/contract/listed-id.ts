import type { Operation } from '../model/contract.ts';
import { isList, membersAt } from '../model/described-places.ts';
import { isObject, type JsonObject, type JsonPointer, type JsonSchema, pointerOf } from '../model/json.ts';
import { plainName } from '../model/listed.ts';
import { singular } from '../model/path.ts';
import { envelopes } from '../model/result-id.ts';
import { schemasAt } from '../model/schema-places.ts';
import { describedAt } from './described-id.ts';

/** How lists of results are named, whatever they are of. */
const usual = new Set([...envelopes, 'results', 'records', 'resources', 'items', 'entries', 'created']);

/**
 * Where the result of a command that makes several records at once has the ID of the first: in a list named like the one
 * that was sent, or usual for results. A list whose items are sent with their IDs makes none. A result that has members of the
 * record next to the list is that record, as an order with its lines is.
 */
export function idInList(
  { body, success }: Operation,
  {
    collection,
    fields,
    record,
  }: { readonly collection: string; readonly fields: readonly string[]; readonly record: readonly string[] },
): JsonPointer | undefined {
  const [sent, ...others] = listsIn(body?.schema);
  if (sent === undefined || others.length > 0) return undefined;
  const names = new Set([...usual, sent.name, collection].map((name) => singular(plainName(name))));
  const own = singular(plainName(collection));
  const isRecord = membersAt(success.schema, '').some((name) => !usual.has(name) && record.includes(name));
  const found = listsIn(success.schema).flatMap(({ at, items, name }) => {
    if (isRecord && singular(plainName(name)) !== own) return [];
    if (name !== '' && !names.has(singular(plainName(name)))) return [];
    const id = describedAt({ result: items, body: sent.items, fields, collection });
    if (id === undefined) return [];
    const isSent = membersAt(sent.items, '').some(
      (member) => plainName(pointerOf([member])) === plainName(id),
    );
    return isSent ? [] : [`${at}/0${id}`];
  });
  return found.length === 1 ? found[0] : undefined;
}

type List = { readonly name: string; readonly at: JsonPointer; readonly items: JsonObject };

/** The lists of objects at the top of a schema, or the list that the whole is. */
function listsIn(schema: JsonSchema | undefined): readonly List[] {
  const shared = isObject(schema) && schema['$defs'] !== undefined ? { $defs: schema['$defs'] } : {};
  return ['', ...membersAt(schema, '')].flatMap((name) => {
    const at = name === '' ? '' : pointerOf([name]);
    const items = { allOf: schemasAt(schema, `${at}/0`), ...shared };
    return isList(schema, at) ? [{ name, at, items }] : [];
  });
}
