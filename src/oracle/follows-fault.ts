import { isArray, isObject, type Json, type JsonPointer, parseJson, pointerTokens } from '../model/json.ts';
import { fieldPath, fold, sharedTail } from './claims-path.ts';
import { printedValues } from './claims-printed.ts';
import { firstOf } from './keyed-path.ts';

const deepest = 12;
const mostItems = 20;

type Path = readonly string[];
/** The member that is wrong in the request, the one that is wrong in the other request, and all others. */
type Wrong = { readonly own: Path; readonly other: Path; readonly known: readonly Path[] };

/** Two responses differ as their requests do, each by the name of its wrong member: whatever the place is called. */
export function followsFault(
  body: string,
  pointer: JsonPointer,
  control: string,
  controlPointer: JsonPointer,
  known: readonly JsonPointer[],
): string | undefined {
  const own = tokens(pointer);
  const other = tokens(controlPointer);
  if (own.length === 0 || other.length === 0 || own.at(-1) === other.at(-1)) return undefined;
  return compared(structureOf(body), structureOf(control), { own, other, known: known.map(tokens) }, [], 0);
}

function tokens(pointer: JsonPointer): Path {
  return pointerTokens(pointer)
    .filter((token) => !/^\d+$/.test(token))
    .map(fold);
}

/** JSON, or a map that a text prints. */
function structureOf(text: string): Json {
  const json = parseJson(text);
  if (isArray(json) || isObject(json)) return json;
  const [printed] = printedValues(typeof json === 'string' ? json : text);
  return printed ?? text;
}

function compared(one: Json, other: Json, wrong: Wrong, at: Path, depth: number): string | undefined {
  if (depth > deepest) return undefined;
  if (typeof one === 'string' && typeof other === 'string') {
    if (isPathTo(one, wrong.own) && isPathTo(other, wrong.other) && fitsBest([one], wrong))
      return `/${at.join('/')}`;
    const inner = [structureOf(one), structureOf(other)] as const;
    const found = inner.some((value) => typeof value === 'string')
      ? undefined
      : compared(...inner, wrong, at, depth + 1);
    return found ?? (samePlace(one, other, wrong) ? `/${at.join('/')}` : undefined);
  }
  if (isArray(one) && isArray(other)) {
    for (const [index, item] of one.slice(0, mostItems).entries()) {
      const found = compared(item, other[index] ?? null, wrong, [...at, String(index)], depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(one) || !isObject(other)) return undefined;
  const key = keyOf(one, wrong.own);
  if (
    key !== undefined &&
    keyOf(one, wrong.other) === undefined &&
    keyOf(other, wrong.other) !== undefined &&
    keyOf(other, wrong.own) === undefined &&
    fitsBest([...at, ...key], wrong)
  )
    return `/${[...at, ...key].join('/')}`;
  for (const [name, value] of Object.entries(one)) {
    const found = compared(value, other[name] ?? null, wrong, [...at, name], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether one word of two sentences, counted from an end, is the name of the member that is wrong, and no other word is. */
function samePlace(one: string, other: string, wrong: Wrong): boolean {
  const [mine, theirs] = [wordsOf(one), wordsOf(other)];
  const places = (words: Path, path: Path): readonly number[] =>
    words.flatMap((word, index) => (isPathTo(word, path) ? [index] : []));
  const [at, ...more] = places(mine, wrong.own);
  const [otherAt, ...others] = places(theirs, wrong.other);
  if (at === undefined || otherAt === undefined || more.length + others.length > 0) return false;
  if (places(mine, wrong.other).length + places(theirs, wrong.own).length > 0) return false;
  const isSame = at === otherAt || mine.length - at === theirs.length - otherAt;
  return isSame && fitsBest([mine[at] ?? ''], wrong);
}

function wordsOf(text: string): Path {
  return text
    .slice(0, 1000)
    .split(/[^\p{L}\p{N}_$@./[\]-]+/u)
    .map((word) => word.replace(/[.]+$/, ''))
    .filter((word) => word !== '');
}

/** True where no other member shares more with the path. */
function fitsBest(path: Path, { own, known }: Wrong): boolean {
  const said = fieldPath(path)?.spelt.map(fold) ?? [];
  const shared = sharedTail(said, own);
  return known.every((other) => sharedTail(said, other) <= shared);
}

/** A text that is the path of a member, or the end of it. */
function isPathTo(text: string, path: Path): boolean {
  const said = text.length > 300 || /\s\S+\s/.test(text) ? undefined : fieldPath([text])?.spelt.map(fold);
  return said !== undefined && sharedTail(said, path) === Math.min(said.length, path.length);
}

/** The keys under which an object has the member: its own name, those that hold it, or its whole path. */
function keyOf(value: Json, path: Path): Path | undefined {
  if (isArray(value)) return firstOf(value.slice(0, mostItems), (item) => keyOf(item, path));
  if (!isObject(value)) return undefined;
  const whole = Object.keys(value).find((name) => isPathTo(name, path));
  if (whole !== undefined) return [whole];
  const [first, ...rest] = path;
  // The numbers of items may be keys.
  const below = (member: Json): Path | undefined =>
    keyOf(member, rest) ??
    (isObject(member)
      ? firstOf(Object.entries(member), ([name, item]) =>
          /^\d+$/.test(name) ? keyOf(item, rest) : undefined,
        )
      : undefined);
  return firstOf(rest.length === 0 ? [] : Object.entries(value), ([name, member]) => {
    const found = fold(name) === first ? below(member) : undefined;
    return found === undefined ? undefined : [name, ...found];
  });
}
