import fc from 'fast-check';
import { canonicalJson, type Json } from './json.ts';
import type { SchemaNode } from './references.ts';
import type { Containment, ValueShape } from './shape.ts';
import { type Builder, type Source, typicalOf } from './source.ts';

/** Items more than there must be, by depth. */
const EXTRA = [5, 4, 3, 2, 1];
/** Items more than there must be cost no more than this together. */
const AFFORDABLE = 40;
const LONGEST = 2_000;

/** Arrays (JSON Schema core, section 10.3.1, and validation, section 6.4); undefined where none can be found. */
export function arraysOf(builder: Builder, shape: ValueShape['arrays'], depth: number): Source | undefined {
  const slots = placed(builder, shape, depth);
  if (slots === undefined) return undefined;
  const limited = shape.contains.filter(({ max }) => max < Infinity);
  const nodesAt = (position: number): readonly SchemaNode[] => {
    const wanted = slots[position] ?? [];
    const spared =
      wanted.length > 0
        ? []
        : limited.map(({ node }) => builder.index.standIn(node, 'spared', { not: node.schema }));
    return [...itemNodes(shape, position), ...wanted, ...spared];
  };
  const fixed = Math.max(slots.length, ...shape.lists.map(({ prefix }) => prefix.length), 0);
  const heads: Source[] = [];
  for (let position = 0; position < Math.min(fixed, shape.max); position++) {
    const source = builder.source(nodesAt(position), depth + 1);
    if (source === undefined) break;
    heads.push(source);
  }
  const least = Math.max(shape.min, slots.length);
  const open = heads.length === fixed && shape.max > fixed;
  const needsTail = least > fixed;
  const tail =
    open && (needsTail || depth < builder.maxDepth) ? builder.source(nodesAt(fixed), depth + 1) : undefined;
  const few = shape.unique && tail?.all !== undefined ? tail.all.length : Infinity;
  const most = Math.min(shape.max, tail === undefined ? heads.length : heads.length + few);
  if (least > most || least > LONGEST) return undefined;
  const extra =
    depth < builder.maxDepth ? Math.min(EXTRA[depth] ?? 1, Math.floor(AFFORDABLE / (tail?.cost ?? 1))) : 0;
  const longest = Math.min(most, Math.max(least + extra, least === 0 && extra > 0 ? heads.length : least));
  const smallest = shortest(heads, tail, least, shape.unique);
  if (smallest === undefined) return undefined;
  const loose = shape.contains.length > 0 || shape.unique;
  const headCost = heads.reduce((sum, head) => sum + head.cost, 0);
  const cost = 1 + headCost + Math.max(0, longest - heads.length) * (tail?.cost ?? 0);
  const typical = usual(heads, tail, least === 0 && longest > 0 ? 1 : least, shape.unique) ?? smallest;
  return { arbitrary: arrays(heads, tail, least, longest, shape.unique), smallest, typical, loose, cost };
}

/** As many typical items; undefined where they would be equal and must not be. */
function usual(
  heads: readonly Source[],
  tail: Source | undefined,
  length: number,
  unique: boolean,
): Json[] | undefined {
  const sources = [...heads, ...Array.from({ length: Math.max(0, length - heads.length) }, () => tail)];
  const items = sources
    .slice(0, length)
    .flatMap((source) => (source === undefined ? [] : [typicalOf(source)]));
  const different = new Set(items.map((item) => canonicalJson(item)));
  return items.length < length || (unique && different.size < length) ? undefined : items;
}

function itemNodes(shape: ValueShape['arrays'], position: number): readonly SchemaNode[] {
  return shape.lists.flatMap(
    ({ prefix, rest }) => (position < prefix.length ? prefix[position] : rest) ?? [],
  );
}

function arrays(
  heads: readonly Source[],
  tail: Source | undefined,
  least: number,
  longest: number,
  unique: boolean,
): fc.Arbitrary<Json> {
  const more =
    tail === undefined
      ? fc.constant<Json[]>([])
      : tails(tail, Math.max(0, least - heads.length), Math.max(0, longest - heads.length), unique);
  if (heads.length === 0) return more;
  const first = fc.tuple(...heads.map(({ arbitrary }) => arbitrary));
  const upTo = Math.min(longest, heads.length);
  const count = fc.integer({ min: Math.min(least, upTo), max: upTo });
  return fc
    .tuple(first, count, more)
    .map(
      ([items, kept, others]): Json => (kept < heads.length ? items.slice(0, kept) : [...items, ...others]),
    );
}

function tails(
  { arbitrary }: Source,
  minLength: number,
  maxLength: number,
  unique: boolean,
): fc.Arbitrary<Json[]> {
  const bounds = { minLength, maxLength, size: 'max' } as const;
  return unique
    ? fc.uniqueArray(arbitrary, { ...bounds, selector: canonicalJson })
    : fc.array(arbitrary, bounds);
}

function shortest(
  heads: readonly Source[],
  tail: Source | undefined,
  length: number,
  unique: boolean,
): Json | undefined {
  const items: Json[] = [];
  const seen = new Set<string>();
  for (let position = 0; position < length; position++) {
    const source = heads[position] ?? tail;
    if (source === undefined) return undefined;
    const candidate = unique ? fresh(source, seen) : source.smallest;
    if (candidate === undefined) return undefined;
    seen.add(canonicalJson(candidate));
    items.push(candidate);
  }
  return items;
}

export function fresh(source: Source, seen: ReadonlySet<string>): Json | undefined {
  if (!seen.has(canonicalJson(source.smallest))) return source.smallest;
  const count = source.all?.length ?? 60 + 4 * seen.size;
  let best: Drawn | undefined;
  for (const one of drawnFrom(source, count).slice(0, count))
    if (!seen.has(one.text) && (best === undefined || one.text.length < best.text.length)) best = one;
  return best?.value;
}

type Drawn = { readonly value: Json; readonly text: string };

/** Each item of a list asks for a few values more than the one before: the first ones are the same. */
const drawn = new WeakMap<Source, readonly Drawn[]>();

function drawnFrom(source: Source, count: number): readonly Drawn[] {
  const before = drawn.get(source) ?? [];
  if (before.length >= count) return before;
  const values = source.all ?? fc.sample(source.arbitrary, { seed: 7, numRuns: 2 * count });
  const found = values.map((value) => ({ value, text: canonicalJson(value) }));
  drawn.set(source, found);
  return found;
}

/** Which positions satisfy which `contains`: apart where there is room, else one item for several. */
function placed(
  builder: Builder,
  shape: ValueShape['arrays'],
  depth: number,
): readonly (readonly SchemaNode[])[] | undefined {
  const wanted = shape.contains.filter(({ min }) => min > 0);
  const apart = slotsFor(builder, shape, wanted, depth, false);
  return apart ?? slotsFor(builder, shape, wanted, depth, true);
}

function slotsFor(
  builder: Builder,
  shape: ValueShape['arrays'],
  wanted: readonly Containment[],
  depth: number,
  shared: boolean,
): readonly (readonly SchemaNode[])[] | undefined {
  const slots: SchemaNode[][] = [];
  for (const { node, min } of wanted) {
    let missing = min;
    for (let position = 0; missing > 0; position++) {
      if (position >= shape.max || position > LONGEST || position > slots.length + 50) return undefined;
      const taken = slots[position] ?? [];
      if (taken.length > 0 && !shared) continue;
      if (builder.source([...itemNodes(shape, position), ...taken, node], depth + 1) === undefined) continue;
      while (slots.length <= position) slots.push([]);
      slots[position]?.push(node);
      missing--;
    }
  }
  return slots;
}
