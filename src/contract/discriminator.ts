import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  type JsonSchema,
  pointerOf,
} from '../model/json.ts';
import { schemasAt } from '../model/schema-places.ts';
import type { Place } from './library.ts';
import { child, items, members, placeOf } from './place.ts';

/**
 * The branches that a discriminator chooses among, each with the values that choose it: the schema of the member itself
 * often takes any text. A branch that leaves the member out, or takes none of the values, is as it was; undefined where all are.
 */
export function chosenBranches(
  { discriminator = null, ...schema }: JsonObject,
  keyword: string,
  branches: readonly JsonSchema[],
  $defs: JsonObject,
): readonly JsonSchema[] | undefined {
  const of = schema[keyword] ?? null;
  const member = isObject(discriminator) ? discriminator['propertyName'] : undefined;
  if (keyword === 'allOf' || typeof member !== 'string' || !isObject(discriminator) || !isArray(of))
    return undefined;
  const mapping = Object.entries(isObject(discriminator['mapping']) ? discriminator['mapping'] : {});
  const chosen = branches.map((branch, index) => {
    const given = of[index] ?? null;
    const ref = isObject(given) ? given['$ref'] : undefined;
    if (typeof ref !== 'string' || !isObject(branch)) return branch;
    const known = schemasAt({ ...branch, $defs }, pointerOf([member]));
    const values = valuesFor(ref, mapping, known);
    return known.length === 0 || values.length === 0
      ? branch
      : { allOf: [branch, { properties: { [member]: { enum: values } } }] };
  });
  return chosen.some((branch, index) => branch !== branches[index]) ? chosen : undefined;
}

/** What chooses the schema that a reference leads to, as far as the member may have it. */
function valuesFor(
  ref: string,
  mapping: readonly (readonly [string, Json])[],
  known: readonly JsonObject[],
): readonly string[] {
  const mapped = mapping.flatMap(([value, to]) => (isOf(ref, to) ? [value] : []));
  const names = mapped.length > 0 ? mapped : [ref.slice(ref.lastIndexOf('/') + 1)];
  return names.filter((name) => known.every((one) => mayBe(one, name)));
}

function isOf(ref: string, to: Json): boolean {
  return to === ref || ref.endsWith(`/${String(to)}`);
}

const schemas = pointerOf(['components', 'schemas']);

/** Whether a schema has a name, under which others find it. */
export function isNamed({ pointer }: Place): boolean {
  return pointer.startsWith(`${schemas}/`) && pointer.split('/').length === 4;
}

/** A schema that a discriminator chooses, and what the member must be for it. */
type Kind = { readonly ref: string; readonly choice: JsonObject };

/**
 * The kinds of a schema with a discriminator and no branches: those that have it in their `allOf`, or have one that has.
 * `own` is the schema as it was read.
 */
export function kindsOf(at: Place, own: JsonObject): readonly Kind[] {
  const discriminator = child(at, 'discriminator').value ?? null;
  const member = isObject(discriminator) ? discriminator['propertyName'] : undefined;
  if (!isNamed(at) || !isObject(discriminator) || typeof member !== 'string') return [];
  if (own['oneOf'] !== undefined || own['anyOf'] !== undefined) return [];
  const mapping = Object.entries(isObject(discriminator['mapping']) ? discriminator['mapping'] : {});
  const known = schemasAt(own, pointerOf([member]));
  return heirsOf(at.pointer, members(placeOf(at.document, schemas))).flatMap((pointer) => {
    const values = valuesFor(`#${pointer}`, mapping, known);
    return values.length === 0
      ? []
      : [{ ref: `#${pointer}`, choice: { properties: { [member]: { enum: values } } } }];
  });
}

/**
 * What the members that choose among heirs must be in a heir itself, which a body may name without its base. `own` is the
 * schema as it was read. A base that maps the heir says more than one that leaves it to the name, and a near one more than a far one.
 */
export function choiceOf(at: Place, own: JsonObject): JsonObject | undefined {
  if (!isNamed(at)) return undefined;
  const chosen = new Map<string, { readonly values: readonly string[]; readonly isMapped: boolean }>();
  for (const base of basesOf(at)) {
    const discriminator = child(base, 'discriminator').value ?? null;
    const member = isObject(discriminator) ? discriminator['propertyName'] : undefined;
    if (!isObject(discriminator) || typeof member !== 'string') continue;
    const mapping = Object.entries(isObject(discriminator['mapping']) ? discriminator['mapping'] : {});
    const known = schemasAt(own, pointerOf([member]));
    const isMapped = mapping.some(([, to]) => isOf(`#${at.pointer}`, to));
    const values = valuesFor(`#${at.pointer}`, mapping, known);
    const earlier = chosen.get(member);
    if (known.length > 0 && values.length > 0 && (earlier === undefined || (isMapped && !earlier.isMapped)))
      chosen.set(member, { values, isMapped });
  }
  if (chosen.size === 0) return undefined;
  return {
    properties: Object.fromEntries([...chosen].map(([member, { values }]) => [member, { enum: values }])),
  };
}

/** The named schemas that a schema has in its `allOf`, near ones first. */
function basesOf(at: Place): readonly Place[] {
  const all = new Map(
    members(placeOf(at.document, schemas)).map(([, place]) => [`#${place.pointer}`, place]),
  );
  const found = new Set([at]);
  for (const each of found)
    for (const part of items(child(each, 'allOf'))) {
      const base = all.get(String(child(part, '$ref').value));
      if (base !== undefined && base.pointer !== at.pointer) found.add(base);
    }
  return [...found].slice(1);
}

function heirsOf(
  of: JsonPointer,
  all: readonly (readonly [name: string, place: Place])[],
): readonly JsonPointer[] {
  const found = new Set([of]);
  for (const each of found)
    for (const [, place] of all)
      if (items(child(place, 'allOf')).some((part) => child(part, '$ref').value === `#${each}`))
        found.add(place.pointer);
  return [...found].slice(1);
}

function mayBe({ const: only, enum: all, type }: JsonObject, name: string): boolean {
  const isText: Json = type === undefined || [type].flat().includes('string');
  return isText && (only === undefined || only === name) && (!isArray(all) || all.includes(name));
}
