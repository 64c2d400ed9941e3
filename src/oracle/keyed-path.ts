import { isArray, isObject, type Json, type JsonPointer, parseJson, pointerTokens } from '../model/json.ts';
import type { RequestText, ResponseText } from './claims.ts';
import { type Echo, echoOf, repeats } from './claims-echo.ts';
import { fieldPath, fold } from './claims-path.ts';
import { envelope, maps, weakMaps } from './claims-vocabulary.ts';

const deepest = 12;
const mostItems = 50;

type Sought = {
  readonly echo: Echo;
  readonly path: readonly string[];
  /** The number of an item, where the pointer ends in one. */
  readonly item: string | undefined;
  /** Last names of other members. */
  readonly others: ReadonlySet<string>;
};

/**
 * The keys at which a body says something under the path of a member. Where its names are those of an envelope, nothing
 * else may tell: `{"errors": {"location": ["invalid"]}}`, `{"errors": {"links": {"0": ["is no URL"]}}}`.
 */
export function keyedPath(
  { body }: ResponseText,
  request: RequestText,
  pointer: JsonPointer,
  known: readonly JsonPointer[],
): string | undefined {
  const tokens = pointerTokens(pointer);
  const path = fieldPath(tokens)?.path ?? [];
  const json = path.length === 0 ? undefined : parseJson(body);
  if (json === undefined) return undefined;
  const others = new Set(known.map((one) => fold(pointerTokens(one).at(-1) ?? '')));
  const item = tokens.findLast((token) => /^\d+$/.test(token));
  return found({ echo: echoOf(request), path, item, others }, json, []);
}

function found(sought: Sought, value: Json, at: readonly string[]): string | undefined {
  if (at.length > deepest || repeats(sought.echo, value)) return undefined;
  if (isObject(value)) {
    const said = saidUnder(value, sought.path);
    if (said !== undefined && isMeant(sought, value, said, at))
      return `/${[...at, ...sought.path].join('/')}`;
  }
  const members: readonly (readonly [string, Json])[] = isArray(value)
    ? value.slice(0, mostItems).map((item, index) => [String(index), item])
    : isObject(value)
      ? Object.entries(value)
      : [];
  for (const [name, member] of members) {
    const inner = found(sought, member, [...at, name]);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** What is under these keys, one within the other; the numbers of items may be between them. */
function saidUnder(value: Json, [first, ...rest]: readonly string[]): Json | undefined {
  if (first === undefined) return value;
  if (isArray(value)) return firstOf(value.slice(0, mostItems), (item) => saidUnder(item, [first, ...rest]));
  if (!isObject(value)) return undefined;
  return firstOf(Object.entries(value), ([name, member]) =>
    fold(name) === first
      ? saidUnder(member, rest)
      : /^\d+$/.test(name)
        ? saidUnder(member, [first, ...rest])
        : undefined,
  );
}

/** One name alone may be that of a member of the envelope, above all at the root, or where it has a text. */
function isMeant({ item, others, path }: Sought, holder: Json, said: Json, at: readonly string[]): boolean {
  if (!saysSomething(said)) return false;
  if (path.length > 1) return true;
  if (at.length === 0) return item !== undefined && isObject(said) && Object.hasOwn(said, item);
  if (isArray(said)) return true;
  if (isObject(said)) return Object.values(said).some((member) => isArray(member) || isObject(member));
  const within = fold(at.findLast((name) => !/^\d+$/.test(name)) ?? '');
  const names = Object.keys(holder ?? {}).map(fold);
  const isOther = (name: string): boolean => name !== path[0] && others.has(name) && !envelope.has(name);
  // `{"location": "title"}` is about the title, and `{"location": "required"}` need not be.
  const isCode = (): boolean =>
    names.length === 1 &&
    /^\S+$/.test(String(said)) &&
    !others.has(fieldPath([String(said)])?.path.at(-1) ?? '');
  return (maps.has(within) || weakMaps.has(within)) && (names.some(isOther) || isCode());
}

function saysSomething(value: Json): boolean {
  if (typeof value === 'string') return value !== '';
  if (isArray(value)) return value.some(saysSomething);
  return isObject(value) && Object.values(value).some(saysSomething);
}

export function firstOf<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
