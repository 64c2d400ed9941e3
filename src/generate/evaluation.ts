import { isMultiple } from './decimals.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  pointerOf,
} from './json.ts';
import { type Matches, matcherOf } from './matching.ts';
import { placeOf, type SchemaIndex, type SchemaNode } from './references.ts';

/** One broken keyword, named by its own place in the schema and in the value. */
export type BrokenKeyword = {
  readonly pointer: JsonPointer;
  readonly keyword: string;
  readonly schemaPointer: JsonPointer;
  /** Of `anyOf` and `oneOf`: the branches, and what each found wrong. */
  readonly branches?: readonly { readonly node: SchemaNode; readonly faults: readonly BrokenKeyword[] }[];
};

/** What a schema says of a value, with the annotations that `unevaluated*` reads (JSON Schema 2020-12 core, section 11). */
export type Evaluation = {
  readonly faults: readonly BrokenKeyword[];
  readonly members: ReadonlySet<string>;
  readonly items: ReadonlySet<number>;
};

/** A second opinion on ajv, which also speaks of one subschema alone, and of the branch that a fault belongs to. */
export type Evaluator = {
  evaluate(node: SchemaNode, value: Json, at?: readonly (string | number)[]): Evaluation;
  holds(node: SchemaNode, value: Json): boolean;
};

type Visit = {
  readonly node: SchemaNode;
  readonly schema: JsonObject;
  readonly value: Json;
  readonly at: readonly (string | number)[];
  readonly level: number;
  /** Only whether it holds is asked for: the first fault ends it, and is not named. */
  readonly brief: boolean;
  readonly faults: BrokenKeyword[];
  readonly members: Set<string>;
  readonly items: Set<number>;
};

/** In-place references deeper than this go round in circles. */
const DEEPEST = 400;
const NOTHING: ReadonlySet<never> = new Set();
/** Of a value without parts: nothing is added to it. */
const NONE = new Set<never>();
/** Stands for any fault where only whether there is one is asked for. */
const SOME: BrokenKeyword = { pointer: '', keyword: '', schemaPointer: '' };

