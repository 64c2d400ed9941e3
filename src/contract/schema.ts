import type { Check } from '../document/checks.ts';
import { problemAt } from '../document/document.ts';
import { schemaProblems } from '../document/schema-problems.ts';
import { InputError, type InputProblem, refuse } from '../model/input-error.ts';
import type { Json, JsonObject, JsonPointer, JsonSchema } from '../model/json.ts';
import { isArray, isObject, pointerTokens } from '../model/json.ts';
import { remembered } from '../model/remembered.ts';
import { joined } from './closed-parts.ts';
import { type Definition, pointerToDefinition, refuseEndless, sameValue } from './definitions.ts';
import { choiceOf, chosenBranches, kindsOf } from './discriminator.ts';
import { dynamically } from './dynamic.ts';
import { type DynamicScope, entered } from './identifiers.ts';
import type { Library, Place } from './library.ts';
import { isNamed } from './named-schemas.ts';
import { asMeant, isMeant } from './old-keywords.ts';
import { onlyOne } from './one-of-equal.ts';
import { patternAt } from './pattern-place.ts';
import { child, errorAt, idOf, items, members, resolve, untestableAt } from './place.ts';
import { listingNull, upgradedSchema, withOneNull, withoutRepeats } from './upgrade.ts';
import { boundAt } from './wide-bounds.ts';

