import type { QueryField } from './contract.ts';
import { lastOf, plain } from './described-places.ts';

/**
 * How a filter compares: with the value itself, with a bound of it, or with the words of a text. Where the member is called
 * like a bound as well, nothing says which of the two is meant.
 */
export type Comparison = 'equal' | 'least' | 'most' | 'equal-or-least' | 'equal-or-most' | 'words';

const least = new Set(['from', 'since', 'after', 'min', 'minimum', 'gt', 'gte', 'ge', 'start']);
const most = new Set(['to', 'until', 'till', 'before', 'max', 'maximum', 'lt', 'lte', 'le', 'end']);
const searching = new Set([
  'q',
  'query',
  'search',
  'text',
  'fulltext',
  'keyword',
  'keywords',
  'contains',
  'terms',
]);

/** Whether a query field is called what fields are that search in texts, whatever member has them. */
export function isSearch(name: string): boolean {
  return searching.has(plain(name));
}

/** What the name of a filter says: `createdFrom` and `max_price` bound a member, and `q` searches in it. */
export function comparisonOf({ filters = '', name }: Pick<QueryField, 'filters' | 'name'>): Comparison {
  const leaf = lastOf(filters);
  // A filter that is called like its member asks for that member: `status`, or the `text` of a message.
  const isNamesake = plain(name) === plain(leaf);
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const ends = [words[0] ?? '', words.at(-1) ?? ''];
  const bound = ends.some((word) => least.has(word))
    ? 'least'
    : ends.some((word) => most.has(word))
      ? 'most'
      : undefined;
  // Of leave from one day to another, `?from=` may ask for what begins on a day, or on a later one.
  if (isNamesake) return bound === undefined ? 'equal' : `equal-or-${bound}`;
  if (isSearch(name) || searching.has(ends[1] ?? '')) return 'words';
  // `assignedTo` names somebody.
  if (/ids?$/i.test(leaf)) return 'equal';
  return bound ?? 'equal';
}

/** The end at which a filter cuts off, or may; undefined where it compares in another way. */
export function boundOf(by: Comparison): 'least' | 'most' | undefined {
  if (by === 'least' || by === 'equal-or-least') return 'least';
  return by === 'most' || by === 'equal-or-most' ? 'most' : undefined;
}

/** Whether a filter compares with a bound, or may. */
export function isBound(field: Pick<QueryField, 'filters' | 'name'>): boolean {
  return boundOf(comparisonOf(field)) !== undefined;
}
