import fc from 'fast-check';
import { arraysOf } from './arrays.ts';
import { bounded } from './bounded.ts';
import type { Evaluator } from './evaluation.ts';
import type { Expansion } from './expansion.ts';
import { isArray, type Json } from './json.ts';
import { numbersOf } from './numbers.ts';
import { objectsOf } from './objects.ts';
import { placeOf, type SchemaIndex, type SchemaNode } from './references.ts';
import { JSON_TYPES, type JsonType, meantTypes, type ValueShape } from './shape.ts';
import { type Builder, type Source, size, typicalOf, type Unsupported } from './source.ts';
import { stringsOf } from './strings.ts';

/** Levels of schemas within schemas, and schemas in all, that are worked through at most. */
const DEEPEST = 60;
const MOST_EFFORT = 6_000;
/** Of these, for samples: one by one, and together. */
const ONE_SAMPLING = 200;
const MOST_SAMPLING = 1_000;
/** Ways that are gone through for samples: of a recursive choice there is no end of them. */
const ONE_SAMPLING_WAYS = 60;
const MOST_SAMPLING_WAYS = 600;
/** Ways to keep clear of a schema that are kept, and that are looked at. */
const MOST_APART = 6;
const MOST_WAYS = 80;
const SAMPLES = 24;
const FEW = 6;
const MOST_SOURCES = 24;
const ROUNDS = 5;

/** A builder for one study. `notes` takes what could not be generated. */
export function makeBuilder(
  index: SchemaIndex,
  evaluator: Evaluator,
  expansion: Expansion,
  maxDepth: number,
  notes: Unsupported[],
): Builder {
  const known = new Map<string, Source | undefined>();
  const under = new Set<string>();
  let circular = false;
  let effort = 0;
  let ceiling = MOST_EFFORT;
  let sampling = 0;
  let ways = 0;
  let mostWays = Number.POSITIVE_INFINITY;
  const sampled = new Map<Source, readonly Json[]>();
  const builder: Builder = {
    index,
    evaluator,
    expansion,
    maxDepth,
    source(nodes, depth) {
      const distinct = [
        ...new Map(nodes.filter((node) => node.schema !== true).map((node) => [node.key, node])).values(),
      ];
      // Below maxDepth all levels are alike: only what is required.
      const level = Math.min(depth, maxDepth + 1);
      const key = `${level}:${distinct
        .map((node) => node.key)
        .sort()
        .join('\n')}`;
      const before = known.get(key);
      if (before !== undefined || known.has(key)) return before;
      if (under.has(key) || under.size > DEEPEST) {
        // A value that has to hold itself never ends; in another branch it may.
        circular = true;
        return undefined;
      }
      if (++effort > ceiling) {
        if (effort > MOST_EFFORT)
          builder.note(distinct[0], '$ref', 'the schema has more parts than can be worked through');
        circular = true;
        return undefined;
      }
      const outside = circular;
      circular = false;
      under.add(key);
      const made = sourceOf(builder, distinct, depth);
      under.delete(key);
      if (made !== undefined || !circular) known.set(key, made);
      circular = under.size > 0 && (outside || (circular && made === undefined));
      return made;
    },
    samples(nodes, depth) {
      if (sampling > MOST_SAMPLING) return [];
      const start = effort;
      ceiling = Math.min(MOST_EFFORT, effort + ONE_SAMPLING);
      mostWays = Math.min(MOST_SAMPLING_WAYS, ways + ONE_SAMPLING_WAYS);
      const source = builder.source(nodes, depth);
      ceiling = MOST_EFFORT;
      mostWays = Number.POSITIVE_INFINITY;
      sampling += effort - start;
      if (source === undefined) return [];
      const before = sampled.get(source);
      if (before !== undefined) return before;
      const found = [source.smallest, ...fc.sample(source.arbitrary, { seed: 5, numRuns: FEW })];
      sampled.set(source, found);
      return found;
    },
    goesOn() {
      if (mostWays === Number.POSITIVE_INFINITY) return true;
      if (ways < mostWays) {
        ways += 1;
        return true;
      }
      // What was not found now may be found elsewhere.
      circular = true;
      return false;
    },
    note(node, keyword, why) {
      const at = node === undefined ? '' : placeOf(node);
      if (!notes.some((note) => note.at === at && note.keyword === keyword)) notes.push({ at, keyword, why });
    },
  };
  return builder;
}

function sourceOf(builder: Builder, nodes: readonly SchemaNode[], depth: number): Source | undefined {
  const accepts = (value: Json): boolean => nodes.every((node) => builder.evaluator.holds(node, value));
  const search: Search = { nodes, depth, accepts, waysLeft: MOST_WAYS };
  const shapes = builder.expansion.expand(nodes);
  const sources = shapes.flatMap((shape) => ofShape(builder, shape, search, ROUNDS));
  const made = oneOf(sources.slice(0, MOST_SOURCES));
  const example =
    made && shapes.flatMap(({ examples }) => examples).find((value) => saysMore(value) && accepts(value));
  return made === undefined || example === undefined ? made : { ...made, typical: example };
}

/** Whether a value is not one that many take for none. */
function saysMore(value: Json): boolean {
  if (typeof value === 'string') return !/^$|unspecified|unknown|^none$/i.test(value);
  if (typeof value === 'object') return value !== null && Object.keys(value).length > 0;
  return value !== 0 && value !== false;
}