export function evaluator(
  index: SchemaIndex,
  hasFormat: (format: string, value: Json) => boolean,
): Evaluator {
  const patterns = new Map<string, Matches>();
  const matches = (pattern: string, text: string): boolean => {
    const known = patterns.get(pattern) ?? matcherOf(pattern);
    patterns.set(pattern, known);
    return known(text);
  };

  const run = (
    node: SchemaNode | undefined,
    value: Json,
    at: readonly (string | number)[],
    level: number,
    brief: boolean,
  ): Evaluation => {
    if (node === undefined || node.schema === true || level > DEEPEST)
      return { faults: [], members: NOTHING, items: NOTHING };
    if (!isObject(node.schema)) {
      const fault = brief
        ? SOME
        : { pointer: pointerOf(at), keyword: 'false schema', schemaPointer: placeOf(node) };
      return { faults: [fault], members: NOTHING, items: NOTHING };
    }
    const known = memo.of(node, value, at, brief);
    if (known !== undefined) return known;
    const visit: Visit = {
      node,
      schema: node.schema,
      value,
      at,
      level,
      brief,
      faults: [],
      members: isObject(value) ? new Set() : NONE,
      items: isArray(value) ? new Set() : NONE,
    };
    simple(visit, hasFormat, matches);
    if (!isOver(visit)) inPlace(visit);
    if (isObject(value) && !isOver(visit)) object(visit, value);
    if (isArray(value) && !isOver(visit)) list(visit, value);
    memo.keep(visit);
    return visit;
  };

  const fault = (
    visit: Visit,
    keyword: string,
    extra: readonly (string | number)[] = [],
    branches?: BrokenKeyword['branches'],
  ): void => {
    if (visit.brief) {
      visit.faults.push(SOME);
      return;
    }
    const found = {
      pointer: pointerOf([...visit.at, ...extra]),
      keyword,
      schemaPointer: `${placeOf(visit.node)}/${keyword}`,
    };
    visit.faults.push(branches === undefined ? found : { ...found, branches });
  };

  const child = (visit: Visit, ...tokens: readonly (string | number)[]): SchemaNode | undefined =>
    index.child(visit.node, ...tokens);

  const adopt = (visit: Visit, result: Evaluation): void => {
    for (const name of result.members) visit.members.add(name);
    for (const item of result.items) visit.items.add(item);
  };

  const inSamePlace = (visit: Visit, node: SchemaNode | undefined, brief = visit.brief): Evaluation =>
    run(node, visit.value, visit.at, visit.level + 1, brief);

  const apply = (visit: Visit, node: SchemaNode | undefined): void => {
    if (isOver(visit)) return;
    const result = inSamePlace(visit, node);
    visit.faults.push(...result.faults);
    adopt(visit, result);
  };

  const applyWithin = (
    visit: Visit,
    token: string | number,
    value: Json | undefined,
    node: SchemaNode | undefined,
  ): void => {
    if (isOver(visit)) return;
    const at = visit.brief ? visit.at : [...visit.at, token];
    visit.faults.push(...run(node, value ?? null, at, 0, visit.brief).faults);
  };

  const branchesOf = (visit: Visit, keyword: string): readonly { node: SchemaNode; result: Evaluation }[] => {
    const list = visit.schema[keyword];
    if (!isArray(list)) return [];
    return list.flatMap((_, position) => {
      const node = child(visit, keyword, position);
      return node === undefined ? [] : [{ node, result: inSamePlace(visit, node) }];
    });
  };

  const inPlace = (visit: Visit): void => {
    const { schema } = visit;
    for (const keyword of ['$ref', '$dynamicRef'] as const) {
      if (typeof schema[keyword] === 'string') apply(visit, index.target(visit.node, keyword));
    }
    if (isArray(schema['allOf']))
      for (const position of schema['allOf'].keys()) apply(visit, child(visit, 'allOf', position));
    for (const keyword of ['anyOf', 'oneOf']) {
      if (!isArray(schema[keyword])) continue;
      const branches = branchesOf(visit, keyword);
      const good = branches.filter(({ result }) => result.faults.length === 0);
      for (const { result } of good) adopt(visit, result);
      if (keyword === 'anyOf' ? good.length === 0 : good.length !== 1) {
        fault(
          visit,
          keyword,
          [],
          branches.map(({ node, result }) => ({ node, faults: result.faults })),
        );
      }
    }
    if ('not' in schema && inSamePlace(visit, child(visit, 'not'), true).faults.length === 0)
      fault(visit, 'not');
    if ('if' in schema) {
      const condition = inSamePlace(visit, child(visit, 'if'), true);
      const holds = condition.faults.length === 0;
      if (holds) adopt(visit, condition);
      const next = holds ? 'then' : 'else';
      if (next in schema) apply(visit, child(visit, next));
    }
  };

  const object = (visit: Visit, value: JsonObject): void => {
    const { schema } = visit;
    const names = Object.keys(value);
    const member = (name: string, ...tokens: readonly string[]): void => {
      applyWithin(visit, name, value[name], child(visit, ...tokens));
      visit.members.add(name);
    };
    const required = schema['required'];
    if (isArray(required)) {
      for (const name of required)
        if (typeof name === 'string' && !Object.hasOwn(value, name)) fault(visit, 'required', [name]);
    }
    for (const [name, needs] of mapEntries(schema['dependentRequired'])) {
      if (!Object.hasOwn(value, name) || !isArray(needs)) continue;
      for (const need of needs)
        if (typeof need === 'string' && !Object.hasOwn(value, need))
          fault(visit, 'dependentRequired', [need]);
    }
    for (const [name] of mapEntries(schema['dependentSchemas'])) {
      if (Object.hasOwn(value, name)) apply(visit, child(visit, 'dependentSchemas', name));
    }
    const own = new Set<string>();
    for (const [name] of mapEntries(schema['properties'])) {
      if (!Object.hasOwn(value, name)) continue;
      own.add(name);
      member(name, 'properties', name);
    }
    for (const [pattern] of mapEntries(schema['patternProperties'])) {
      for (const name of names.filter((candidate) => matches(pattern, candidate))) {
        own.add(name);
        member(name, 'patternProperties', pattern);
      }
    }
    const rest = (keyword: string, covered: ReadonlySet<string>): void => {
      for (const name of names.filter((candidate) => !covered.has(candidate))) {
        if (schema[keyword] === false) fault(visit, keyword, [name]);
        else member(name, keyword);
        visit.members.add(name);
      }
    };
    if ('additionalProperties' in schema) rest('additionalProperties', own);
    if ('propertyNames' in schema) {
      const node = child(visit, 'propertyNames');
      for (const name of names)
        if (run(node, name, [], 0, true).faults.length > 0) fault(visit, 'propertyNames', [name]);
    }
    // Where something else is wrong already, what is left unevaluated follows from that.
    if ('unevaluatedProperties' in schema && visit.faults.length === 0)
      rest('unevaluatedProperties', new Set(visit.members));
  };

  const list = (visit: Visit, value: readonly Json[]): void => {
    const { schema } = visit;
    const item = (position: number, ...tokens: readonly (string | number)[]): void => {
      applyWithin(visit, position, value[position], child(visit, ...tokens));
      visit.items.add(position);
    };
    const prefix = isArray(schema['prefixItems']) ? schema['prefixItems'].length : 0;
    for (let position = 0; position < Math.min(prefix, value.length); position++)
      item(position, 'prefixItems', position);
    const from = (keyword: string, skip: (position: number) => boolean): void => {
      for (const position of value.keys()) {
        if (skip(position)) continue;
        if (schema[keyword] === false) fault(visit, keyword, [position]);
        else item(position, keyword);
      }
    };
    if ('items' in schema) from('items', (position) => position < prefix);
    if ('contains' in schema) {
      const node = child(visit, 'contains');
      const found = [...value.keys()].filter(
        (position) => run(node, value[position] ?? null, [], 0, true).faults.length === 0,
      );
      for (const position of found) visit.items.add(position);
      const { minContains = 1, maxContains } = schema;
      if (typeof minContains === 'number' && found.length < minContains) fault(visit, 'contains');
      if (typeof maxContains === 'number' && found.length > maxContains) fault(visit, 'contains');
    }
    if ('unevaluatedItems' in schema && visit.faults.length === 0) {
      const covered = new Set(visit.items);
      from('unevaluatedItems', (position) => covered.has(position));
    }
  };

  return {
    evaluate: (node, value, at = []) => run(node, value, at, 0, false),
    holds: (node, value) => run(node, value, [], 0, true).faults.length === 0,
  };

  /** The keywords that assert something of the value alone (validation, section 6). */
  function simple(visit: Visit, formatHolds: typeof hasFormat, patternHolds: typeof matches): void {
    const { schema, value } = visit;
    const limit = (keyword: string, breaks: (bound: number) => boolean): void => {
      const bound = schema[keyword];
      if (typeof bound === 'number' && breaks(bound)) fault(visit, keyword);
    };
    const { type, format, pattern } = schema;
    if (type !== undefined && !(isArray(type) ? type : [type]).some((name) => isOfType(name, value)))
      fault(visit, 'type');
    if ('const' in schema && !sameJson(schema['const'] ?? null, value)) fault(visit, 'const');
    if (isArray(schema['enum']) && !schema['enum'].some((allowed) => sameJson(allowed, value)))
      fault(visit, 'enum');
    if (typeof format === 'string' && !formatHolds(format, value)) fault(visit, 'format');
    if (typeof value === 'number') {
      limit('minimum', (bound) => value < bound);
      limit('maximum', (bound) => value > bound);
      limit('exclusiveMinimum', (bound) => value <= bound);
      limit('exclusiveMaximum', (bound) => value >= bound);
      limit('multipleOf', (bound) => !isMultiple(value, bound));
    } else if (typeof value === 'string') {
      limit('minLength', (bound) => codePoints(value) < bound);
      limit('maxLength', (bound) => codePoints(value) > bound);
      if (typeof pattern === 'string' && !patternHolds(pattern, value)) fault(visit, 'pattern');
    } else if (isArray(value)) {
      limit('minItems', (bound) => value.length < bound);
      limit('maxItems', (bound) => value.length > bound);
      if (schema['uniqueItems'] === true && new Set(value.map(canonicalJson)).size < value.length)
        fault(visit, 'uniqueItems');
    } else if (isObject(value)) {
      limit('minProperties', (bound) => Object.keys(value).length < bound);
      limit('maxProperties', (bound) => Object.keys(value).length > bound);
    }
  }
}

