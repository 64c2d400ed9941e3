import type { Operation } from './contract.ts';
import { isObject, type JsonPointer, type JsonSchema, pointerOf, pointerTokens } from './json.ts';
import { remembered } from './remembered.ts';
import { schemasAt } from './schema-places.ts';

/** Names without case, and without signs between their words: `page[size]` is `pagesize`. */
export function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** The last name of a place. */
export function lastOf(at: JsonPointer): string {
  return pointerTokens(at).at(-1) ?? '';
}

/** The names of the members that a schema describes at a place. */
export function membersAt(schema: JsonSchema | undefined, at: JsonPointer): readonly string[] {
  return [
    ...new Set(
      schemasAt(schema, at).flatMap(({ properties }) =>
        isObject(properties) ? Object.keys(properties) : [],
      ),
    ),
  ];
}

/** The members at a place, and theirs. */
export function placesIn(schema: JsonSchema | undefined, from: JsonPointer = ''): readonly JsonPointer[] {
  const within = (at: JsonPointer): readonly JsonPointer[] =>
    membersAt(schema, at).map((name) => at + pointerOf([name]));
  const outer = within(from);
  return [...outer, ...outer.flatMap(within)];
}

export function isOnly(schema: JsonSchema | undefined, at: JsonPointer, type: string): boolean {
  return schemasAt(schema, at).some((one) => one['type'] === type);
}

/** Whether a place has an array of objects. */
export function isList(schema: JsonSchema | undefined, at: JsonPointer): boolean {
  return (
    schemasAt(schema, at).some(({ items }) => items !== undefined) && membersAt(schema, `${at}/0`).length > 0
  );
}

/** Whether a place has an array of links, such as `link` of FHIR. */
export function isLinkList(schema: JsonSchema | undefined, at: JsonPointer): boolean {
  const members = isList(schema, at) ? membersAt(schema, `${at}/0`) : [];
  const has = (...names: readonly string[]): boolean => names.some((name) => members.includes(name));
  return has('rel', 'relation') && has('href', 'url', 'uri');
}

/** Where the first item of a list is, whose paging need not be declared. */
export const itemPlace = remembered(
  ({ pagination, success }: Pick<Operation, 'pagination' | 'success'>): JsonPointer =>
    `${pagination?.items ?? itemsAt(success.schema) ?? ''}/0`,
);

/** The list in a page: the body itself, or its one member that is an array of objects, else the one member of a member. */
export function itemsAt(schema: JsonSchema | undefined): JsonPointer | undefined {
  if (isList(schema, '')) return '';
  const lists = placesIn(schema).filter((at) => isList(schema, at) && !isLinkList(schema, at));
  const outer = lists.filter((at) => at.lastIndexOf('/') === 0);
  const found = outer.length > 0 ? outer : lists;
  return found.length === 1 ? found[0] : undefined;
}
