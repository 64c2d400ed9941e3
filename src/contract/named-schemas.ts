import { parse } from 'node:path';
import type { SourceDocument } from '../document/document.ts';
import { InputError } from '../model/input-error.ts';
import { isArray, isObject, type JsonPointer, pointerOf, pointerTokens } from '../model/json.ts';
import { remembered } from '../model/remembered.ts';
import type { Library, Place } from './library.ts';
import { child, idOf, items, members, placeOf, resolve } from './place.ts';

/** Where a document keeps schemas by their names. A file of schemas alone may also keep them at its top. */
const keepers: readonly JsonPointer[] = [
  pointerOf(['components', 'schemas']),
  pointerOf(['$defs']),
  pointerOf(['definitions']),
];

/** Whether a schema has a name, under which others find it. */
export function isNamed({ document, pointer }: Place): boolean {
  if (pointer === '') return isOneSchema(document);
  const cut = pointer.lastIndexOf('/');
  return keepersOf(document).includes(pointer.slice(0, cut));
}

function keepersOf(document: SourceDocument): readonly JsonPointer[] {
  if (isOpenApi(document)) return keepers.slice(0, 1);
  return isOneSchema(document) ? keepers.slice(1) : ['', ...keepers];
}

function isOpenApi({ value }: SourceDocument): boolean {
  return isObject(value) && value['openapi'] !== undefined;
}

/** A file that is a schema itself, and not several by their names. */
function isOneSchema({ value }: SourceDocument): boolean {
  if (!isObject(value) || value['openapi'] !== undefined) return false;
  const { $ref, type, properties } = value;
  if (typeof $ref === 'string' || typeof type === 'string' || isArray(type ?? null)) return true;
  return (
    isObject(properties ?? null) || ['allOf', 'anyOf', 'oneOf'].some((one) => isArray(value[one] ?? null))
  );
}

type Named = {
  /** The names of each schema, that of the contract itself first. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** What has a schema in its `allOf`. */
  readonly heirs: ReadonlyMap<string, readonly Place[]>;
};

/** The named schemas of all files: a reference leads to them from anywhere. */
const namedIn = remembered((library: Library): Named => {
  const names = new Map<string, string[]>();
  const places = new Map<string, Place>();
  const add = (place: Place, name: string): void => {
    const at = endOf(place, library);
    places.set(idOf(at), at);
    names.set(idOf(at), [...(names.get(idOf(at)) ?? []), name]);
  };
  for (const document of library.values()) {
    if (isOneSchema(document)) add(placeOf(document), parse(document.file).name);
    for (const keeper of keepersOf(document))
      for (const [name, place] of members(placeOf(document, keeper))) add(place, name);
  }
  const heirs = new Map<string, Place[]>();
  for (const place of places.values())
    for (const base of partsOf(place, library))
      heirs.set(idOf(base), [...(heirs.get(idOf(base)) ?? []), place]);
  return { names, heirs };
});

/** The names under which a schema is found, the one that a discriminator means first. */
export function namesOf(at: Place, library: Library): readonly string[] {
  const own = pointerTokens(at.pointer).at(-1) ?? parse(at.document.file).name;
  return namedIn(library).names.get(idOf(at)) ?? [own];
}

/** All that has a schema in its `allOf`, or has one that has, near ones first. */
export function heirsOf(base: Place, library: Library): readonly Place[] {
  const { heirs } = namedIn(library);
  return spread(base, (each) => heirs.get(idOf(each)) ?? []);
}

/** The named schemas that a schema has in its `allOf`, near ones first. */
export function basesOf(heir: Place, library: Library): readonly Place[] {
  return spread(heir, (each) => partsOf(each, library).filter(isNamed));
}

function spread(from: Place, next: (of: Place) => readonly Place[]): readonly Place[] {
  const found = new Map([[idOf(from), from]]);
  for (const each of found.values())
    for (const one of next(each)) if (!found.has(idOf(one))) found.set(idOf(one), one);
  return [...found.values()].slice(1);
}

function partsOf(at: Place, library: Library): readonly Place[] {
  return items(child(at, 'allOf')).flatMap((part) => referredFrom(part, library) ?? []);
}

/** What a schema that refers to another one leads to in the end; undefined where it leads nowhere, or refers to none. */
export function referredFrom(at: Place, library: Library): Place | undefined {
  const ref = child(at, '$ref');
  const found = typeof ref.value === 'string' ? namedBy(ref, ref.value, library) : undefined;
  return found === undefined ? undefined : endOf(found, library);
}

/** Where a reference leads, through all that only refer; undefined where it leads nowhere, which reading the schema reports. */
export function namedBy(holder: Place, ref: string, library: Library): Place | undefined {
  try {
    return endOf(resolve(holder, ref, library), library);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function endOf(place: Place, library: Library): Place {
  let at = place;
  for (const seen = new Set<string>(); !seen.has(idOf(at)); ) {
    seen.add(idOf(at));
    if (!isObject(at.value) || Object.keys(at.value).length !== 1) return at;
    const ref = child(at, '$ref');
    if (typeof ref.value !== 'string') return at;
    try {
      at = resolve(ref, ref.value, library);
    } catch (error) {
      if (error instanceof InputError) return at;
      throw error;
    }
  }
  return at;
}
