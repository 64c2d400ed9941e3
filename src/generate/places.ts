import { affordable } from './affordable.ts';
import { isArray, isObject, type Json, type JsonObject } from './json.ts';
import { matcherOf } from './matching.ts';
import { objectOf } from './objects.ts';
import { sampleOfPattern } from './pattern-strings.ts';
import type { SchemaNode } from './references.ts';
import type { Study } from './study.ts';

/** A place in a valid body, with the schemas that bind it. */
export type SchemaPlace = {
  readonly tokens: readonly (string | number)[];
  readonly value: Json;
  /** Every schema in force here, those reached in place included: references, `allOf`, branches that hold. */
  readonly nodes: readonly SchemaNode[];
  /** The whole body, valid. May have a member or item more than the one that was given. */
  readonly body: Json;
  /** The whole body with another value here. */
  readonly rooted: (value: Json) => Json;
  /** The schemas that are said to bind this place, before references and branches. */
  readonly said: readonly SchemaNode[];
  /** Of a value of another branch, the schemas that only this value brings into force. */
  readonly own?: readonly SchemaNode[];
  /** The body has a value of another branch, here or above. */
  readonly ofBranch?: true;
};

const MOST_PLACES = 400;
/** Absent members are added so many levels deep by default. */
const ADDED_LEVELS = 2;
/** Items of absent lists are added so many levels deeper: a list in a list, or in an object, is absent with it. */
const ITEM_LEVELS = 2;
const MOST_DEEPER = 40;
/** Of so many branches that hold nowhere in a body, values are looked at as well; of so many of one choice. */
const MOST_OTHERS = 24;
const MOST_OF_ONE = 8;
const UNNAMED = ['other', 'unlisted', 'x-1', '0', 'Other', '!', 'é', 'not-described-1'];

/**
 * Every place of a valid body, outermost first. Absent members and items are visited as if their smallest value were there. After
 * them comes each branch of `anyOf` or `oneOf` that holds nowhere, at the first place where its smallest value fits.
 */
export function placesIn(study: Study, body: Json, addedLevels = ADDED_LEVELS): readonly SchemaPlace[] {
  const { index } = study.builder;
  const found: SchemaPlace[] = [];
  const levels = new Map<SchemaPlace, number>();
  const inForceAt = new Set<string>();
  const deeper: (readonly [place: SchemaPlace, added: number])[] = [];
  const visit = (place: SchemaPlace, added: number): void => {
    if (found.length >= MOST_PLACES) return;
    found.push(place);
    levels.set(place, added);
    for (const { key } of place.nodes) inForceAt.add(key);
    for (const [child, isNew] of children(study, place)) {
      if (!isNew) visit(child, added);
      else if (added < addedLevels && study.valid(child.body)) visit(child, added + 1);
      else if (isArray(place.value) && added < addedLevels + ITEM_LEVELS) deeper.push([child, added + 1]);
    }
  };
  const root = [index.root];
  const nodes = inForce(study, root, body);
  visit({ tokens: [], value: body, nodes, said: root, body, rooted: (value) => value }, 0);
  if (addedLevels === 0) return found;
  let left = MOST_OTHERS;
  // What is found here has places of its own, with branches of their own.
  for (const place of found)
    for (const branch of branchesAt(study, place)) {
      if (left <= 0 || inForceAt.has(branch.key)) continue;
      inForceAt.add(branch.key);
      left -= 1;
      const other = withBranch(study, place, branch);
      if (other !== undefined) visit(other, levels.get(place) ?? 0);
    }
  let more = MOST_DEEPER;
  for (const [place, added] of deeper) {
    if (more-- <= 0) break;
    if (study.valid(place.body)) visit(place, added);
  }
  return found;
}

function branchesAt({ builder }: Study, { nodes }: SchemaPlace): readonly SchemaNode[] {
  return nodes.flatMap((node) =>
    ['anyOf', 'oneOf'].flatMap((keyword) =>
      [...listOf(node, keyword).keys()]
        .slice(0, MOST_OF_ONE)
        .flatMap((position) => builder.index.child(node, keyword, position) ?? []),
    ),
  );
}

/** The same place with the smallest value of a branch that does not hold there; null breaks nothing but the type. */
function withBranch(study: Study, place: SchemaPlace, branch: SchemaNode): SchemaPlace | undefined {
  const [value] = study.builder.samples([...place.said, branch], place.tokens.length);
  if (value === undefined || value === null) return undefined;
  const body = place.rooted(value);
  if (!study.valid(body)) return undefined;
  const known = new Set(place.nodes.map(({ key }) => key));
  const nodes = inForce(study, place.said, value);
  const own = nodes.filter(({ key }) => !known.has(key));
  return { ...place, value, nodes, own, body, ofBranch: true };
}

