import fc from 'fast-check';
import { breaksOnly, faultsSince } from './blame.ts';
import { bounded } from './bounded.ts';
import type { Edit } from './edit.ts';
import { editsFor } from './edits.ts';
import { canonicalJson, isObject, type Json, type JsonPointer, type JsonSchema, pointerOf } from './json.ts';
import { placesIn, type SchemaPlace } from './places.ts';
import { placeOf, type SchemaNode } from './references.ts';
import type { Unsupported } from './source.ts';
import { type Study, type StudyOptions, study } from './study.ts';
import { validValuesOf } from './values.ts';

export type Mutation = {
  /** The offending place; of a missing member, where it would be; of one too many, where it is. */
  readonly pointer: JsonPointer;
  readonly keyword: string;
  /** The keyword's place in its schema. */
  readonly schemaPointer: JsonPointer;
  /** What is wrong, in words: "subject is an object instead of a string". */
  readonly describes: string;
  /** The whole invalid body. */
  readonly value: Json;
  readonly base: Json;
  /** The base has a value of a branch of `anyOf` or `oneOf` that does not hold in the given one. */
  readonly ofBranch?: true;
};

export type InvalidValues = {
  readonly mutations: readonly Mutation[];
  readonly notes: readonly Unsupported[];
};

/** Keywords that say something of the place where they stand. */
const BREAKABLE = new Set(
  (
    'type enum const format minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
    'minItems maxItems uniqueItems contains items prefixItems unevaluatedItems required minProperties maxProperties ' +
    'properties patternProperties additionalProperties propertyNames dependentRequired dependentSchemas ' +
    'unevaluatedProperties anyOf oneOf not if'
  ).split(' '),
);
/** Keywords that break at their own place only where they are `false`. */
const CLOSING = new Set(['items', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties']);
/** Keywords that break only where something is impossible, or by another's words. */
const INDIRECT = new Set(['properties', 'patternProperties', 'prefixItems', 'dependentSchemas']);
/** Of the schemas in force at one place so many are broken. Equal ones count once: they break together. */
const MOST_SCHEMAS = 40;
/** Keywords tried for a random mutation until one breaks alone. */
const TARGETS_TRIED = 8;
/** Of each keyword at each place, so many mutations. */
const MOST_EACH = 3;
/** Of what is listed so many: unlisted texts before it, behind it, in its form, and in another letter case. */
const MOST_UNLISTED = 4;
/** Keywords that break at members, each of which is a place of its own. */
const NAMES_MEMBERS = new Set([
  ...[...CLOSING, ...INDIRECT],
  'contains',
  'dependentRequired',
  'propertyNames',
  'required',
]);
/** Of these all: each of their mutations says something else. */
const UNLIMITED = new Set(['type', 'required', 'dependentRequired']);

/** Each breaks one keyword at one pointer, for ajv and a second reading; `notes` names those that cannot break alone. */
export function invalidValues(schema: JsonSchema, base: Json, options: StudyOptions = {}): InvalidValues {
  const made = study(schema, options);
  return 'failure' in made ? { mutations: [], notes: [made.failure] } : invalidValuesOf(made, base);
}

/** Places, of which items of a list count as one, and keywords of which no mutation is wanted. */
export type Skip = (pointer: JsonPointer, keyword: string) => boolean;

export function invalidValuesOf(made: Study, base: Json, skip?: Skip): InvalidValues {
  if (!made.valid(base)) {
    return { mutations: [], notes: [{ at: '', keyword: '', why: 'the value to start from is not valid' }] };
  }
  const mutations = new Map<string, Mutation>();
  const tried = new Map<string, Unsupported>();
  const broken = new Set<string>();
  for (const target of targetsIn(made, base)) {
    if (!NAMES_MEMBERS.has(target.keyword) && skip?.(pointerOf(target.place.tokens), target.keyword))
      continue;
    const at = `${placeOf(target.node)}/${target.keyword}`;
    if (!INDIRECT.has(target.keyword))
      tried.set(at, {
        at,
        keyword: target.keyword,
        why: 'no value was found that breaks this keyword alone',
      });
    for (const mutation of mutationsAt(made, target, skip)) {
      broken.add(at);
      const key = `${mutation.pointer} ${canonicalJson(mutation.value)}`;
      if (!mutations.has(key)) mutations.set(key, mutation);
    }
  }
  return {
    mutations: [...mutations.values()],
    notes: [...tried].filter(([at]) => !broken.has(at)).map(([, note]) => note),
  };
}

function* mutationsAt(made: Study, { place, node, keyword }: Breakable, skip?: Skip): Iterable<Mutation> {
  let left = UNLIMITED.has(keyword)
    ? Infinity
    : keyword === 'enum' || keyword === 'const'
      ? MOST_UNLISTED
      : MOST_EACH;
  for (const edit of editsFor(made, place, node, keyword)) {
    if (left <= 0) return;
    const mutation = mutationOf(made, { place, node, keyword }, edit, skip);
    if (mutation === undefined) continue;
    left--;
    yield mutation;
  }
}

/** Mutations of random valid values. Undefined where the smallest value has none, or no value is valid. */
export function invalidArbitrary(
  schema: JsonSchema,
  options: StudyOptions = {},
): fc.Arbitrary<Mutation> | undefined {
  const made = study(schema, options);
  return 'failure' in made ? undefined : invalidArbitraryOf(made);
}

export function invalidArbitraryOf(made: Study): fc.Arbitrary<Mutation> | undefined {
  const values = validValuesOf(made);
  if (values.kind !== 'supported') return undefined;
  const first = firstMutation(made, values.smallest);
  if (first === undefined) return undefined;
  const drawn = fc
    .tuple(values.arbitrary, fc.nat(), fc.nat())
    .map(([value, which, way]) => pick(made, value, which, way));
  const known = (mutation: Mutation | undefined): mutation is Mutation => mutation !== undefined;
  return bounded<Mutation | undefined>(drawn, known, first).map((mutation) => mutation ?? first);
}

function firstMutation(made: Study, value: Json): Mutation | undefined {
  for (const target of targetsIn(made, value)) {
    for (const mutation of mutationsAt(made, target)) return mutation;
  }
  return undefined;
}

/** A mutation of a value, from the target that the numbers point at onwards. */
function pick(made: Study, value: Json, which: number, way: number): Mutation | undefined {
  const targets = targetsIn(made, value, 0);
  for (let step = 0; step < Math.min(targets.length, TARGETS_TRIED); step++) {
    const target = targets[(which + step) % targets.length];
    const found = target === undefined ? [] : [...mutationsAt(made, target)];
    if (found.length > 0) return found[way % found.length];
  }
  return undefined;
}

type Breakable = { readonly place: SchemaPlace; readonly node: SchemaNode; readonly keyword: string };

/** The keywords of a schema that a value can break, of those that say something of this place. */
function breakableOf({ schema }: SchemaNode, made: Study): readonly string[] {
  if (!isObject(schema)) return [];
  return Object.keys(schema).filter((keyword) => {
    if (!BREAKABLE.has(keyword) || (keyword === 'format' && !made.assertsFormats)) return false;
    if (CLOSING.has(keyword)) return schema[keyword] === false;
    return (
      !(keyword.startsWith('min') && keyword !== 'minimum' && schema[keyword] === 0) &&
      !(keyword === 'uniqueItems' && schema[keyword] === false)
    );
  });
}

function unlike(nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  if (nodes.length <= MOST_SCHEMAS) return nodes;
  const byText = new Map<string, SchemaNode>();
  for (const node of nodes) {
    const text = canonicalJson(node.schema);
    if (!byText.has(text)) byText.set(text, node);
  }
  return [...byText.values()].slice(0, MOST_SCHEMAS);
}

/** Every keyword in force at every place; `type` first. */
function targetsIn(made: Study, body: Json, addedLevels?: number): readonly Breakable[] {
  return placesIn(made, body, addedLevels).flatMap((place) =>
    unlike(place.own ?? place.nodes).flatMap((node) => {
      const keywords = breakableOf(node, made);
      const ordered = [
        ...keywords.filter((keyword) => keyword === 'type'),
        ...keywords.filter((keyword) => keyword !== 'type'),
      ];
      return ordered.map((keyword) => ({ place, node, keyword }));
    }),
  );
}

function mutationOf(
  made: Study,
  { place, node, keyword }: Breakable,
  edit: Edit,
  skip: Skip | undefined,
): Mutation | undefined {
  const value = place.rooted(edit.value);
  const { describes } = edit;
  const base = place.body;
  const ofBranch = place.ofBranch ? { ofBranch: place.ofBranch } : {};
  if (edit.inside === true) {
    const [fault, ...others] = faultsSince(made, place.body, value);
    if (fault === undefined || others.length > 0) return undefined;
    const claim = { pointer: fault.pointer, keyword: fault.keyword, schemaPointer: fault.schemaPointer };
    return breaksOnly(made, place.body, value, claim)
      ? { ...claim, describes, value, base, ...ofBranch }
      : undefined;
  }
  const tokens = edit.member === undefined ? place.tokens : [...place.tokens, edit.member];
  const claim = { pointer: pointerOf(tokens), keyword, schemaPointer: `${placeOf(node)}/${keyword}` };
  if (skip?.(claim.pointer, keyword) === true) return undefined;
  return breaksOnly(made, place.body, value, claim)
    ? { ...claim, describes, value, base, ...ofBranch }
    : undefined;
}
