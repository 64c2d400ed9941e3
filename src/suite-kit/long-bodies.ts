import { isCarried, type Operation } from '../model/contract.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { bodySchema } from './body-schema.ts';
import { fullBody } from './full-body.ts';
import { type BodyValues, leavesOf } from './other-values.ts';
import { isIdName, isIdText, sendable } from './texts.ts';

/** A long valid body, and texts that differ from those of the body in their last letter. */
export type LongBody = {
  readonly base: Json;
  readonly others: readonly { readonly at: JsonPointer; readonly other: string }[];
};

/** A column of 255 characters does not hold such a body. */
const leastLong = 300;
/** A text is as long as the schema lets it be, up to the first of these; where nothing bounds it, up to the last but one. */
const lengths = [400, 240, 180, 120, 80, 45];
const unboundedLength = 180;
const unbounded = 20_000;
/** So many items a list has where it may. */
const counts = [12, 6, 3];
const mostTexts = 16;

/**
 * A body that a service may compare by its beginning alone: with long texts and long lists, without what may name a record. What
 * differs is at the end of the body as it is sent, or of the body with its members in the order of their names.
 */
export function longBody(operation: Operation, values: BodyValues): LongBody | undefined {
  const { marker, plain } = values;
  const schema = bodySchema(operation, plain);
  if (schema === undefined || !isObject(plain)) return undefined;
  const isValid = sendable(schema, marker);
  const isFree = (at: JsonPointer): boolean =>
    at !== marker && !isCarried(operation, at) && !isIdName(at.replace(/\/\d+$/, ''));
  const full = fullBody(operation, values) ?? plain;
  const grown = listsIn(full, [])
    .filter(
      (at) => isFree(at) && !leavesOf(valueAt(plain, at) ?? null, []).some(({ value }) => isIdText(value)),
    )
    .reduce<Json>((body, at) => withItems(body, at, marker, isValid), full);
  const texts = leavesOf(grown, []).flatMap(({ at, value }) =>
    typeof value === 'string' && isFree(at) && !isIdText(valueAt(plain, at)) ? [at] : [],
  );
  const long = new Map<JsonPointer, string>();
  let base: Json = grown;
  for (const at of endsOf(grown, texts).slice(0, mostTexts)) {
    const length = lengthAt(base, at, isValid);
    if (length === undefined) continue;
    long.set(at, textOf(length, 'b'));
    base = withValueAt(base, at, textOf(length, 'a'));
  }
  // Behind texts that were short before, the end is another one now.
  const others = endsOf(base, [...long.keys()]).flatMap((at) => {
    const other = long.get(at);
    return other === undefined ? [] : [{ at, other }];
  });
  const isLong = JSON.stringify(base).length >= leastLong;
  return isLong && others.length > 0 && isValid(base) ? { base, others: others.slice(0, 2) } : undefined;
}

/** The last texts first: by turns of the body as it is, and of the body with its members sorted. */
function endsOf(body: Json, places: readonly JsonPointer[]): readonly JsonPointer[] {
  const lastFirst = (text: string): readonly JsonPointer[] =>
    leavesOf(JSON.parse(text), [])
      .map(({ at }) => at)
      .filter((at) => places.includes(at))
      .toReversed();
  const sorted = lastFirst(canonicalJson(body));
  return [...new Set(lastFirst(JSON.stringify(body)).flatMap((at, index) => [at, sorted[index] ?? at]))];
}

function lengthAt(body: Json, at: JsonPointer, isValid: (body: Json) => boolean): number | undefined {
  const fits = (length: number): boolean => isValid(withValueAt(body, at, textOf(length, 'a')));
  const most = fits(unbounded) ? unboundedLength : Number.POSITIVE_INFINITY;
  return lengths.find((length) => length <= most && fits(length));
}

function textOf(length: number, last: string): string {
  return `${'Conformance probe of long texts. '.repeat(Math.ceil(length / 33)).slice(0, length - 2)} ${last}`;
}

function listsIn(value: Json, path: readonly string[]): readonly JsonPointer[] {
  if (isArray(value)) return value.length === 0 ? [] : [pointerOf(path)];
  return isObject(value)
    ? Object.entries(value).flatMap(([name, member]) => listsIn(member, [...path, name]))
    : [];
}

/** The body with more items in a list, each with a text of its own. */
function withItems(
  body: Json,
  at: JsonPointer,
  marker: JsonPointer | undefined,
  isValid: (body: Json) => boolean,
): Json {
  const list = valueAt(body, at);
  const [first] = isArray(list) ? list : [];
  if (!isArray(list) || first === undefined || marker?.startsWith(`${at}/`) === true) return body;
  const inFirst = typeof first === 'string' ? '' : leavesOf(first, []).find(isText)?.at;
  if (inFirst === undefined) return body;
  const more = (count: number): Json =>
    withValueAt(body, at, [
      ...list,
      ...Array.from({ length: count - list.length }, (_, index) =>
        withValueAt(first, inFirst, `Item ${index + 1}`),
      ),
    ]);
  const count = counts.find((each) => each > list.length && isValid(more(each)));
  return count === undefined ? body : more(count);
}

function isText({ at, value }: { readonly at: JsonPointer; readonly value: Json }): boolean {
  return typeof value === 'string' && !isIdName(at);
}
