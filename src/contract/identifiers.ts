import { dirname, join } from 'node:path';
import { isArray, isObject, type Json, type JsonPointer, pointerOf, valueAt } from '../model/json.ts';
import { remembered } from '../model/remembered.ts';
import { percentDecoded } from '../model/text.ts';
import type { Library, Place } from './library.ts';

/** Schemas by their own names: `$id` makes a resource, `$anchor` names a place in one. */
type Identifiers = {
  /** By absolute URI, or by the path of the file. */
  readonly resources: ReadonlyMap<string, Place>;
  /** By `resource#name`. */
  readonly anchors: ReadonlyMap<string, Place>;
  /** What has a `$dynamicAnchor`, by `resource#name`: one name twice in a resource is ambiguous. */
  readonly dynamic: ReadonlyMap<string, readonly Place[]>;
  /** The resources that have any. */
  readonly generic: ReadonlySet<string>;
};

/** Values, in which `$id` is a member like any other. */
const plain = new Set(['const', 'default', 'enum', 'example', 'examples']);

const identifiersOf = remembered((library: Library): Identifiers => {
  const resources = new Map<string, Place>();
  const anchors = new Map<string, Place>();
  const dynamic = new Map<string, Place[]>();
  const generic = new Set<string>();
  for (const document of library.values()) {
    const walk = (value: Json, pointer: JsonPointer, outer: string): void => {
      if (isArray(value)) value.forEach((item, index) => void walk(item, `${pointer}/${index}`, outer));
      if (!isObject(value)) return;
      const place: Place = { document, pointer, value };
      let base = outer;
      const id = value['$id'];
      if (typeof id === 'string') {
        base = resourceOf(id, outer);
        resources.set(base, place);
      }
      for (const keyword of ['$anchor', '$dynamicAnchor'] as const) {
        const name = value[keyword];
        if (typeof name !== 'string') continue;
        anchors.set(`${base}#${name}`, place);
        if (keyword === '$anchor') continue;
        generic.add(base);
        dynamic.set(`${base}#${name}`, [...(dynamic.get(`${base}#${name}`) ?? []), place]);
      }
      for (const [name, member] of Object.entries(value))
        if (!plain.has(name)) walk(member, pointer + pointerOf([name]), base);
    };
    resources.set(document.file, { document, pointer: '', value: document.value });
    walk(document.value, '', document.file);
  }
  return { resources, anchors, dynamic, generic };
});

/** An absolute URI; undefined where a relative one has no absolute one to stand on. */
function resolved(reference: string, base: string): string | undefined {
  if (URL.canParse(reference)) return new URL(reference).href;
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

/** What a `$id` makes of the resource around it. A relative one is known next to the file that it is in, if to nothing else. */
function resourceOf(id: string, outer: string): string {
  const name = id.replace(/#$/, '');
  return resolved(name, outer) ?? fileOfRef(outer, name) ?? outer;
}

/** The resource that a place is in: the nearest `$id` around it, else its file. */
function baseOf({ document, pointer }: Place): string {
  const tokens = pointer.split('/').slice(1);
  let base = document.file;
  for (let length = 0; length <= tokens.length; length += 1) {
    const at = tokens
      .slice(0, length)
      .map((token) => `/${token}`)
      .join('');
    const around = valueAt(document.value, at);
    const id = isObject(around) ? around['$id'] : undefined;
    if (typeof id === 'string') base = resourceOf(id, base);
  }
  return base;
}

/** The path of the file that a relative `$ref` names, relative to the file that holds it; undefined for one within it. */
export function fileOfRef(from: string, ref: string): string | undefined {
  const [name = ''] = ref.split('#', 1);
  return name === '' ? undefined : join(dirname(from), percentDecoded(name) ?? name);
}

/** The schema that a reference means by its `$id` or `$anchor`; undefined where it means a place by pointer. */
export function identified(holder: Place, ref: string, library: Library): Place | undefined {
  const { resources, anchors } = identifiersOf(library);
  const at = ref.indexOf('#');
  const name = at < 0 ? ref : ref.slice(0, at);
  const fragment = at < 0 ? '' : ref.slice(at + 1);
  // Most documents name no schema so.
  if (resources.size === library.size && (fragment === '' || fragment.startsWith('/'))) return undefined;
  const base = baseOf(holder);
  // A file without an absolute `$id` is known by its path, not by a URI.
  const uri = name === '' ? base : (resolved(name, base) ?? fileOfRef(base, name));
  const resource = uri === undefined ? undefined : resources.get(uri);
  if (uri === undefined || resource === undefined) return undefined;
  if (fragment === '') return resource;
  if (!fragment.startsWith('/')) return anchors.get(`${uri}#${fragment}`);
  // Within a file the pointer is followed as ever, with its errors.
  if (resource.pointer === '') return undefined;
  const pointer = percentDecoded(fragment);
  const value = pointer === undefined ? undefined : valueAt(resource.value, pointer);
  return value === undefined
    ? undefined
    : { document: resource.document, pointer: `${resource.pointer}${pointer}`, value };
}

/** Resources with a `$dynamicAnchor` that were entered so far, outermost first (the dynamic scope, section 7.1). */
export type DynamicScope = readonly string[];

export function entered(scope: DynamicScope, place: Place, library: Library): DynamicScope {
  const { generic } = identifiersOf(library);
  if (generic.size === 0) return scope;
  const base = baseOf(place);
  return !generic.has(base) || scope.includes(base) ? scope : [...scope, base];
}

/**
 * Where a `$dynamicRef` leads: to the `$dynamicAnchor` of that name in the outermost resource that has one, where it leads to
 * one without regard to that (section 8.2.3.2). `plain` where it is a reference like any other.
 */
export function dynamicTarget(
  holder: Place,
  ref: string,
  scope: DynamicScope,
  library: Library,
): Place | 'plain' | 'ambiguous' {
  const { dynamic } = identifiersOf(library);
  const name = ref.slice(ref.indexOf('#') + 1);
  const first = identified(holder, ref, library);
  const base = first === undefined ? undefined : baseOf(first);
  if (base === undefined || !dynamic.has(`${base}#${name}`)) return 'plain';
  const outermost = scope.find((each) => dynamic.has(`${each}#${name}`)) ?? base;
  const [place, ...others] = dynamic.get(`${outermost}#${name}`) ?? [];
  return place === undefined || others.length > 0 ? 'ambiguous' : place;
}
