import type { Edit } from './edit.ts';
import { canonicalJson, isArray, isObject, type Json, type JsonObject } from './json.ts';
import { inForce, listOf, mapOf, type SchemaPlace } from './places.ts';
import type { SchemaNode } from './references.ts';
import type { Study } from './study.ts';

/** Keywords that bring in other schemas in place: left out when one keyword is negated. */
const IN_PLACE = new Set(
  '$ref $dynamicRef allOf anyOf oneOf not if then else dependentSchemas $id $anchor $dynamicAnchor $defs unevaluatedProperties unevaluatedItems'.split(
    ' ',
  ),
);

/** Of `oneOf` so many alternatives are tried together with the first: each costs a search for values of both. */
const BRANCHES_TRIED = 8;

const ANY_TYPE: Json = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** Values that satisfy what else is asked here, but not this keyword. */
export function negated(
  study: Study,
  place: SchemaPlace,
  node: SchemaNode,
  keyword: string,
  type?: string,
): readonly Json[] {
  const schema = isObject(node.schema) ? node.schema : {};
  const mine = Object.fromEntries(Object.entries(schema).filter(([name]) => partOf(keyword).includes(name)));
  return against(study, place, node, keyword, { not: mine }, type);
}

function partOf(keyword: string): readonly string[] {
  if (keyword === 'contains') return ['contains', 'minContains', 'maxContains'];
  return keyword === 'additionalProperties'
    ? ['additionalProperties', 'properties', 'patternProperties']
    : [keyword];
}

/** Values that satisfy the plain keywords in force here, `keyword` of `node` left out, and `instead`. */
function against(
  study: Study,
  place: SchemaPlace,
  node: SchemaNode,
  keyword: string,
  instead: JsonObject,
  type: Json = jsonType(place.value),
): readonly Json[] {
  const { builder } = study;
  const branches =
    keyword === 'anyOf' || keyword === 'oneOf'
      ? branchesHolding(study, place, node, keyword)
      : new Set<string>();
  const kept = place.nodes.filter((other) => !branches.has(other.key));
  const left = kept.map((other) =>
    builder.index.reduced(other, `without-${keyword}`, (name) => !IN_PLACE.has(name) && name !== keyword),
  );
  const label = `against-${keyword}-${String(type)}-${JSON.stringify(instead)}`;
  const twist = builder.index.standIn(node, label, { type, allOf: [instead] });
  return builder.samples([...left, twist], place.tokens.length);
}

/** The keys of what is in force only because a branch of the keyword holds. */
function branchesHolding(
  study: Study,
  place: SchemaPlace,
  node: SchemaNode,
  keyword: string,
): ReadonlySet<string> {
  const holding = [...listOf(node, keyword).keys()]
    .flatMap((position) => study.builder.index.child(node, keyword, position) ?? [])
    .filter((branch) => study.builder.evaluator.holds(branch, place.value));
  return new Set(inForce(study, holding, place.value).map(({ key }) => key));
}

/** The type of a value, integers being numbers. */
export function jsonType(value: Json): string {
  return value === null ? 'null' : isArray(value) ? 'array' : typeof value;
}

/** The values themselves and, of objects, what they add to the present one, and what they change in it. */
function merged(value: Json, samples: readonly Json[]): readonly Json[] {
  return samples.flatMap((sample) => {
    if (!isObject(value) || !isObject(sample)) return [sample];
    const all = [{ ...value, ...sample, ...value }, { ...value, ...sample }, sample];
    return [...new Map(all.map((one) => [canonicalJson(one), one])).values()];
  });
}

/** Bodies that satisfy no branch of `anyOf` or `oneOf`, or more than one of `oneOf` (JSON Schema core, section 10.2.1). */
export function* branchEdits(
  study: Study,
  place: SchemaPlace,
  node: SchemaNode,
  keyword: 'anyOf' | 'oneOf',
  name: string,
): Iterable<Edit> {
  const branches = listOf(node, keyword);
  const [first = true, ...others] = branches;
  const none = (value: Json): Edit => ({ value, describes: `${name} satisfies none of the alternatives` });
  const [outside, ...further] = against(study, place, node, keyword, { not: { anyOf: branches } });
  if (outside !== undefined) yield none(outside);
  for (const branch of keyword === 'oneOf' ? others.slice(0, BRANCHES_TRIED) : []) {
    const several = merged(place.value, against(study, place, node, keyword, { allOf: [first, branch] }));
    for (const value of several)
      yield { value, describes: `${name} satisfies more than one of the alternatives` };
  }
  yield* [...further, {}, [], 'text', 0, true, null].map(none);
}

/** Bodies that satisfy what `not` forbids, of the same type where they can be. */
export function* forbiddenEdits(
  study: Study,
  place: SchemaPlace,
  node: SchemaNode,
  name: string,
): Iterable<Edit> {
  const forbidden = isObject(node.schema) ? (node.schema['not'] ?? true) : true;
  for (const type of [jsonType(place.value), ANY_TYPE]) {
    const values = merged(place.value, against(study, place, node, 'not', { allOf: [forbidden] }, type));
    for (const value of values) yield { value, describes: `${name} has a value that the schema excludes` };
  }
}

/** Bodies with a member, but not what its presence asks for (core, section 10.2.2.4). */
export function* dependentEdits(study: Study, place: SchemaPlace, node: SchemaNode): Iterable<Edit> {
  for (const [member, dependent] of Object.entries(mapOf(node, 'dependentSchemas'))) {
    const broken = { required: [member], not: dependent };
    const values = merged(place.value, against(study, place, node, 'dependentSchemas', broken, 'object'));
    for (const value of values)
      yield { value, describes: `${member} is present without what it requires`, inside: true };
  }
}

/** Bodies that meet a condition without what follows from it, or the other way round (core, section 10.2.2). */
export function* conditionEdits(
  study: Study,
  place: SchemaPlace,
  node: SchemaNode,
  name: string,
): Iterable<Edit> {
  const schema = isObject(node.schema) ? node.schema : {};
  const condition = schema['if'] ?? true;
  const edits = (instead: JsonObject, describes: string): readonly Edit[] =>
    merged(place.value, against(study, place, node, 'if', instead)).map((value) => ({
      value,
      describes,
      inside: true,
    }));
  if ('then' in schema) {
    yield* edits(
      { allOf: [condition, { not: schema['then'] ?? true }] },
      `${name} meets the condition (if), but not what follows (then)`,
    );
  }
  if ('else' in schema) {
    yield* edits(
      { allOf: [{ not: schema['else'] ?? true }, { not: condition }] },
      `${name} meets neither the condition (if) nor the alternative (else)`,
    );
  }
}