/** Old results go once there are so many: an edited value is looked at a few times, and never again. */
const KEPT = 5_000;

/**
 * What was found of objects and lists. An edited body shares the most of them with the one that it was made from. One for all
 * evaluators: each schema is worked on for a while, and the results of hundreds would stay for the whole run.
 */
const memo = makeMemo();

function makeMemo(): {
  readonly of: (node: SchemaNode, value: Json, at: Visit['at'], brief: boolean) => Evaluation | undefined;
  readonly keep: (visit: Visit) => void;
} {
  let visits = new Map<Json, Map<SchemaNode, Visit>>();
  let size = 0;
  return {
    of: (node, value, at, brief) => {
      const found = visits.get(value)?.get(node);
      if (found === undefined || found.faults.length === 0 || brief) return found;
      return !found.brief && isSamePlace(found.at, at) ? found : undefined;
    },
    keep: (visit) => {
      if (typeof visit.value !== 'object' || visit.value === null) return;
      if (size >= KEPT) {
        visits = new Map();
        size = 0;
      }
      const known = visits.get(visit.value) ?? new Map<SchemaNode, Visit>();
      visits.set(visit.value, known.set(visit.node, visit));
      size += 1;
    },
  };
}

function isOver({ brief, faults }: Visit): boolean {
  return brief && faults.length > 0;
}

function isSamePlace(one: Visit['at'], other: Visit['at']): boolean {
  return one.length === other.length && one.every((token, index) => token === other[index]);
}

/** Length as JSON Schema counts it (validation, section 6.3). */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Whether a value is of a type of JSON Schema; 1.0 is an integer. */
export function isOfType(type: Json, value: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** Equal as JSON (core, section 4.2.2). */
export function sameJson(one: Json, other: Json): boolean {
  return (
    one === other ||
    (typeof one === 'object' && typeof other === 'object' && canonicalJson(one) === canonicalJson(other))
  );
}

/** Of each map in a schema its entries: they are asked for with each value. */
const entriesOf = new WeakMap<JsonObject, readonly (readonly [string, Json])[]>();

function mapEntries(map: Json | undefined): readonly (readonly [string, Json])[] {
  if (!isObject(map)) return [];
  const entries = entriesOf.get(map) ?? Object.entries(map);
  entriesOf.set(map, entries);
  return entries;
}
