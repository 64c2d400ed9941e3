import fc from 'fast-check';
import { isObject, type Json, type JsonObject } from './json.ts';
import { matcherOf } from './matching.ts';
import { patternStrings } from './pattern-strings.ts';
import type { SchemaNode } from './references.ts';
import type { ObjectFacet, ValueShape } from './shape.ts';
import { type Builder, type Source, size, typicalOf } from './source.ts';

/** Members beyond those that must be there, of the kind that the schema does not name. */
const MOST_UNNAMED = 4;
/** An object that needs more members than this is not made. */
const MOST_MEMBERS = 1_000;
/** Optional members cost no more than this together, on average. */
const AFFORDABLE = 60;
const NAMES = ['alpha', 'beta', 'key-1', 'snake_case', 'camelCase', 'Ünïcödé', 'with space', 'a/b~c', 'x'];

type Member = { readonly name: string; readonly source: Source };

/** Objects (JSON Schema core, 10.3.2). Members that nothing describes are added only where there must be more. */
export function objectsOf(builder: Builder, shape: ValueShape['objects'], depth: number): Source | undefined {
  const describe = (name: string): Member | undefined => {
    const nodes = memberNodes(shape.facets, name);
    if (!shape.names.every((node) => builder.evaluator.holds(node, name))) return undefined;
    const source = builder.source(nodes, depth + 1);
    return source === undefined ? undefined : { name, source };
  };
  const needs = new Map(shape.dependents);
  const required = closed(shape.required, shape.dependents);
  const base = [...required].map(describe);
  const present = base.filter((member) => member !== undefined);
  if (present.length < base.length || required.size > shape.max) return undefined;

  const deep = depth >= builder.maxDepth;
  const short = Math.max(0, shape.min - required.size);
  if (short > MOST_MEMBERS) return undefined;
  const declared = new Set([...shape.facets.flatMap((facet) => [...facet.named.keys()]), ...needs.keys()]);
  const named =
    deep && short === 0
      ? []
      : [...declared].filter((name) => !required.has(name)).flatMap((name) => describe(name) ?? []);
  const usable = named.filter(({ name }) =>
    [...closed([name], shape.dependents)].every(
      (need) => required.has(need) || named.some((member) => member.name === need),
    ),
  );
  const room = shape.max - required.size;
  const missing = Math.max(0, short - usable.length);
  const wantsMore = !deep && room > 0 && shape.facets.some((facet) => describesOthers(facet));
  const unnamed =
    missing > 0 || wantsMore
      ? others(
          builder,
          shape,
          new Set([...required, ...declared]),
          { most: Math.max(missing, MOST_UNNAMED), any: missing > 0 },
          depth,
          describe,
        )
      : [];
  const optional = [...usable, ...unnamed];
  if (optional.length < short) return undefined;

  const least = [...optional].sort((one, other) => size(one.source.smallest) - size(other.source.smallest));
  const chosen = completed(present, least.slice(0, short), optional, shape.dependents);
  const smallest = objectOf(chosen.map(({ name, source }) => [name, source.smallest]));
  // An object with nothing in it says nothing, and is often refused.
  const said =
    chosen.length > 0 || shape.max === 0
      ? chosen
      : completed([], optional.slice(0, 1), optional, shape.dependents);
  const typical = objectOf(said.map(({ name, source }) => [name, typicalOf(source)]));
  const loose =
    chosen.length > shape.max ||
    shape.facets.some((facet) => facet.patterned.length > 0) ||
    shape.dependents.length > 0;
  const cheap = optional.filter(({ source }) => source.cost * optional.length <= AFFORDABLE);
  // Where there must be some, such as in a PATCH, the large ones would never be there.
  const isWhole = short === 0 || (!deep && cheap.length >= short && cheap.length < optional.length);
  const free = isWhole && room >= optional.length && shape.dependents.length === 0;
  const drawn = cheap.length < short ? optional : cheap;
  const arbitrary = free
    ? records(present, deep ? [] : optional).map((value) => atLeast(shape.min, smallest, value))
    : counted(
        present,
        drawn,
        { from: short, to: deep ? short : Math.min(room, drawn.length) },
        shape.dependents,
      );
  const extra = free ? Math.min(AFFORDABLE, costOf(optional)) : costOf(drawn);
  return {
    arbitrary,
    smallest,
    typical,
    loose,
    cost: 1 + costOf(present) + (deep && short === 0 ? 0 : extra),
  };
}

function costOf(members: readonly Member[]): number {
  return members.reduce((sum, { source }) => sum + source.cost, 0);
}

function memberNodes(facets: readonly ObjectFacet[], name: string): readonly SchemaNode[] {
  return facets.flatMap(({ named, patterned, rest }) => {
    const matching = patterned.filter(([pattern]) => matcherOf(pattern)(name));
    if (!named.has(name) && matching.length === 0) return rest ?? [];
    return [named.get(name), ...matching.map(([, node]) => node)].filter((node) => node !== undefined);
  });
}