/** Keywords whose value is one schema, a list of schemas, or schemas by name. All others hold plain values. */
const oneSchema = new Set([
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const listOfSchemas = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const schemasByName = new Set(['dependentSchemas', 'patternProperties', 'properties']);

/** What OpenAPI adds for its readers, what only ajv knows, and what references were looked up by: the copy refers by place. */
const notCopied = new Set(
  'discriminator externalDocs xml id $async $id $anchor $dynamicAnchor $defs definitions'.split(' '),
);

const dialects = new Set([
  'https://json-schema.org/draft/2020-12/schema',
  'https://spec.openapis.org/oas/3.1/dialect/base',
]);

/** Whether a dialect is plain JSON Schema 2020-12, or the OpenAPI 3.1 one on top of it. */
export function isKnownDialect(uri: string): boolean {
  return (
    dialects.has(uri.replace(/#$/, '')) || /^https:\/\/spec\.openapis\.org\/oas\/3\.1\/dialect\//.test(uri)
  );
}

export type SchemaReading = {
  readonly library: Library;
  readonly validators: { readonly schema: Check<JsonObject> };
  /** Whether the document is of OpenAPI 3.0, whose schemas mean something else. */
  readonly dialect30: boolean;
  /** What is read in another way than it is written. */
  readonly warnings: InputProblem[];
  /** Given where branches are read with the values that a discriminator chooses them by; called where there are any. */
  readonly chosen?: () => void;
};

/** A request has no member that is read-only, and a response may lack one that is write-only (OpenAPI 3.1, 4.8.24). */
export type SchemaUse = 'request' | 'response' | 'value';

/**
 * `isParent`: read for one of its heirs, which need not be one of them again. `isBranch`: one of the branches that a
 * discriminator chooses among, and so chosen already.
 */
type Manner = { readonly isKind: boolean; readonly isParent: boolean; readonly isBranch: boolean };

const plainly: Manner = { isKind: false, isParent: false, isBranch: false };

/** The schema at a place, with all that it refers to under `$defs`. @throws InputError where that cannot be made */
export function schemaAt(given: Place, reading: SchemaReading, use: SchemaUse): JsonSchema {
  return onlyOne(reading.library, copied(given, reading, use));
}

function copied(given: Place, reading: SchemaReading, use: SchemaUse): JsonSchema {
  const { library } = reading;
  const definitions = new Map<string, Definition>();

  const nameOf = (target: Place): string => {
    const tokens = pointerTokens(target.pointer);
    const short =
      tokens.length === 3 && target.pointer.startsWith('/components/schemas/') ? tokens.slice(2) : tokens;
    const plain = short.join('_').replaceAll(/[^A-Za-z0-9._-]/g, '_') || 'document';
    const taken = new Set([...definitions.values()].map(({ name }) => name));
    let name = plain;
    for (let count = 2; taken.has(name); count += 1) name = `${plain}_${count}`;
    return name;
  };

  const refTo = (
    found: Place,
    hidden: ReadonlySet<string>,
    { isKind, isBranch }: Pick<Manner, 'isKind' | 'isBranch'>,
    outside: DynamicScope,
    from?: Place,
  ): string => {
    const target = inDialect(found, reading);
    const scope = entered(outside, target, library);
    const isParent = from !== undefined && withinBranches(target, reading).has(idOf(from));
    const manner = { isKind, isParent, isBranch };
    const id = JSON.stringify([idOf(target), manner, scope, ...[...hidden].sort()]);
    const known = definitions.get(id);
    if (known !== undefined) return pointerToDefinition(known.name);
    refuseCircle(target, reading);
    const name = nameOf(target);
    // Known before it is walked, or a recursive schema would never end.
    definitions.set(id, { name, place: target, schema: true });
    check(target, reading);
    definitions.set(id, { name, place: target, schema: copy(target, hidden, scope, manner) });
    return pointerToDefinition(name);
  };

  const defined = (): JsonObject =>
    Object.fromEntries([...definitions.values()].map(({ name, schema }) => [name, schema]));
  const definedAt = (ref: string): JsonSchema | undefined =>
    [...definitions.values()].find(({ name }) => pointerToDefinition(name) === ref)?.schema;
  const nothing: ReadonlySet<string> = new Set();
  const hides = use !== 'value' && saidIn(library).marks;
  /**
   * `outer` are members of the same value that a schema around this one hides. Of one kind of what a discriminator chooses
   * no other kind is asked, nor of an heir which other heirs its parent has.
   */
  const copy = (
    from: Place,
    outer: ReadonlySet<string>,
    outside: DynamicScope,
    manner: Manner = plainly,
  ): JsonSchema => {
    const { isKind, isParent, isBranch } = manner;
    if (typeof from.value === 'boolean') return from.value;
    if (!isObject(from.value))
      throw errorAt(from, 'a schema must be a mapping, true or false', 'write a JSON Schema here');
    const at = { ...from, value: asMeant(from, from.value, reading) };
    const scope = at.value['$id'] === undefined ? outside : entered(outside, at, library);
    const hidden = !hides ? nothing : new Set([...outer, ...hiddenBy(at, reading, use)]);
    const inPlace = (keyword: string): ReadonlySet<string> => (sameValue.has(keyword) ? hidden : nothing);
    const within = (keyword: string): Manner => ({
      isKind:
        sameValue.has(keyword) &&
        (isKind || (reading.chosen !== undefined && keyword === 'allOf' && isNamed(from))),
      isParent: false,
      isBranch: branching.has(keyword) && at.value['discriminator'] !== undefined,
    });
    const entries: [string, Json][] = [];
    for (const [keyword, value] of Object.entries(at.value)) {
      const here = child(at, keyword);
      if (keyword === '$ref' && typeof value === 'string')
        entries.push([keyword, refTo(resolve(here, value, library), hidden, manner, scope, from)]);
      else if (keyword === '$dynamicRef' && typeof value === 'string')
        entries.push(['$ref', refTo(dynamically(at, scope, library), hidden, manner, scope, from)]);
      else if (isParent && branching.has(keyword)) continue;
      else if (keyword === 'pattern' && typeof value === 'string')
        entries.push([keyword, patternAt(here, value, reading.warnings)]);
      else if (keyword === 'required' && isArray(value))
        entries.push([keyword, [...new Set(value)].filter((name) => !hidden.has(String(name)))]);
      else if (keyword === 'example' || keyword === 'examples')
        entries.push(['examples', [...examplesIn(at)]]);
      else if (keyword === 'enum' && isArray(value) && value.length === 0) warnOfNoValues(here, reading);
      else if (keyword === 'enum' && isArray(value))
        entries.push([keyword, use === 'response' ? listingNull(at.value, value) : withoutRepeats(value)]);
      else if (oneSchema.has(keyword))
        entries.push([keyword, copy(here, inPlace(keyword), scope, within(keyword))]);
      else if (listOfSchemas.has(keyword) && isArray(value)) {
        const branches = value.map((_, index) =>
          copy(child(here, index), inPlace(keyword), scope, within(keyword)),
        );
        const chosen =
          reading.chosen === undefined
            ? undefined
            : chosenBranches(at, keyword, branches, defined(), library);
        if (chosen !== undefined) reading.chosen?.();
        const isNullable = keyword === 'oneOf' && (reading.dialect30 || from.value['nullable'] === true);
        entries.push([keyword, chosen ?? (isNullable ? withOneNull(branches, definedAt) : branches)]);
      } else if (schemasByName.has(keyword) && isObject(value)) {
        const named = Object.keys(value)
          .filter((name) => !(keyword === 'properties' && use === 'request' && hidden.has(name)))
          .map((name) => {
            const key =
              keyword === 'patternProperties' ? patternAt(child(here, name), name, reading.warnings) : name;
            return [key, copy(child(here, name), inPlace(keyword), scope, within(keyword))] as const;
          });
        entries.push([keyword, Object.fromEntries(named)]);
      } else if (keeps(here, keyword, value)) entries.push([keyword, boundAt(here, keyword, value)]);
    }
    const made = Object.fromEntries(entries);
    const own = (): JsonObject => ({ ...made, $defs: defined() });
    const kinds = reading.chosen === undefined || isKind ? [] : kindsOf(at, own(), library);
    if (kinds.length > 0) {
      reading.chosen?.();
      // Each of them has all of this one.
      return {
        anyOf: kinds.map(({ choice, place }) => ({
          allOf: [{ $ref: refTo(place, hidden, { isKind: true, isBranch: false }, scope) }, choice],
        })),
      };
    }
    const whole = joined(made, definedAt);
    if (whole !== undefined) {
      const problem = 'each part of this object refuses the members of the others';
      const hint = "close the whole by 'unevaluatedProperties: false', which is how it is read";
      reading.warnings.push(problemAt(from.document, child(from, 'allOf').pointer, problem, hint, 'key'));
    }
    if (reading.chosen === undefined || isKind || isParent || isBranch) return whole ?? made;
    const choice = choiceOf(from, own(), library);
    if (choice !== undefined) reading.chosen();
    return choice === undefined ? (whole ?? made) : { allOf: [whole ?? made, choice] };
  };

  const place = inDialect(given, reading);
  check(place, reading);
  const start = unwrapped(place, reading);
  const root = copy(start, nothing, entered(entered([], place, library), start, library));
  refuseEndless(definitions);
  return definitions.size === 0 || typeof root === 'boolean' ? root : { ...root, $defs: defined() };
}

/** The values that a schema gives as examples, in OpenAPI's keyword and in that of JSON Schema. */
export function examplesIn(schema: Place): readonly Json[] {
  const [{ value: one }, { value: list }] = [child(schema, 'example'), child(schema, 'examples')];
  return [...(one === undefined ? [] : [one]), ...(isArray(list) ? list : [])];
}

/** By the letter nothing fits an empty list; yet generators write one where they know no values. */
function warnOfNoValues({ document, pointer }: Place, { warnings }: SchemaReading): void {
  const hint = 'list its values, or remove it; it is read as if it were not there';
  warnings.push(problemAt(document, pointer, "'enum' has no values", hint, 'key'));
}

/** Whether anything is read-only or write-only, or chosen by a discriminator: most documents have neither. */
const saidIn = remembered((library: Library) => {
  const texts = [...library.values()].map(({ value }) => JSON.stringify(value));
  const has = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  return { marks: has(/"(read|write)Only":true/), chooses: has(/"discriminator":/) };
});

/** The same schema of a request where each branch has the values that its discriminator chooses it by; undefined without any. */
export function chosenSchemaAt(place: Place, reading: SchemaReading): JsonSchema | undefined {
  if (!saidIn(reading.library).chooses) return undefined;
  let found = false;
  const chosen = (): void => {
    found = true;
  };
  const schema = schemaAt(place, { ...reading, warnings: [], chosen }, 'request');
  return found ? schema : undefined;
}

const branching = new Set(['oneOf', 'anyOf']);

/** All schemas within the branches of a schema that are about the same value: its heirs, where they have it in their `allOf`. */
function withinBranches(parent: Place, reading: SchemaReading): ReadonlySet<string> {
  const found = new Map(
    [...branching].flatMap((keyword) => items(child(parent, keyword))).map((at) => [idOf(at), at] as const),
  );
  for (const at of found.values())
    for (const inner of [
      ...inPlaceOf(at, reading),
      ...[...branching].flatMap((each) => items(child(at, each))),
    ])
      if (!found.has(idOf(inner))) found.set(idOf(inner), inner);
  return new Set(found.keys());
}

/** Members that a schema, and what it adds to itself, marks as read-only or write-only. */
function hiddenBy(
  at: Place,
  reading: SchemaReading,
  use: SchemaUse,
  seen: ReadonlySet<string> = new Set(),
): readonly string[] {
  const id = idOf(at);
  if (!isObject(at.value) || seen.has(id)) return [];
  const within = new Set([...seen, id]);
  const mark = use === 'request' ? 'readOnly' : 'writeOnly';
  const own = members(child(at, 'properties')).flatMap(([name, member]) =>
    isMarked(member, mark, reading) ? [name] : [],
  );
  return [...own, ...inPlaceOf(at, reading).flatMap((part) => hiddenBy(part, reading, use, within))];
}

function isMarked(
  at: Place,
  mark: string,
  reading: SchemaReading,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  const id = idOf(at);
  if (!isObject(at.value) || seen.has(id)) return false;
  if (at.value[mark] === true) return true;
  const within = new Set([...seen, id]);
  return inPlaceOf(at, reading).some((part) => isMarked(part, mark, reading, within));
}

/** What `$ref` and `allOf` add to a schema. A reference that leads nowhere adds nothing here; copying it reports it. */
function inPlaceOf(at: Place, reading: SchemaReading): readonly Place[] {
  const ref = child(at, '$ref');
  const all = items(child(at, 'allOf'));
  if (typeof ref.value !== 'string') return all;
  try {
    return [inDialect(resolve(ref, ref.value, reading.library), reading), ...all];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return all;
  }
}

/** A schema of OpenAPI 3.0 is read as the 2020-12 one of the same meaning. */
function inDialect(place: Place, { dialect30 }: SchemaReading): Place {
  return dialect30 ? { ...place, value: upgradedSchema(place.value) } : place;
}

/** References that lead only to each other: a check against them would never end. */
function refuseCircle(place: Place, reading: SchemaReading): void {
  let at = place;
  const seen = new Set<string>();
  while (isObject(at.value) && typeof at.value['$ref'] === 'string') {
    const id = idOf(at);
    if (seen.has(id)) throw errorAt(place, 'this $ref leads back to itself', 'let it refer to a schema');
    seen.add(id);
    at = inDialect(resolve(child(at, '$ref'), at.value['$ref'], reading.library), reading);
  }
}

function unwrapped(place: Place, reading: SchemaReading): Place {
  const { library } = reading;
  let at = place;
  const seen = new Set<JsonPointer>();
  while (isObject(at.value) && typeof at.value['$ref'] === 'string' && Object.keys(at.value).length === 1) {
    const id = idOf(at);
    if (seen.has(id)) throw errorAt(place, 'this $ref leads back to itself', 'let it refer to a schema');
    seen.add(id);
    at = inDialect(resolve(child(at, '$ref'), at.value['$ref'], library), reading);
    check(at, reading);
  }
  return at;
}

function keeps(here: Place, keyword: string, value: Json): boolean {
  if (keyword === '$schema') {
    if (typeof value === 'string' && isKnownDialect(value)) return false;
    throw errorAt(
      here,
      'this schema is of another dialect',
      'write it in JSON Schema 2020-12, and remove $schema',
    );
  }
  return !notCopied.has(keyword) && !keyword.startsWith('x-');
}

/** A keyword that only readers heed, but no member, nor any other schema, of that name. */
const remark =
  /(?:^|\/(?!(?:properties|patternProperties|dependentSchemas|\$defs|definitions)\/)[^/]+)\/(?:examples|title|description|\$comment|deprecated)$/;

function check(place: Place, { validators, warnings }: SchemaReading): void {
  if (typeof place.value === 'boolean') return;
  if (!isObject(place.value)) {
    throw errorAt(place, 'a schema must be a mapping, true or false', 'write a JSON Schema here');
  }
  const { $schema: _dialect, ...schema } = place.value;
  // The meta-schema reads no references, so that each place is blamed for its own text alone.
  if (validators.schema(schema)) return;
  const errors = validators.schema.errors ?? [];
  const recursive = errors.find(({ instancePath }) => /\/\$recursive(?:Anchor|Ref)$/.test(instancePath));
  if (recursive !== undefined)
    throw untestableAt(
      child(place, ...pointerTokens(recursive.instancePath)),
      '$recursiveRef of JSON Schema 2019-09 is not supported',
      "name the schema with $ref: '#/components/schemas/Name'",
      'key',
    );
  // Neither a name that is required twice nor a remark in another form says anything else of a value.
  const isHarmless = (error: (typeof errors)[number]): boolean =>
    (error.keyword === 'uniqueItems' && error.instancePath.endsWith('/required')) ||
    remark.test(error.instancePath);
  refuse(
    schemaProblems(
      place.document,
      errors.filter((error) => !isHarmless(error) && !isMeant(error)),
      place.pointer,
    ),
  );
  warnings.push(...schemaProblems(place.document, errors.filter(isHarmless), place.pointer));
}