const branchOf = ({ ofBranch }: SchemaPlace): { readonly ofBranch?: true } => (ofBranch ? { ofBranch } : {});

type Child = readonly [place: SchemaPlace, isNew: boolean];

function children(study: Study, place: SchemaPlace): readonly Child[] {
  if (isObject(place.value)) return members(study, place, place.value);
  return isArray(place.value) ? items(study, place, place.value) : [];
}

function members(study: Study, place: SchemaPlace, object: JsonObject): readonly Child[] {
  const present = Object.keys(object);
  const at = (name: string, value: Json, isNew: boolean): Child => {
    const said = memberSchemas(study, place.nodes, name);
    const put = (other: Json): Json => place.rooted(withMember(object, name, other));
    const body = isNew ? put(value) : place.body;
    const nodes = inForce(study, said, value);
    return [
      { tokens: [...place.tokens, name], value, nodes, said, body, rooted: put, ...branchOf(place) },
      isNew,
    ];
  };
  const here = affordable(present).map((name) => at(name, object[name] ?? null, false));
  const absent = affordable(namesFor(study, place.nodes, present)).flatMap((name) => {
    const schemas = memberSchemas(study, place.nodes, name);
    const value = leastOf(study, schemas, place.tokens.length + 1);
    return value === undefined ? [] : [at(name, value, true)];
  });
  return [...here, ...absent];
}

function items(study: Study, place: SchemaPlace, list: readonly Json[]): readonly Child[] {
  const prefix = Math.max(0, ...place.nodes.map((node) => listOf(node, 'prefixItems').length));
  const at = (before: readonly Json[], position: number, value: Json, isNew: boolean): Child => {
    const said = itemSchemas(study, place.nodes, position);
    const put = (other: Json): Json =>
      place.rooted(isNew ? [...before, other] : before.toSpliced(position, 1, other));
    return [
      {
        tokens: [...place.tokens, position],
        value,
        nodes: inForce(study, said, value),
        said,
        body: isNew ? put(value) : place.body,
        rooted: put,
        ...branchOf(place),
      },
      isNew,
    ];
  };
  const known = [...list.keys()].filter((position) => position <= prefix || position === list.length - 1);
  const chosen = affordable(known);
  const here = chosen.map((position) => at(list, position, list[position] ?? null, false));
  const added: Child[] = [];
  let longer = list;
  // What `contains` asks for may be the one item: another one is bound by the other keywords alone.
  const isHeld = place.nodes.some(({ schema }) => isObject(schema) && 'contains' in schema);
  for (
    let position = list.length;
    position <= (isHeld ? Math.max(prefix, list.length) : prefix);
    position++
  ) {
    const value = leastOf(study, itemSchemas(study, place.nodes, position), place.tokens.length + 1);
    if (value === undefined) break;
    added.push(at(longer, position, value, true));
    longer = [...longer, value];
  }
  return [...here, ...added];
}

const PRESENT: Json = ['boolean', 'number', 'string', 'array', 'object'];

/** The smallest value, other than null where the schemas have others: null breaks nothing but the type. */
function leastOf({ builder }: Study, schemas: readonly SchemaNode[], depth: number): Json | undefined {
  const [first] = schemas;
  const smallest = first === undefined ? undefined : builder.source(schemas, depth)?.smallest;
  if (first === undefined || smallest !== null) return smallest;
  const present = builder.index.standIn(first, 'present', { type: PRESENT });
  return builder.source([...schemas, present], depth)?.smallest ?? null;
}

/** Names that the schemas describe and the object does not have; one for each that describes names by other means. */
function namesFor(study: Study, nodes: readonly SchemaNode[], present: readonly string[]): readonly string[] {
  const names = nodes.flatMap((node) => {
    const patterns = Object.keys(mapOf(node, 'patternProperties'));
    const open =
      isObject(node.schema) &&
      (isObject(node.schema['additionalProperties']) || isObject(node.schema['unevaluatedProperties']));
    const matched = patterns
      .filter((pattern) => !present.some((name) => matcherOf(pattern)(name)))
      .map((pattern) => sampleOfPattern(pattern));
    return [
      ...Object.keys(mapOf(node, 'properties')),
      ...matched,
      ...(open ? [unnamedOf(study, nodes, present)] : []),
    ];
  });
  const taken = new Set(present);
  return [...new Set(names)].filter((name) => name !== undefined).filter((name) => !taken.has(name));
}

