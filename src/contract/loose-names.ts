import type { Operation, PathField } from '../model/contract.ts';
import { membersAt } from '../model/described-places.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  type JsonSchema,
  pointerOf,
  pointerTokens,
} from '../model/json.ts';
import { wordsOf } from '../model/name-words.ts';
import { bare, singular } from '../model/path.ts';
import { remembered } from '../model/remembered.ts';
import { schemasAt } from '../model/schema-places.ts';

/**
 * A member of a body whose name ends in "ID", with the words before that: `/lines/0/productId` has `product`. A `plain` one has
 * the name of the record alone, as `room` of Django has, and names one if its form is that of an ID.
 */
export type IdMember = {
  readonly at: JsonPointer;
  readonly words: readonly string[];
  readonly plain?: true;
};

/** So deep, and so many members, are looked at: a body may contain itself. */
const deepest = 3;
const most = 300;

/**
 * The members that end in "ID", or that have the name of a record and the form of an ID, at the root, within objects and in the
 * first item of lists, which the body itself may be; of a list of IDs, the first.
 */
export function idMembers(schema: JsonSchema | undefined): readonly IdMember[] {
  return isObject(schema) ? membersIn(schema) : [];
}

/** Each command is compared with each read. */
const membersIn = remembered((schema: JsonObject): readonly IdMember[] => {
  const found: IdMember[] = [...linkages(schema)];
  let looked = 0;
  const look = (at: JsonPointer, depth: number): void => {
    for (const name of membersAt(schema, at)) {
      looked += 1;
      if (looked > most) return;
      const place = at + pointerOf([name]);
      const words = wordsOf(name);
      const last = words.at(-1);
      const isListed = schemasAt(schema, place).some(({ items }) => items !== undefined);
      if (last === 'id' && !isListed) found.push({ at: place, words: words.slice(0, -1) });
      else if (last === 'ids' && isListed) found.push({ at: `${place}/0`, words: words.slice(0, -1) });
      else if (hasFormOfId(schema, isListed ? `${place}/0` : place))
        found.push(
          isListed
            ? { at: `${place}/0`, words: wordsOf(singular(name)), plain: true }
            : { at: place, words, plain: true },
        );
      else if (depth < deepest) look(isListed ? `${place}/0` : place, depth + 1);
    }
  };
  const isList = schemasAt(schema, '').some(({ items }) => items !== undefined);
  look(isList ? '/0' : '', 1);
  return found;
});

/**
 * The linkage of JSON:API: `{"type": "rooms", "id": "7"}` in `/data/relationships/room/data`, or a list of such. The body of a
 * command on a relationship alone is one as a whole: its `/data` has no attributes.
 */
function linkages(schema: JsonSchema | undefined): readonly IdMember[] {
  const around = '/data/relationships';
  const inside = membersAt(schema, around).flatMap((name) =>
    linkageAt(schema, `${around}${pointerOf([name])}/data`, name),
  );
  return [...inside, ...linkageAt(schema, '/data')];
}

function linkageAt(schema: JsonSchema | undefined, data: JsonPointer, name?: string): readonly IdMember[] {
  const isListed = schemasAt(schema, data).some(({ items }) => items !== undefined);
  const one = isListed ? `${data}/0` : data;
  const members = membersAt(schema, one);
  const types = schemasAt(schema, `${one}/type`).flatMap(({ const: only, enum: all }) => only ?? all ?? []);
  const [kind = name] = types.filter((each) => typeof each === 'string');
  const isIdentifier = name !== undefined || members.every((each) => /^(type|id|meta)$/.test(each));
  if (!members.includes('id') || !isIdentifier || kind === undefined) return [];
  return [{ at: `${one}/id`, words: wordsOf(singular(kind)) }];
}

/** The largest number of a column of 32 bits. */
const largest = 2 ** 31 - 1;

