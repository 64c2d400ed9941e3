import type { Operation } from '../model/contract.ts';
import { membersAt } from '../model/described-places.ts';
import { isObject, type JsonObject, type JsonSchema, pointerOf } from '../model/json.ts';
import { wordsOf } from '../model/name-words.ts';
import { bare, singular } from '../model/path.ts';
import { remembered } from '../model/remembered.ts';
import { schemasAt } from '../model/schema-places.ts';
import { type IdMember, saysWhich } from './loose-names.ts';

/** So deep, and so many members, are looked at: a body may contain itself. */
const deepest = 3;
const most = 300;

/** Members with texts, at the root, within objects and in the first item of lists, which may be the keys of records. */
export function keyMembers(schema: JsonSchema | undefined): readonly IdMember[] {
  return isObject(schema) ? textsIn(schema) : [];
}

/** Each command is compared with each read. */
const textsIn = remembered((schema: JsonObject): readonly IdMember[] => {
  const found: IdMember[] = [];
  let looked = 0;
  const look = (at: string, depth: number): void => {
    for (const name of membersAt(schema, at)) {
      looked += 1;
      if (looked > most) return;
      const place = at + pointerOf([name]);
      const isListed = schemasAt(schema, place).some(({ items }) => items !== undefined);
      const one = isListed ? `${place}/0` : place;
      if (schemasAt(schema, one).some(({ type }) => [type].flat().includes('string')))
        found.push({ at: one, words: wordsOf(isListed ? singular(name) : name) });
      else if (depth < deepest) look(one, depth + 1);
    }
  };
  look('', 1);
  return found;
});

/** Last words of path fields that any kind of record has. */
const vague =
  /^(?:arn|code|gid|guid|handle|id|key|label|name|number|no|ref|reference|slug|title|token|type|uid|uuid|value)$/;
type Names = {
  /** Names that say whose key it is: `ward-code`, `sku`. */
  readonly whole: readonly (readonly string[])[];
  readonly noun: readonly string[];
};

/** Each member is compared with each read. */
const namesOf = remembered(({ path, pathFields }: Operation): Names => {
  const noun = wordsOf(singular(/([^/{}:]*)\/\{[^{}]+\}$/.exec(bare(path))?.[1] ?? ''));
  const own = wordsOf(pathFields.at(-1)?.name ?? '');
  const isSpecific = own.length > 1 || !own.some((word) => vague.test(word));
  return { whole: [[...noun, ...own], ...(isSpecific ? [own] : [])], noun };
});

/**
 * How well the name of a member fits the key of what a read shows, such as `wardCode`, `ward` and `toWard` for
 * `/wards/{code}`, and `sku` for `/products/{sku}`; 0 where it names something else.
 */
export function keyLikeness({ words }: IdMember, read: Operation): number {
  const last = words.at(-1);
  const { noun, whole } = namesOf(read);
  const found = [...whole, noun].filter((end) => {
    if (last === undefined || last === '' || end.at(-1) !== last) return false;
    const from = words.length - end.length;
    return end.every((word, index) => words[from + index] === word) && saysWhich(words.slice(0, from));
  });
  return Math.max(0, ...found.map((end) => end.length));
}