/** A name that no schema describes, if property names allow one. */
export function unnamedOf(
  study: Study,
  nodes: readonly SchemaNode[],
  taken: readonly string[],
): string | undefined {
  const rules = nodes.flatMap((node) => study.builder.index.child(node, 'propertyNames') ?? []);
  const source = rules.length === 0 ? undefined : study.builder.source(rules, 1);
  const made = typeof source?.smallest === 'string' ? [source.smallest, `${source.smallest}x`] : [];
  const free = (name: string): boolean =>
    !taken.includes(name) &&
    nodes.every((node) => !isDescribed(node, name)) &&
    rules.every((rule) => study.builder.evaluator.holds(rule, name));
  return [...UNNAMED, ...made].find(free);
}

function isDescribed(node: SchemaNode, name: string): boolean {
  const patterns = Object.keys(mapOf(node, 'patternProperties'));
  return (
    Object.hasOwn(mapOf(node, 'properties'), name) || patterns.some((pattern) => matcherOf(pattern)(name))
  );
}

/** The schemas that bind a member, as the object's schemas say. */
export function memberSchemas(
  { builder }: Study,
  nodes: readonly SchemaNode[],
  name: string,
): readonly SchemaNode[] {
  const covered = nodes.map((node) => {
    const named = Object.hasOwn(mapOf(node, 'properties'), name)
      ? [builder.index.child(node, 'properties', name)]
      : [];
    const patterns = Object.keys(mapOf(node, 'patternProperties')).filter((pattern) =>
      matcherOf(pattern)(name),
    );
    const own = [
      ...named,
      ...patterns.map((pattern) => builder.index.child(node, 'patternProperties', pattern)),
    ];
    return (own.length > 0 ? own : [builder.index.child(node, 'additionalProperties')]).filter(
      (child) => child !== undefined,
    );
  });
  const found = covered.flat();
  return found.length > 0
    ? found
    : nodes.flatMap((node) => builder.index.child(node, 'unevaluatedProperties') ?? []);
}

/** The schemas that bind a position of an array. */
export function itemSchemas(
  { builder }: Study,
  nodes: readonly SchemaNode[],
  position: number,
): readonly SchemaNode[] {
  const found = nodes.flatMap((node) => {
    const prefixed = position < listOf(node, 'prefixItems').length;
    return (
      (prefixed ? builder.index.child(node, 'prefixItems', position) : builder.index.child(node, 'items')) ??
      []
    );
  });
  return found.length > 0
    ? found
    : nodes.flatMap((node) => builder.index.child(node, 'unevaluatedItems') ?? []);
}

/** The schemas that assert something of a value that satisfies them, from some that do. */
export function inForce(study: Study, nodes: readonly SchemaNode[], value: Json): readonly SchemaNode[] {
  const { index, evaluator } = study.builder;
  const found = new Map<string, SchemaNode>();
  const add = (node: SchemaNode | undefined): void => {
    if (node === undefined || found.has(node.key)) return;
    found.set(node.key, node);
    if (!isObject(node.schema)) return;
    const holds = (branch: SchemaNode | undefined): boolean =>
      branch !== undefined && evaluator.holds(branch, value);
    add(index.target(node, '$ref'));
    add(index.target(node, '$dynamicRef'));
    for (const position of listOf(node, 'allOf').keys()) add(index.child(node, 'allOf', position));
    for (const keyword of ['anyOf', 'oneOf']) {
      for (const position of listOf(node, keyword).keys()) {
        const branch = index.child(node, keyword, position);
        if (holds(branch)) add(branch);
      }
    }
    const condition = index.child(node, 'if');
    if (condition !== undefined) add(index.child(node, holds(condition) ? 'then' : 'else'));
    if (!isObject(value)) return;
    for (const name of Object.keys(mapOf(node, 'dependentSchemas'))) {
      if (Object.hasOwn(value, name)) add(index.child(node, 'dependentSchemas', name));
    }
  };
  for (const node of nodes) add(node);
  return [...found.values()];
}

export function listOf(node: SchemaNode, keyword: string): readonly Json[] {
  const value = isObject(node.schema) ? node.schema[keyword] : undefined;
  return isArray(value) ? value : [];
}

export function mapOf(node: SchemaNode, keyword: string): JsonObject {
  const value = isObject(node.schema) ? node.schema[keyword] : undefined;
  return isObject(value) ? value : {};
}

export function withMember(object: JsonObject, name: string, value: Json): JsonObject {
  const entries = Object.entries(object);
  if (!Object.hasOwn(object, name)) return objectOf([...entries, [name, value]]);
  return objectOf(entries.map(([other, old]) => [other, other === name ? value : old]));
}

export function withoutMember(object: JsonObject, name: string): JsonObject {
  return objectOf(Object.entries(object).filter(([other]) => other !== name));
}