/** What is looked for while the ways to satisfy some schemas are gone through. */
type Search = {
  readonly nodes: readonly SchemaNode[];
  readonly depth: number;
  readonly accepts: (value: Json) => boolean;
  waysLeft: number;
};

function ofShape(builder: Builder, shape: ValueShape, search: Search, rounds: number): readonly Source[] {
  const { nodes, depth, accepts } = search;
  if (shape.values !== undefined) return listed(shape.values.filter(accepts));
  const meant = meantTypes(shape);
  if (meant.size < shape.types.size) {
    const found = ofShape(builder, { ...shape, types: meant }, search, rounds);
    if (found.length > 0) return found;
  }
  const free = shape.types.size === JSON_TYPES.length;
  const types = JSON_TYPES.filter(
    (type) =>
      shape.types.has(type) &&
      !(free && depth >= builder.maxDepth && (type === 'array' || type === 'object')),
  );
  const sources = types.flatMap((type) => {
    const made = ofType(builder, type, shape, nodes, depth);
    return made === undefined ? [] : [made];
  });
  if (!shape.loose) return sources.flatMap((source) => checked(source, accepts, 0) ?? []);
  const passing = sources.flatMap((source) => checked({ ...source, loose: true }, accepts, 0.25) ?? []);
  if (shape.avoid.length === 0 || rounds === 0) {
    return passing.length > 0
      ? passing
      : sources.flatMap((source) => checked({ ...source, loose: true }, accepts, 0) ?? []);
  }
  if (passing.length === sources.length && passing.length > 0) return passing;
  const apart: Source[] = [];
  for (const way of builder.expansion.separate(shape)) {
    if (apart.length >= MOST_APART || search.waysLeft-- <= 0 || !builder.goesOn()) break;
    apart.push(...ofShape(builder, way, search, rounds - 1));
  }
  return [...passing, ...apart];
}

function listed(values: readonly Json[]): readonly Source[] {
  const [smallest] = [...values].sort((one, other) => size(one) - size(other));
  if (smallest === undefined) return [];
  const typical = values.find(saysMore) ?? smallest;
  return [{ arbitrary: fc.constantFrom(...values), smallest, typical, all: values, loose: false, cost: 1 }];
}

function ofType(
  builder: Builder,
  type: JsonType,
  shape: ValueShape,
  nodes: readonly SchemaNode[],
  depth: number,
): Source | undefined {
  switch (type) {
    case 'null':
      return { arbitrary: fc.constant(null), smallest: null, all: [null], loose: false, cost: 1 };
    case 'boolean':
      return {
        ...{ arbitrary: fc.boolean(), smallest: false, typical: true },
        ...{ all: [false, true], loose: false, cost: 1 },
      };
    case 'number': {
      const numbers = numbersOf(shape.numbers, shape.strings.formats);
      return numbers === undefined
        ? undefined
        : { ...numbers, loose: shape.strings.formats.length > 0, cost: 1 };
    }
    case 'string':
      return stringsOf(builder, shape.strings, nodes);
    case 'array':
      return arraysOf(builder, shape.arrays, depth);
    case 'object':
      return objectsOf(builder, shape.objects, depth);
  }
}

/** A source whose every value passes. Undefined where less than `share` of some samples pass, or none. */
function checked(source: Source, accepts: (value: Json) => boolean, share: number): Source | undefined {
  if (!source.loose) return source;
  if (source.all !== undefined) return listed(source.all.filter(accepts))[0];
  const samples = fc.sample(source.arbitrary, { seed: 1, numRuns: SAMPLES });
  const good = samples.filter(accepts);
  const fits = accepts(source.smallest);
  if (good.length < samples.length * share || (good.length === 0 && !fits)) return undefined;
  const smallest = fits ? source.smallest : (shrunk(source.arbitrary, accepts) ?? smallestOf(good));
  const { typical } = source;
  return {
    arbitrary: bounded(source.arbitrary, accepts, smallest),
    smallest,
    ...(typical === undefined || !accepts(typical) ? {} : { typical }),
    loose: false,
    cost: source.cost,
  };
}

/** A value that passes, shrunk as far as it goes. */
function shrunk(arbitrary: fc.Arbitrary<Json>, accepts: (value: Json) => boolean): Json | undefined {
  const refused = fc.property(arbitrary, (value) => !accepts(value));
  return fc.check(refused, { seed: 1, numRuns: 4 * SAMPLES }).counterexample?.[0];
}

function smallestOf(values: readonly Json[]): Json {
  return values.reduce((best, value) => (size(value) < size(best) ? value : best));
}

/** Any of several sources; shrinks towards the one with the smallest value. */
function oneOf(sources: readonly Source[]): Source | undefined {
  const ordered = [...sources].sort((one, other) => size(one.smallest) - size(other.smallest));
  const [first] = ordered;
  if (first === undefined || ordered.length === 1) return first;
  const finite = ordered.every((source) => source.all !== undefined);
  // Go and .NET let each list be null, and a list that must be there is hardly ever meant to be: null says nothing of its items.
  const list = first.smallest === null ? ordered.find(({ smallest }) => isArray(smallest)) : undefined;
  return {
    arbitrary: fc.oneof({ withCrossShrink: true }, ...ordered.map(({ arbitrary }) => arbitrary)),
    smallest: (list ?? first).smallest,
    typical: ordered.map(typicalOf).find(saysMore) ?? typicalOf(first),
    loose: false,
    cost: Math.max(...ordered.map(({ cost }) => cost)),
    ...(finite ? { all: ordered.flatMap((source) => source.all ?? []) } : {}),
  };
}
