import { isOfType } from './evaluation.ts';
import { isArray, isObject, type Json, type JsonObject } from './json.ts';
import { negations } from './negation.ts';
import type { SchemaIndex, SchemaNode } from './references.ts';
import {
  ANYTHING,
  both,
  JSON_TYPES,
  type JsonType,
  type ListFacet,
  type ObjectFacet,
  type ValueShape,
} from './shape.ts';

/** Schemas into the ways to satisfy them. */
export type Expansion = {
  /** Every way to satisfy all of the nodes at once, at most {@link MOST}; none where they contradict each other. */
  expand(nodes: readonly SchemaNode[]): readonly ValueShape[];
  /** The ways in which a shape can keep clear of the first schema that it avoids, each with its label. */
  separate(shape: ValueShape): readonly ValueShape[];
};

export const MOST = 64;

export function expansion(index: SchemaIndex): Expansion {
  const known = new Map<string, readonly ValueShape[]>();
  const under = new Set<string>();

  const ways = (node: SchemaNode | undefined): readonly ValueShape[] => {
    if (node === undefined) return [];
    if (node.schema === true) return [ANYTHING];
    if (!isObject(node.schema)) return [];
    const before = known.get(node.key);
    if (before !== undefined) return before;
    // A schema that refers to itself in place adds nothing by going round again.
    if (under.has(node.key)) return [];
    under.add(node.key);
    const found = keywords(node, node.schema);
    under.delete(node.key);
    if (under.size === 0) known.set(node.key, found);
    return found;
  };

  const expand = (nodes: readonly SchemaNode[]): readonly ValueShape[] =>
    nodes.reduce<readonly ValueShape[]>((shapes, node) => cross(shapes, ways(node)), [ANYTHING]);

  const keywords = (node: SchemaNode, schema: JsonObject): readonly ValueShape[] => {
    let shapes: readonly ValueShape[] = cross([ANYTHING], [assertions(index, node, schema)]);
    const child = (...tokens: readonly (string | number)[]): SchemaNode | undefined =>
      index.child(node, ...tokens);
    const branches = (keyword: string): readonly SchemaNode[] => {
      const list = schema[keyword];
      return isArray(list) ? list.flatMap((_, position) => child(keyword, position) ?? []) : [];
    };
    for (const keyword of ['$ref', '$dynamicRef'] as const) {
      if (typeof schema[keyword] === 'string') shapes = cross(shapes, ways(index.target(node, keyword)));
    }
    for (const branch of branches('allOf')) shapes = cross(shapes, ways(branch));
    if ('anyOf' in schema) shapes = cross(shapes, branches('anyOf').flatMap(ways));
    if ('oneOf' in schema) {
      const all = branches('oneOf');
      const chosen = all.flatMap((branch, position) =>
        cross(ways(branch), [avoiding(all.filter((_, other) => other !== position))]),
      );
      shapes = cross(shapes, chosen);
    }
    const not = child('not');
    if (not !== undefined) shapes = cross(shapes, [avoiding([not])]);
    const condition = child('if');
    if (condition !== undefined) {
      const then = child('then');
      const otherwise = child('else');
      const met = then === undefined ? ways(condition) : cross(ways(condition), ways(then));
      const unmet = cross([avoiding([condition])], otherwise === undefined ? [ANYTHING] : ways(otherwise));
      shapes = cross(shapes, [...met, ...unmet]);
    }
    const dependent = schema['dependentSchemas'];
    for (const name of isObject(dependent) ? Object.keys(dependent) : []) {
      const without: ValueShape = {
        ...ANYTHING,
        objects: { ...ANYTHING.objects, facets: [forbidding(node, name)] },
      };
      const present: ValueShape = {
        ...ANYTHING,
        types: new Set(['object']),
        objects: { ...ANYTHING.objects, required: new Set([name]) },
      };
      shapes = cross(shapes, [without, ...cross([present], ways(child('dependentSchemas', name)))]);
    }
    return shapes.map((shape) => unevaluated(node, schema, shape));
  };

  const forbidding = (node: SchemaNode, name: string): ObjectFacet => ({
    named: new Map([[name, index.standIn(node, 'never', false)]]),
    patterned: [],
  });

  /** Binds what no other keyword of the shape speaks of (core, section 11). */
  const unevaluated = (node: SchemaNode, schema: JsonObject, shape: ValueShape): ValueShape => {
    let result = shape;
    const members = index.child(node, 'unevaluatedProperties');
    if (members !== undefined) {
      const { facets } = shape.objects;
      const open = facets.every((facet) => facet.rest === undefined);
      const named = new Map(
        facets.flatMap((facet) => [...facet.named.keys()].map((name) => [name, undefined] as const)),
      );
      const patterned = facets.flatMap((facet) =>
        facet.patterned.map(([pattern]) => [pattern, undefined] as const),
      );
      const facet: ObjectFacet = { named, patterned, rest: members };
      result = {
        ...result,
        loose: true,
        objects: { ...shape.objects, facets: open ? [...facets, facet] : facets },
      };
    }
    const items = index.child(node, 'unevaluatedItems');
    if (items !== undefined && 'unevaluatedItems' in schema) {
      const { lists, contains } = shape.arrays;
      const open = lists.every((list) => list.rest === undefined);
      const longest = Math.max(0, ...lists.map((list) => list.prefix.length));
      const [only] = contains;
      const rest = items.schema === false && only !== undefined ? only.node : items;
      const facet: ListFacet = { prefix: Array.from({ length: longest }, () => undefined), rest };
      result = {
        ...result,
        loose: true,
        arrays: { ...shape.arrays, lists: open ? [...lists, facet] : lists },
      };
    }
    return result;
  };

  return {
    expand,
    separate(shape) {
      const [first, ...others] = shape.avoid;
      if (first === undefined) return [shape];
      const rest: ValueShape = { ...shape, avoid: others, loose: true };
      return cross([rest], negations(index, first).flatMap(ways));
    },
  };
}

