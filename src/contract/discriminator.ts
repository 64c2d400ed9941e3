import { isArray, isObject, type Json, type JsonObject, type JsonSchema, pointerOf } from '../model/json.ts';
import { schemasAt } from '../model/schema-places.ts';
import type { Library, Place } from './library.ts';
import { basesOf, heirsOf, isNamed, namedBy, namesOf, referredFrom } from './named-schemas.ts';
import { child, idOf, isReference } from './place.ts';

/**
 * The branches that a discriminator chooses among, each with the values that choose it: the schema of the member itself
 * often takes any text. A branch that leaves the member out, or takes none of the values, is as it was; undefined where all are.
 */
export function chosenBranches(
  at: Place,
  keyword: string,
  branches: readonly JsonSchema[],
  $defs: JsonObject,
  library: Library,
): readonly JsonSchema[] | undefined {
  const chooser = keyword === 'allOf' ? undefined : chooserAt(at, library);
  if (chooser === undefined) return undefined;
  const { member } = chooser;
  const chosen = branches.map((branch, index) => {
    const given = referredFrom(child(at, keyword, index), library);
    if (given === undefined || !isObject(branch)) return branch;
    const known = schemasAt({ ...branch, $defs }, pointerOf([member]));
    const values = valuesFor(given, chooser, known, library);
    return known.length === 0 || values.length === 0
      ? branch
      : { allOf: [branch, { properties: { [member]: { enum: values } } }] };
  });
  return chosen.some((branch, index) => branch !== branches[index]) ? chosen : undefined;
}

/** What a discriminator says: its member, and for each value the schema that it maps to. */
type Chooser = { readonly member: string; readonly mapping: readonly Mapped[] };

/** `to` is the place that the value leads to; a mere name has none, nor has a reference that leads nowhere. */
type Mapped = { readonly value: string; readonly to: Place | undefined; readonly name: string };

function chooserAt(at: Place, library: Library): Chooser | undefined {
  const discriminator = child(at, 'discriminator').value ?? null;
  const member = isObject(discriminator) ? discriminator['propertyName'] : undefined;
  if (!isObject(discriminator) || typeof member !== 'string') return undefined;
  const { mapping = null } = discriminator;
  return {
    member,
    mapping: Object.entries(isObject(mapping) ? mapping : {}).flatMap(([value, to]) => {
      if (typeof to !== 'string') return [];
      const holder = child(at, 'discriminator', 'mapping', value);
      const last = to.slice(Math.max(to.lastIndexOf('/'), to.lastIndexOf('#')) + 1);
      const name = last.replace(/\.(json|ya?ml)$/i, '');
      return [{ value, to: isReference(to) ? namedBy(holder, to, library) : undefined, name }];
    }),
  };
}

function isTo(at: Place, { to, name }: Mapped, library: Library): boolean {
  return to === undefined ? namesOf(at, library).includes(name) : idOf(to) === idOf(at);
}

/** What chooses a schema, as far as the member may have it. */
function valuesFor(
  at: Place,
  { mapping }: Chooser,
  known: readonly JsonObject[],
  library: Library,
): readonly string[] {
  const mapped = mapping.flatMap((each) => (isTo(at, each, library) ? [each.value] : []));
  const values = mapped.length > 0 ? mapped : namesOf(at, library).slice(0, 1);
  return values.filter((value) => known.every((one) => mayBe(one, value)));
}

/** A schema that a discriminator chooses, and what the member must be for it. */
type Kind = { readonly place: Place; readonly choice: JsonObject };

/**
 * The kinds of a schema with a discriminator and no branches: those that have it in their `allOf`, or have one that has.
 * `own` is the schema as it was read.
 */
export function kindsOf(at: Place, own: JsonObject, library: Library): readonly Kind[] {
  const chooser = isNamed(at) ? chooserAt(at, library) : undefined;
  if (chooser === undefined || own['oneOf'] !== undefined || own['anyOf'] !== undefined) return [];
  const known = schemasAt(own, pointerOf([chooser.member]));
  return heirsOf(at, library).flatMap((place) => {
    const values = valuesFor(place, chooser, known, library);
    return values.length === 0
      ? []
      : [{ place, choice: { properties: { [chooser.member]: { enum: values } } } }];
  });
}

/**
 * What the members that choose among heirs must be in a heir itself, which a body may name without its base. `own` is the
 * schema as it was read. A base that maps the heir says more than one that leaves it to the name, and a near one more than a far one.
 */
export function choiceOf(at: Place, own: JsonObject, library: Library): JsonObject | undefined {
  if (!isNamed(at)) return undefined;
  const chosen = new Map<string, { readonly values: readonly string[]; readonly isMapped: boolean }>();
  for (const base of basesOf(at, library)) {
    const chooser = chooserAt(base, library);
    if (chooser === undefined) continue;
    const { member } = chooser;
    const known = schemasAt(own, pointerOf([member]));
    const isMapped = chooser.mapping.some((each) => isTo(at, each, library));
    const values = valuesFor(at, chooser, known, library);
    const earlier = chosen.get(member);
    if (known.length > 0 && values.length > 0 && (earlier === undefined || (isMapped && !earlier.isMapped)))
      chosen.set(member, { values, isMapped });
  }
  if (chosen.size === 0) return undefined;
  return {
    properties: Object.fromEntries([...chosen].map(([member, { values }]) => [member, { enum: values }])),
  };
}

function mayBe({ const: only, enum: all, type }: JsonObject, name: string): boolean {
  const isText: Json = type === undefined || [type].flat().includes('string');
  return isText && (only === undefined || only === name) && (!isArray(all) || all.includes(name));
}
