import { canonicalJson, type Json } from './json.ts';
import type { SchemaNode } from './references.ts';

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';
export const JSON_TYPES: readonly JsonType[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** Says of members which schemas apply to them. A name without node is known, but free. */
export type ObjectFacet = {
  readonly named: ReadonlyMap<string, SchemaNode | undefined>;
  readonly patterned: readonly (readonly [string, SchemaNode | undefined])[];
  /** For every other member. */
  readonly rest?: SchemaNode;
};

/** Says of array positions which schemas apply to them. */
export type ListFacet = { readonly prefix: readonly (SchemaNode | undefined)[]; readonly rest?: SchemaNode };

export type Containment = { readonly node: SchemaNode; readonly min: number; readonly max: number };

/** One way to satisfy a schema, a branch chosen at each alternative. Each group binds only values of its own type. */
export type ValueShape = {
  readonly types: ReadonlySet<JsonType>;
  /** Where `enum` or `const` lists the candidates. */
  readonly values?: readonly Json[];
  readonly numbers: {
    readonly integer: boolean;
    readonly min: number;
    readonly max: number;
    readonly above: number;
    readonly below: number;
    readonly steps: readonly number[];
  };
  readonly strings: {
    readonly min: number;
    readonly max: number;
    readonly patterns: readonly string[];
    readonly formats: readonly string[];
  };
  readonly arrays: {
    readonly min: number;
    readonly max: number;
    readonly unique: boolean;
    readonly lists: readonly ListFacet[];
    readonly contains: readonly Containment[];
  };
  readonly objects: {
    readonly min: number;
    readonly max: number;
    readonly required: ReadonlySet<string>;
    readonly facets: readonly ObjectFacet[];
    readonly names: readonly SchemaNode[];
    readonly dependents: readonly (readonly [string, readonly string[]])[];
  };
  /** Schemas that the value must not satisfy. */
  readonly avoid: readonly SchemaNode[];
  /** Values that the schemas give as examples or as the default, in order. They bind nothing. */
  readonly examples: readonly Json[];
  /** Whether a value built from this shape may still break the schema, and must be checked. */
  readonly loose: boolean;
};

export const ANYTHING: ValueShape = {
  types: new Set(JSON_TYPES),
  numbers: { integer: false, min: -Infinity, max: Infinity, above: -Infinity, below: Infinity, steps: [] },
  strings: { min: 0, max: Infinity, patterns: [], formats: [] },
  arrays: { min: 0, max: Infinity, unique: false, lists: [], contains: [] },
  objects: { min: 0, max: Infinity, required: new Set(), facets: [], names: [], dependents: [] },
  avoid: [],
  examples: [],
  loose: false,
};

export function both(one: ValueShape, other: ValueShape): ValueShape | undefined {
  if (one === ANYTHING) return other;
  if (other === ANYTHING) return one;
  const values = commonValues(one.values, other.values);
  const merged: ValueShape = {
    types: new Set([...one.types].filter((type) => other.types.has(type))),
    ...(values === undefined ? {} : { values }),
    numbers: {
      integer: one.numbers.integer || other.numbers.integer,
      min: Math.max(one.numbers.min, other.numbers.min),
      max: Math.min(one.numbers.max, other.numbers.max),
      above: Math.max(one.numbers.above, other.numbers.above),
      below: Math.min(one.numbers.below, other.numbers.below),
      steps: union(one.numbers.steps, other.numbers.steps),
    },
    strings: {
      min: Math.max(one.strings.min, other.strings.min),
      max: Math.min(one.strings.max, other.strings.max),
      patterns: union(one.strings.patterns, other.strings.patterns),
      formats: union(one.strings.formats, other.strings.formats),
    },
    arrays: {
      min: Math.max(one.arrays.min, other.arrays.min),
      max: Math.min(one.arrays.max, other.arrays.max),
      unique: one.arrays.unique || other.arrays.unique,
      lists: [...one.arrays.lists, ...other.arrays.lists],
      contains: [...one.arrays.contains, ...other.arrays.contains],
    },
    objects: {
      min: Math.max(one.objects.min, other.objects.min),
      max: Math.min(one.objects.max, other.objects.max),
      required: new Set([...one.objects.required, ...other.objects.required]),
      facets: [...one.objects.facets, ...other.objects.facets],
      names: [...one.objects.names, ...other.objects.names],
      dependents: [...one.objects.dependents, ...other.objects.dependents],
    },
    avoid: [...one.avoid, ...other.avoid],
    examples: [...one.examples, ...other.examples],
    loose: one.loose || other.loose,
  };
  return possible(merged);
}

/** Where no `type` is given, those that other keywords speak of: a schema with `properties` is not there to be sent `0`. */
export function meantTypes(shape: ValueShape): ReadonlySet<JsonType> {
  if (shape.types.size < JSON_TYPES.length) return shape.types;
  const { numbers, strings, arrays, objects } = shape;
  const said: readonly (readonly [JsonType, boolean])[] = [
    [
      'number',
      numbers.steps.length > 0 ||
        [numbers.min, numbers.max, numbers.above, numbers.below].some(Number.isFinite),
    ],
    [
      'string',
      strings.min > 0 || strings.max < Infinity || strings.patterns.length > 0 || strings.formats.length > 0,
    ],
    [
      'array',
      arrays.min > 0 ||
        arrays.max < Infinity ||
        arrays.unique ||
        arrays.lists.length > 0 ||
        arrays.contains.length > 0,
    ],
    [
      'object',
      objects.min > 0 ||
        objects.max < Infinity ||
        objects.required.size > 0 ||
        objects.facets.length > 0 ||
        objects.names.length > 0 ||
        objects.dependents.length > 0,
    ],
  ];
  const meant = said.filter(([, speaks]) => speaks).map(([type]) => type);
  return meant.length > 0 ? new Set(meant) : shape.types;
}

function possible(shape: ValueShape): ValueShape | undefined {
  const types = new Set(shape.types);
  const { numbers, strings, arrays, objects } = shape;
  const low = Math.max(numbers.min, numbers.above);
  const high = Math.min(numbers.max, numbers.below);
  if (low > high || (low === high && (numbers.above === low || numbers.below === high)))
    types.delete('number');
  if (strings.min > strings.max) types.delete('string');
  if (arrays.min > arrays.max) types.delete('array');
  if (
    objects.min > objects.max ||
    objects.required.size > objects.max ||
    objects.facets.some((facet) => forbids(facet, objects.required))
  ) {
    types.delete('object');
  }
  if (types.size === 0 || shape.values?.length === 0) return undefined;
  return types.size === shape.types.size ? shape : { ...shape, types };
}

function forbids(facet: ObjectFacet, required: ReadonlySet<string>): boolean {
  return [...required].some((name) => facet.named.get(name)?.schema === false);
}

function commonValues(
  one: readonly Json[] | undefined,
  other: readonly Json[] | undefined,
): readonly Json[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const allowed = new Set(other.map(canonicalJson));
  return one.filter((value) => allowed.has(canonicalJson(value)));
}

function union<T>(one: readonly T[], other: readonly T[]): readonly T[] {
  return [...new Set([...one, ...other])];
}