/** Whether a facet says something of members that it does not name: of any, or of this one. */
function describesOthers({ patterned, rest }: ObjectFacet, name?: string): boolean {
  const described = rest !== undefined && isObject(rest.schema) && Object.keys(rest.schema).length > 0;
  return (
    described ||
    patterned.some(
      ([pattern, node]) =>
        node !== undefined && node.schema !== false && (name === undefined || matcherOf(pattern)(name)),
    )
  );
}

/** Members with names that the schema does not list; those of which it says nothing only where there must be more. */
function others(
  builder: Builder,
  shape: ValueShape['objects'],
  taken: ReadonlySet<string>,
  count: { readonly most: number; readonly any: boolean },
  depth: number,
  describe: (name: string) => Member | undefined,
): readonly Member[] {
  const patterns = shape.facets.flatMap(({ patterned }) => patterned.map(([pattern]) => pattern));
  const fromPatterns = patterns.flatMap((pattern) => {
    const strings = patternStrings(pattern);
    return strings === undefined
      ? []
      : [strings.smallest, ...fc.sample(strings.arbitrary, { seed: 3, numRuns: 6 + 2 * count.most })];
  });
  const text = shape.names.map((node) =>
    builder.index.standIn(node, 'name', { type: 'string', allOf: [node.schema] }),
  );
  const names = text.length === 0 ? undefined : builder.source(text, depth + 1);
  const fromNames =
    names === undefined
      ? []
      : [
          names.smallest,
          ...(names.all ?? fc.sample(names.arbitrary, { seed: 3, numRuns: 6 + 4 * count.most })),
        ];
  const numbered =
    text.length > 0 ? [] : Array.from({ length: count.most }, (_, position) => `key${position}`);
  const members = new Map<string, Member>();
  for (const name of [...fromPatterns, ...fromNames, ...NAMES, ...numbered]) {
    if (members.size >= count.most) break;
    if (
      typeof name !== 'string' ||
      taken.has(name) ||
      members.has(name) ||
      name === '__proto__' ||
      name === 'constructor'
    )
      continue;
    const member =
      count.any || shape.facets.some((facet) => describesOthers(facet, name)) ? describe(name) : undefined;
    if (member !== undefined) members.set(name, member);
  }
  return [...members.values()];
}

/** The names, and all that they need (validation, section 6.5.4). */
function closed(
  names: Iterable<string>,
  dependents: ValueShape['objects']['dependents'],
): ReadonlySet<string> {
  const all = new Set(names);
  for (const name of all) {
    for (const [dependent, needs] of dependents)
      if (dependent === name) for (const need of needs) all.add(need);
  }
  return all;
}

function completed(
  present: readonly Member[],
  chosen: readonly Member[],
  optional: readonly Member[],
  dependents: ValueShape['objects']['dependents'],
): readonly Member[] {
  const names = closed(
    [...present, ...chosen].map(({ name }) => name),
    dependents,
  );
  return [...present, ...optional.filter(({ name }) => names.has(name))];
}

/** Each optional member is there or not, as it falls: half of them, or fewer where they are large. */
function records(present: readonly Member[], optional: readonly Member[]): fc.Arbitrary<JsonObject> {
  const names = [...present, ...optional].map(({ name }) => name);
  const fixed = present.map(({ source }) => source.arbitrary);
  const share = Math.min(50, Math.max(1, Math.round((100 * AFFORDABLE) / Math.max(1, costOf(optional)))));
  const loose = optional.map(({ source }) =>
    fc.oneof(
      { withCrossShrink: true },
      { weight: 100 - share, arbitrary: fc.constant(undefined) },
      { weight: share, arbitrary: source.arbitrary },
    ),
  );
  return fc.tuple<(Json | undefined)[]>(...fixed, ...loose).map((values) =>
    objectOf(
      names.flatMap((name, position) => {
        const value = values[position];
        return value === undefined ? [] : [[name, value] as const];
      }),
    ),
  );
}

/** An object with as many members as there must be: those of the smallest one where it has too few. */
function atLeast(count: number, smallest: JsonObject, value: JsonObject): JsonObject {
  return Object.keys(value).length < count ? { ...smallest, ...value } : value;
}

/** So many of the optional members, and what they need. */
function counted(
  present: readonly Member[],
  optional: readonly Member[],
  count: { readonly from: number; readonly to: number },
  dependents: ValueShape['objects']['dependents'],
): fc.Arbitrary<Json> {
  const all = [...present, ...optional];
  const values = fc.tuple(...all.map(({ source }) => source.arbitrary));
  const chosen = fc.subarray([...optional], {
    minLength: count.from,
    maxLength: Math.max(count.from, count.to),
  });
  return fc.tuple(chosen, values).map(([some, drawn]) => {
    const members = new Set(completed(present, some, optional, dependents));
    return objectOf(
      all.flatMap((member, position) =>
        members.has(member) ? [[member.name, drawn[position] ?? null] as const] : [],
      ),
    );
  });
}

export function objectOf(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries);
}
