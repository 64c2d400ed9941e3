import { membersAt } from '../model/described-places.ts';
import { type JsonPointer, type JsonSchema, pointerOf } from '../model/json.ts';
import { plainName } from '../model/listed.ts';
import { wordsOf } from '../model/name-words.ts';
import { singular } from '../model/path.ts';
import { envelopes } from '../model/result-id.ts';
import { requires, schemasAt } from '../model/schema-places.ts';

/** A name as others may write it: `berthId`, `berth_id`, `berth-id`, `berthID`, `BerthId`, `BerthID`. */
export function spellings(name: string): readonly string[] {
  const words = wordsOf(name);
  const camel = words.map((word, index) => (index === 0 ? word : capital(word))).join('');
  const all = [camel, camel.replace(/Id$/, 'ID')];
  return [name, ...all, words.join('_'), words.join('-'), ...all.map(capital)];
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Last words of path fields that say what of a record they are: `{featureFlagKey}` is the `key` of a flag. */
const leaves = /^(?:arn|code|gid|guid|key|name|number|reference|slug|token|uuid)$/;

/** The member that a field of a path means by its last word, in lower case: `name` for `{roleName}` or `{role_name}`. */
function leafOf(field: string): string | undefined {
  const words = wordsOf(field);
  const last = words.at(-1) ?? '';
  // `idOrName` is either.
  const isEither = words.includes('id');
  return words.length > 1 && !isEither && leaves.test(last) ? last : undefined;
}

/** What the names of a result are compared with. */
export type Described = {
  readonly result: JsonSchema | undefined;
  /** The schema of the request body. */
  readonly body: JsonSchema | undefined;
  /** The last path fields of the reads of the record, as the document names them. */
  readonly fields: readonly string[];
  /** The last segment of the path of the command. */
  readonly collection: string;
};

/** Where the schema of a result has the ID: as a member, or in the one envelope that has it. */
export function describedAt({ body, collection, fields, result }: Described): JsonPointer | undefined {
  const nouns = nounsOf(collection);
  const idWithin = (at: JsonPointer): JsonPointer | 'open' | undefined => {
    const members = membersAt(result, at);
    const like = (names: readonly string[]): string | undefined =>
      names.map(plainName).flatMap((name) => members.find((one) => plainName(one) === name) ?? [])[0];
    const exact = fields.find((name) => members.includes(name));
    const leaf = exact === undefined ? like(fields.flatMap((field) => leafOf(field) ?? [])) : undefined;
    if (leaf !== undefined && isOpen(body, fields, at, leaf)) return 'open';
    const id = members.includes('id') ? 'id' : undefined;
    const long = [...fields.filter((name) => name !== 'id'), ...longNames(nouns)];
    const found = exact ?? leaf ?? id ?? like(long) ?? like(['id']) ?? resourceName(at, result);
    return found === undefined ? undefined : at + pointerOf([found]);
  };
  const own = idWithin('');
  if (own !== undefined) return own === 'open' ? undefined : own;
  const tops = [...new Set(membersAt(result, ''))];
  const inner = envelopesIn(tops, nouns, result).flatMap((name) => idWithin(pointerOf([name])) ?? []);
  if (inner.length > 0) return inner.length > 1 || inner[0] === 'open' ? undefined : inner[0];
  // An envelope of any name, where what it holds has a member that is named like the field.
  const named = fields.filter((name) => name !== 'id').map(plainName);
  const wrapped = tops.flatMap((name) => {
    const at = pointerOf([name]);
    return membersAt(result, at)
      .filter((one) => named.includes(plainName(one)) && !isOpen(body, fields, at, one))
      .map((one) => at + pointerOf([one]));
  });
  return new Set(wrapped).size === 1 ? wrapped[0] : undefined;
}

/** The name that a service gives a record, as `projects/p1/jobs/j1` (AIP-122): the ID is its last segment. */
function resourceName(at: JsonPointer, result: JsonSchema | undefined): string | undefined {
  const isGiven = schemasAt(result, `${at}/name`).some(({ readOnly }) => readOnly === true);
  return at === '' && isGiven ? 'name' : undefined;
}

/** What a collection has many of. The member `request_id` names the HTTP request, also where a command makes requests. */
function nounsOf(collection: string): readonly string[] {
  // `caches` are of a cache, but `dispatches` of a dispatch.
  const short = /^(.*(?:[cs]h|ss|x|z))es$/.exec(collection)?.[1];
  return [singular(collection), short ?? ''].filter((noun) => !['', 'request'].includes(noun));
}

/** `batch_id` is of `/notice-batches` as well. */
function longNames(nouns: readonly string[]): readonly string[] {
  const last = nouns.flatMap((noun) => /[-_]([^-_]+)$/.exec(noun)?.[1] ?? []);
  return [...nouns, ...last.filter((noun) => noun !== 'request')].map((noun) => `${noun}_id`);
}

/**
 * Members that hold the record: Rails wraps the result of `POST /notes` in `note`. The one object of a result of
 * `POST /clusters` may be `kubernetes_cluster`.
 */
function envelopesIn(
  tops: readonly string[],
  nouns: readonly string[],
  result: JsonSchema | undefined,
): readonly string[] {
  const around = new Set([...envelopes, ...nouns].map(plainName));
  const objects = tops.filter((name) => membersAt(result, pointerOf([name])).length > 0);
  const isOfNoun = (name: string): boolean => nouns.some((noun) => plainName(name).endsWith(plainName(noun)));
  return tops.filter(
    (name) => around.has(plainName(name)) || (objects.length === 1 && objects[0] === name && isOfNoun(name)),
  );
}

/** Whether a caller may choose what names the record, or leave it out: two commands without it would be of one name. */
function isOpen(
  body: JsonSchema | undefined,
  fields: readonly string[],
  at: JsonPointer,
  member: string,
): boolean {
  const names = [...fields.filter((name) => name !== 'id'), member].map(plainName);
  return ['', at].some((place) =>
    membersAt(body, place).some(
      (name) =>
        names.includes(plainName(name)) && !(name === member && requires(body, place + pointerOf([name]))),
    ),
  );
}