/** Whether a value is a UUID, a text with a form of its own, or a number without bounds of its own, as no count of things is. */
function hasFormOfId(schema: JsonSchema | undefined, at: JsonPointer): boolean {
  const all = schemasAt(schema, at);
  const has = (keyword: string, value: string): boolean =>
    all.some((one) => [one[keyword] ?? []].flat().includes(value));
  const isBounded = all.some(
    ({ default: usual, maximum = largest, minimum = 0 }) =>
      usual !== undefined || Number(maximum) < largest || Number(minimum) > 1,
  );
  if (all.some(({ pattern }) => pattern !== undefined)) return true;
  return has('format', 'uuid') || (has('type', 'integer') && !has('type', 'string') && !isBounded);
}

/** What other systems call a record, which may be any text. */
const foreign =
  /^(external|ext|legacy|client|remote|foreign|party|vendor|provider|upstream|correlation|request|idempotency|import|trace|device|session|partner)$/;

/** Whether words end in what the path of a read calls its records: a longer name is a better one, and 0 is none. */
export function likeness({ words }: IdMember, { path }: Operation, { name }: PathField): number {
  const collection = /([^/{}:]*)\/\{[^{}]+\}$/.exec(bare(path))?.[1] ?? '';
  const own = wordsOf(name);
  const nouns = [
    wordsOf(singular(collection)),
    ...(own.length > 1 && own.at(-1) === 'id' ? [own.slice(0, -1)] : []),
  ].filter((noun) => noun.join('') !== '' && noun.join('') !== 'request');
  const alike = nouns.filter(
    (noun) =>
      noun.every((word, index) => words[words.length - noun.length + index] === word) &&
      !words.slice(0, words.length - noun.length).some((word) => foreign.test(word)),
  );
  return Math.max(0, ...alike.map((noun) => noun.length));
}

/** Which of two records of a kind a member names. */
const direction =
  /^(?:from|to|src|source|target|dst|dest|origin|destination|home|new|old|parent|primary|default)$/;

/** Whether the words before the name of a record say only which one it is, as in `fromWard` and `toWard`. */
export function saysWhich(words: readonly string[]): boolean {
  return words.every((word) => direction.test(word));
}

/** Whether a member with the name of a record alone names such a record: as a whole, and in the form that its path has. */
export function isWholeName(
  { at, plain, words }: IdMember,
  like: number,
  body: JsonSchema | undefined,
  field: PathField,
): boolean {
  if (plain !== true) return true;
  if (!saysWhich(words.slice(0, words.length - like))) return false;
  const asked = formsOf(field.schema, '');
  return formsOf(body, at).some((form) => asked.includes(form));
}

function formsOf(schema: JsonSchema | undefined, at: JsonPointer): readonly string[] {
  return schemasAt(schema, at).flatMap(({ format, pattern, type }) =>
    format === 'uuid'
      ? ['uuid']
      : [type ?? []].flat().includes('integer')
        ? ['integer']
        : typeof pattern === 'string'
          ? [`pattern ${pattern}`]
          : [],
  );
}

/** Whether an ID fits: a form of its own says that another kind of ID is meant, unless what is known of the ID has the same. */
export function takesId(
  schema: JsonSchema | undefined,
  at: JsonPointer,
  known: readonly JsonSchema[],
): boolean {
  const own = known.flatMap((one) => schemasAt(one, ''));
  // The width of a number says nothing of what it counts.
  const says = (value: Json | undefined): boolean => value !== undefined && !/^int\d+$/.test(String(value));
  return schemasAt(schema, at).every((one) =>
    ['pattern', 'format'].every(
      (keyword) => !says(one[keyword]) || own.some((each) => each[keyword] === one[keyword]),
    ),
  );
}

/** Whether a member names the record above a new one of the same kind. */
export function isParent({ at, words }: IdMember): boolean {
  return words.at(-1) === 'parent' && pointerTokens(at).length === 1;
}
