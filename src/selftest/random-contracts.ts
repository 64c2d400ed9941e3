import fc from 'fast-check';
import { isArray, isObject, type Json, type JsonObject, parseJson } from '../model/json.ts';
import { variants } from '../reference/variants/catalogue.ts';
import { shapes } from './shapes/catalogue.ts';
import type { Shape } from './shapes/document.ts';

/** A contract made of shapes, served by the reference service with legal choices. */
export type DrawnContract = {
  readonly shapes: readonly string[];
  readonly variants: readonly string[];
};

/** Shapes that are a document of their own kind cannot be in one document with others. */
function isAlone({ text }: Shape): boolean {
  const value = parseJson(text);
  return !isObject(value) || value['openapi'] !== '3.1.1' || value['security'] !== undefined;
}

/** Choices that any contract can be served with: those of the service, not of the published document. */
const choices = variants.filter(({ alone, publishes }) => alone !== true && publishes === undefined);
const groups = [...new Set(choices.map(({ group }) => group))];
const mostShapes = 6;

/** The same for the same seed. The rarest shape begins each contract, and pairs that did not meet yet are preferred. */
export function drawContracts(count: number, seed: number): readonly DrawnContract[] {
  const numbers = fc.sample(fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), { numRuns: count, seed });
  const times = new Map(shapes.map(({ name }) => [name, 0]));
  const met = new Set<string>();
  return numbers.map((random) => {
    let at = 0;
    const next = (below: number): number => {
      const value = random[at % random.length] ?? 0;
      at += 1;
      return value % Math.max(1, below);
    };
    const chosen = chooseShapes(times, met, next);
    for (const name of chosen) times.set(name, (times.get(name) ?? 0) + 1);
    for (const one of chosen) for (const other of chosen) met.add(`${one} ${other}`);
    return {
      shapes: chosen,
      variants: groups.flatMap((group) => {
        const own = choices.filter((choice) => choice.group === group);
        const choice = next(3) === 0 ? own[next(own.length)] : undefined;
        return choice === undefined ? [] : [choice.id];
      }),
    };
  });
}

function chooseShapes(
  times: ReadonlyMap<string, number>,
  met: ReadonlySet<string>,
  next: (below: number) => number,
): readonly string[] {
  const least = Math.min(...times.values());
  const rare = shapes.filter(({ name }) => times.get(name) === least);
  const first = rare[next(rare.length)];
  if (first === undefined) return [];
  if (isAlone(first)) return [first.name];
  const chosen = [first.name];
  const others = shapes.filter((shape) => !isAlone(shape) && shape.name !== first.name);
  const size = next(10) === 0 ? 1 : 3 + next(mostShapes - 2);
  while (chosen.length < size) {
    const gain = (name: string): number =>
      chosen.filter((one) => !met.has(`${one} ${name}`)).length - (chosen.includes(name) ? 100 : 0);
    const best = Math.max(...others.map(({ name }) => gain(name)));
    const gainful = others.filter(({ name }) => gain(name) === best && !chosen.includes(name));
    const rarest = Math.min(...gainful.map(({ name }) => times.get(name) ?? 0));
    const candidates = gainful.filter(({ name }) => times.get(name) === rarest);
    const picked = candidates[next(candidates.length)];
    if (picked === undefined) break;
    chosen.push(picked.name);
  }
  return chosen;
}

/** How often each shape occurs, and how many of the pairs that can meet did. */
export function coverage(drawn: readonly DrawnContract[]): {
  readonly shapes: ReadonlyMap<string, number>;
  readonly pairs: { readonly met: number; readonly possible: number };
} {
  const times = new Map(shapes.map(({ name }) => [name, 0]));
  const met = new Set<string>();
  for (const { shapes: names } of drawn)
    for (const name of names) {
      times.set(name, (times.get(name) ?? 0) + 1);
      for (const other of names) if (name < other) met.add(`${name} ${other}`);
    }
  const together = shapes.filter((shape) => !isAlone(shape)).length;
  return { shapes: times, pairs: { met: met.size, possible: (together * (together - 1)) / 2 } };
}

/** The document of several shapes: each has paths, operations and components of its own. */
export function contractOfShapes(names: readonly string[]): Shape {
  const parts = names.flatMap((name) => shapes.filter((shape) => shape.name === name));
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  let document: JsonObject = {};
  let operations: Record<string, JsonObject> = {};
  for (const [index, part] of parts.entries()) {
    const value = parseJson(part.text);
    if (!isObject(value)) continue;
    const prefix = `p${index}`;
    const ids = new Set(operationIds(value));
    const own = renamed(value, { prefix, ids, naming: false });
    if (isObject(own)) document = merged(document, withPaths(own, prefix));
    operations = {
      ...operations,
      ...Object.fromEntries(
        Object.entries(part.operations ?? {}).map(([id, given]) => {
          const value = renamed(given, { prefix, ids, naming: true });
          return [`${prefix}_${id}`, isObject(value) ? value : {}];
        }),
      ),
    };
  }
  return {
    name: names.join('+'),
    text: JSON.stringify(document, null, 1),
    ...(Object.keys(operations).length === 0 ? {} : { operations }),
  };
}

function operationIds(value: Json): readonly string[] {
  if (isArray(value)) return value.flatMap(operationIds);
  if (!isObject(value)) return [];
  const id = value['operationId'];
  return [
    ...(typeof id === 'string' && value['responses'] !== undefined ? [id] : []),
    ...Object.values(value).flatMap(operationIds),
  ];
}

type Renaming = {
  readonly prefix: string;
  readonly ids: ReadonlySet<string>;
  /** Whether a text may name an operation here: elsewhere it is a value of the vendor's own. */
  readonly naming: boolean;
};

function renamed(value: Json, renaming: Renaming): Json {
  const { prefix, ids, naming } = renaming;
  if (typeof value === 'string') return naming && ids.has(value) ? `${prefix}_${value}` : value;
  if (isArray(value)) return value.map((item) => renamed(item, renaming));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (typeof member === 'string' && (name === '$ref' || name === 'operationRef'))
        return [name, reference(member, prefix)];
      const names = naming || name === 'operationId' || name === 'x-governed' || name === 'links';
      return [name, renamed(member, { ...renaming, naming: names })];
    }),
  );
}

function reference(text: string, prefix: string): string {
  return text
    .replace('#/paths/~1', `#/paths/~1${prefix}~1`)
    .replace(/^#\/components\/(?!securitySchemes)(\w+)\/(.*)$/, `#/components/$1/${prefix}$2`);
}

function withPaths(document: JsonObject, prefix: string): JsonObject {
  const { paths, components } = document;
  return {
    ...document,
    paths: isObject(paths)
      ? Object.fromEntries(Object.entries(paths).map(([path, item]) => [`/${prefix}${path}`, item]))
      : {},
    components: isObject(components)
      ? Object.fromEntries(
          Object.entries(components).map(([kind, entries]) => [
            kind,
            kind === 'securitySchemes' || !isObject(entries)
              ? entries
              : Object.fromEntries(
                  Object.entries(entries).map(([name, entry]) => [`${prefix}${name}`, entry]),
                ),
          ]),
        )
      : {},
  };
}

function merged(one: JsonObject, other: JsonObject): JsonObject {
  const result: Record<string, Json> = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = result[name];
    result[name] = isObject(before) && isObject(value) ? merged(before, value) : value;
  }
  return result;
}
