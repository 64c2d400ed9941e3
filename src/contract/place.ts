import { problemAt, type SourceDocument } from '../document/document.ts';
import { suggestion } from '../document/nearest.ts';
import { InputError } from '../model/input-error.ts';
import type { Json, JsonPointer } from '../model/json.ts';
import { isArray, isObject, pointerOf, pointerTokens, valueAt } from '../model/json.ts';
import { percentDecoded } from '../model/text.ts';
import { fileOfRef, identified } from './identifiers.ts';
import type { Library, Place } from './library.ts';

export function placeOf(document: SourceDocument, pointer: JsonPointer = ''): Place {
  return { document, pointer, value: valueAt(document.value, pointer) };
}

export function child(place: Place, ...tokens: readonly (string | number)[]): Place {
  const pointer = pointerOf(tokens);
  return {
    document: place.document,
    pointer: place.pointer + pointer,
    value: valueAt(place.value, pointer),
  };
}

export function members(place: Place): readonly (readonly [name: string, place: Place])[] {
  if (!isObject(place.value)) return [];
  return Object.keys(place.value).map((name) => [name, child(place, name)]);
}

export function items(place: Place): readonly Place[] {
  return isArray(place.value) ? place.value.map((_, index) => child(place, index)) : [];
}

export function textAt(place: Place, ...tokens: readonly string[]): string | undefined {
  const { value } = child(place, ...tokens);
  return typeof value === 'string' ? value : undefined;
}

export function errorAt(
  place: Place,
  problem: string,
  remedy: string,
  of: 'key' | 'value' = 'value',
): InputError {
  return new InputError(problemAt(place.document, place.pointer, problem, remedy, of));
}

/** An operation that is described well and that the harness has no way to test: it is left out. */
export class Untestable extends InputError {}

export function untestableAt(
  place: Place,
  problem: string,
  remedy: string,
  of: 'key' | 'value' = 'value',
): Untestable {
  return new Untestable(problemAt(place.document, place.pointer, problem, remedy, of));
}

/** Whether a `$ref` leaves for another host or scheme, which the harness never follows. */
export function isRemote(ref: string): boolean {
  return /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(ref);
}

/** The place that a reference leads to, through as many references as there are. */
export function follow(place: Place, library: Library): Place {
  let at = place;
  const seen = new Set<string>();
  for (;;) {
    const ref = refOf(at.value);
    if (ref === undefined) return at;
    const here = idOf(at);
    if (seen.has(here))
      throw errorAt(place, 'this $ref leads back to itself', 'let it refer to a definition');
    seen.add(here);
    at = resolve(child(at, '$ref'), ref, library);
  }
}

function refOf(value: Json | undefined): string | undefined {
  if (!isObject(value) || !Object.hasOwn(value, '$ref')) return undefined;
  return typeof value['$ref'] === 'string' ? value['$ref'] : undefined;
}

/** The place that one `$ref` names; `holder` is where it is written. */
export function resolve(holder: Place, ref: string, library: Library): Place {
  const named = identified(holder, ref, library);
  if (named !== undefined) return named;
  if (isRemote(ref)) {
    throw errorAt(
      holder,
      `the $ref '${ref}' is remote`,
      'copy what it names into this document, or into a file next to it',
    );
  }
  const file = fileOfRef(holder.document.file, ref);
  const document = file === undefined ? holder.document : library.get(file);
  if (document === undefined) {
    throw errorAt(
      holder,
      `the file of the $ref '${ref}' cannot be read`,
      `check that '${file}' is a file in the folder of the contract, or name their folder with 'contractRoot'`,
    );
  }
  const fragment = percentDecoded(ref.includes('#') ? ref.slice(ref.indexOf('#') + 1) : '');
  if (fragment === undefined || !/^(\/([^~/]|~[01])*)*$/.test(fragment)) {
    throw errorAt(
      holder,
      `the $ref '${ref}' is not a JSON Pointer`,
      "write it as '#/components/schemas/Name'",
    );
  }
  const found = placeOf(document, fragment);
  if (found.value !== undefined) return found;
  const near = file === undefined ? nearDefinition(holder, fragment) : undefined;
  if (near !== undefined) return near;
  throw errorAt(holder, `the $ref '${ref}' leads nowhere`, whereItEnds(document, fragment));
}

/** `#/$defs/Name` of a schema that was copied into the document with its definitions: they are in it, not at the root. */
function nearDefinition({ document, pointer }: Place, fragment: JsonPointer): Place | undefined {
  if (!/^\/(?:\$defs|definitions)\//.test(fragment)) return undefined;
  const tokens = pointerTokens(pointer);
  for (let length = tokens.length - 1; length > 0; length -= 1) {
    const near = placeOf(document, pointerOf(tokens.slice(0, length)) + fragment);
    if (near.value !== undefined) return near;
  }
  return undefined;
}

function whereItEnds(document: SourceDocument, fragment: JsonPointer): string {
  const tokens = pointerTokens(fragment);
  for (let length = 0; length < tokens.length; length += 1) {
    const parent = valueAt(document.value, pointerOf(tokens.slice(0, length)));
    const token = tokens[length] ?? '';
    if (!isObject(parent)) break;
    if (!Object.hasOwn(parent, token)) return suggestion(token, Object.keys(parent));
  }
  return 'correct the reference';
}

/** All that a value refers to: by `$ref`, and in what discriminators map values to. */
export function refsWithin(value: Json): readonly string[] {
  if (isArray(value)) return value.flatMap(refsWithin);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (name === '$ref' && typeof member === 'string') return [member];
    const mapping = name === 'discriminator' && isObject(member) ? (member['mapping'] ?? null) : null;
    const mapped = isObject(mapping) ? Object.values(mapping) : [];
    const refs = mapped.filter((to): to is string => typeof to === 'string' && isReference(to));
    return [...refs, ...refsWithin(member)];
  });
}

/** Whether what a discriminator maps to is a reference, and not the mere name of a schema. */
export function isReference(to: string): boolean {
  return /[#/]|\.(json|ya?ml)$/i.test(to);
}

/** A name for a place among those of all files. */
export function idOf({ document, pointer }: Place): string {
  return `${document.file}#${pointer}`;
}
