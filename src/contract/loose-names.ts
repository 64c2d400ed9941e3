import type { Operation, PathField } from '../model/contract.ts';
import { membersAt } from '../model/described-places.ts';
import { type JsonPointer, type JsonSchema, pointerOf, pointerTokens } from '../model/json.ts';
import { wordsOf } from '../model/name-words.ts';
import { bare, singular } from '../model/path.ts';
import { schemasAt } from '../model/schema-places.ts';

/** A member of a body whose name ends in "ID", with the words before that: `/lines/0/productId` has `product`. */
export type IdMember = { readonly at: JsonPointer; readonly words: readonly string[] };

/** So deep, and so many members, are looked at: a body may contain itself. */
const deepest = 3;
const most = 300;

/** The members that end in "ID", at the root, within objects and in the first item of lists; of a list of IDs, the first. */
export function idMembers(schema: JsonSchema | undefined): readonly IdMember[] {
  const found: IdMember[] = [];
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
      else if (depth < deepest) look(isListed ? `${place}/0` : place, depth + 1);
    }
  };
  look('', 1);
  return found;
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

/** Whether an ID fits: a form of its own says that another kind of ID is meant, unless the path has the same. */
export function takesId(schema: JsonSchema | undefined, at: JsonPointer, field: PathField): boolean {
  const own = schemasAt(field.schema, '');
  return schemasAt(schema, at).every((one) =>
    ['pattern', 'format'].every(
      (keyword) => one[keyword] === undefined || own.some((each) => each[keyword] === one[keyword]),
    ),
  );
}

/** Whether a member names the record above a new one of the same kind. */
export function isParent({ at, words }: IdMember): boolean {
  return words.at(-1) === 'parent' && pointerTokens(at).length === 1;
}