function avoiding(avoid: readonly SchemaNode[]): ValueShape {
  return { ...ANYTHING, avoid, loose: true };
}

function cross(ones: readonly ValueShape[], others: readonly ValueShape[]): readonly ValueShape[] {
  const found: ValueShape[] = [];
  for (const one of ones) {
    for (const other of others) {
      const merged = both(one, other);
      if (merged !== undefined) found.push(merged);
      if (found.length >= MOST) return found;
    }
  }
  return found;
}

/** The keywords of one schema that are not schemas in place. */
function assertions(index: SchemaIndex, node: SchemaNode, schema: JsonObject): ValueShape {
  const types = typesOf(schema['type']);
  const values = valuesOf(schema);
  const child = (...tokens: readonly (string | number)[]): SchemaNode | undefined =>
    index.child(node, ...tokens);
  const text = (keyword: string): readonly string[] =>
    typeof schema[keyword] === 'string' ? [schema[keyword]] : [];
  const map = (keyword: string): readonly (readonly [string, Json])[] =>
    isObject(schema[keyword]) ? Object.entries(schema[keyword]) : [];
  const prefix = isArray(schema['prefixItems'])
    ? schema['prefixItems'].map((_, position) => child('prefixItems', position))
    : [];
  const items = child('items');
  const contains = child('contains');
  const rest = child('additionalProperties');
  const names = child('propertyNames');
  const named = new Map(map('properties').map(([name]) => [name, child('properties', name)]));
  const patterned = map('patternProperties').map(
    ([pattern]) => [pattern, child('patternProperties', pattern)] as const,
  );
  const hasFacet = named.size > 0 || patterned.length > 0 || rest !== undefined;
  const required = isArray(schema['required'])
    ? schema['required'].filter((name) => typeof name === 'string')
    : [];
  return {
    types,
    ...(values === undefined ? {} : { values }),
    numbers: {
      integer: types.has('number') && !declares(schema['type'], 'number') && schema['type'] !== undefined,
      min: bound(schema, 'minimum', -Infinity),
      max: bound(schema, 'maximum', Infinity),
      above: bound(schema, 'exclusiveMinimum', -Infinity),
      below: bound(schema, 'exclusiveMaximum', Infinity),
      steps: typeof schema['multipleOf'] === 'number' ? [schema['multipleOf']] : [],
    },
    strings: {
      min: bound(schema, 'minLength', 0),
      max: bound(schema, 'maxLength', Infinity),
      patterns: text('pattern'),
      formats: text('format'),
    },
    arrays: {
      min: bound(schema, 'minItems', 0),
      max: bound(schema, 'maxItems', Infinity),
      unique: schema['uniqueItems'] === true,
      lists:
        prefix.length > 0 || items !== undefined
          ? [{ prefix, ...(items === undefined ? {} : { rest: items }) }]
          : [],
      contains:
        contains === undefined
          ? []
          : [
              {
                node: contains,
                min: bound(schema, 'minContains', 1),
                max: bound(schema, 'maxContains', Infinity),
              },
            ],
    },
    objects: {
      min: bound(schema, 'minProperties', 0),
      max: bound(schema, 'maxProperties', Infinity),
      required: new Set(required),
      facets: hasFacet ? [{ named, patterned, ...(rest === undefined ? {} : { rest }) }] : [],
      names: names === undefined ? [] : [names],
      dependents: map('dependentRequired').map(([name, needs]) => [
        name,
        isArray(needs) ? needs.filter((need) => typeof need === 'string') : [],
      ]),
    },
    avoid: [],
    examples: [
      ...(isArray(schema['examples']) ? schema['examples'] : []),
      ...(schema['default'] === undefined ? [] : [schema['default']]),
    ],
    loose: false,
  };
}

function typesOf(type: Json | undefined): ReadonlySet<JsonType> {
  if (type === undefined) return ANYTHING.types;
  return new Set(
    JSON_TYPES.filter((name) => declares(type, name) || (name === 'number' && declares(type, 'integer'))),
  );
}

function declares(type: Json | undefined, name: string): boolean {
  return isArray(type) ? type.includes(name) : type === name;
}

function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  const { type } = schema;
  const fits = (value: Json): boolean =>
    type === undefined || (isArray(type) ? type : [type]).some((name) => isOfType(name, value));
  if ('const' in schema) return [schema['const'] ?? null].filter(fits);
  return isArray(schema['enum']) ? schema['enum'].filter(fits) : undefined;
}

function bound(schema: JsonObject, keyword: string, otherwise: number): number {
  const value = schema[keyword];
  return typeof value === 'number' ? value : otherwise;
}
