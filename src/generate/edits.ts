import { arrayEdits } from './array-edits.ts';
import type { Edit } from './edit.ts';
import { isOfType, sameJson } from './evaluation.ts';
import { textFormat } from './formats.ts';
import { isArray, isObject, type Json, type JsonObject } from './json.ts';
import {
  branchEdits,
  conditionEdits,
  dependentEdits,
  forbiddenEdits,
  jsonType,
  negated,
} from './negated-edits.ts';
import { objectEdits } from './object-edits.ts';
import { listOf, type SchemaPlace } from './places.ts';
import type { SchemaNode } from './references.ts';
import { numberEdits, stringEdits } from './scalar-edits.ts';
import type { Study } from './study.ts';

/** The type that a keyword speaks of, where it speaks of one only. */
const TYPE_OF = new Map([
  ...'minLength maxLength pattern'.split(' ').map((keyword) => [keyword, 'string'] as const),
  ...'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'
    .split(' ')
    .map((keyword) => [keyword, 'number'] as const),
  ...'items minItems maxItems uniqueItems contains unevaluatedItems'
    .split(' ')
    .map((keyword) => [keyword, 'array'] as const),
  ...'required dependentRequired additionalProperties propertyNames minProperties maxProperties unevaluatedProperties'
    .split(' ')
    .map((keyword) => [keyword, 'object'] as const),
]);

/** Values for a place that may break `keyword` of `node`, simplest first, made as they are asked for. They still have to be judged. */
export function* editsFor(
  study: Study,
  place: SchemaPlace,
  node: SchemaNode,
  keyword: string,
): Iterable<Edit> {
  const { value } = place;
  const schema = isObject(node.schema) ? node.schema : {};
  const name = nameOf(place);
  switch (keyword) {
    case 'type':
      yield* typeEdits(schema['type'] ?? null, name, value);
      return;
    case 'enum':
    case 'const': {
      const allowed = keyword === 'const' ? [schema['const'] ?? null] : listOf(node, 'enum');
      const said =
        keyword === 'const' ? 'is not the one value that is allowed' : 'is none of the listed values';
      // Whether null is valid next to an enum that does not list it, although the type allows it, is read both ways.
      const isOpen = [schema['type']].flat().includes('null');
      const clear = (values: readonly Json[]): readonly Json[] =>
        isOpen ? values.filter((one) => one !== null) : values;
      yield* named(name, clear(unlike(allowed, value)), said);
      yield* named(name, clear(negated(study, place, node, keyword)), said);
      return;
    }
    case 'anyOf':
    case 'oneOf':
      yield* branchEdits(study, place, node, keyword, name);
      return;
    case 'not':
      yield* forbiddenEdits(study, place, node, name);
      return;
    case 'dependentSchemas':
      yield* dependentEdits(study, place, node);
      return;
    case 'if':
      yield* conditionEdits(study, place, node, name);
      return;
    default: {
      const isTextFormat = keyword === 'format' && textFormat(String(schema['format'])) !== undefined;
      const spoken = isTextFormat ? 'string' : TYPE_OF.get(keyword);
      if (spoken !== undefined && spoken !== jsonType(value)) {
        const others = negated(study, place, node, keyword, spoken);
        yield* named(name, others, `is of another type and breaks ${keyword}`).map((edit) => ({
          ...edit,
          inside: true as const,
        }));
        return;
      }
      yield* byType(study, place, node, keyword, name);
      if (isSettled(keyword, schema)) return;
      yield* named(name, negated(study, place, node, keyword), `breaks ${keyword}`);
    }
  }
}

/** Of so many characters each drawn text costs milliseconds, and one that is repeated does as well. */
const LONG = 1000;
/** Keywords that say nothing of the place itself, but only of what is in it. */
const OF_PARTS = new Set(['properties', 'patternProperties', 'prefixItems']);

/** Whether a search for further values that break a keyword would find none, or none that is worth it. */
function isSettled(keyword: string, schema: JsonObject): boolean {
  const { maxLength } = schema;
  return (
    OF_PARTS.has(keyword) || (keyword === 'maxLength' && typeof maxLength === 'number' && maxLength > LONG)
  );
}

function named(name: string, values: readonly Json[], describes: string): readonly Edit[] {
  return values.map((value) => ({ value, describes: `${name} ${describes}` }));
}

function byType(
  study: Study,
  place: SchemaPlace,
  node: SchemaNode,
  keyword: string,
  name: string,
): readonly Edit[] {
  const { value } = place;
  if (typeof value === 'string') return stringEdits(node, keyword, value, name);
  if (typeof value === 'number') return numberEdits(node, keyword, value, name);
  if (isArray(value)) return arrayEdits(study, place, node, keyword, value, name);
  return isObject(value) ? objectEdits(study, place, node, keyword, value, name) : [];
}

function nameOf({ tokens }: SchemaPlace): string {
  const last = tokens.at(-1);
  if (last === undefined) return 'the body';
  if (typeof last === 'string') return last;
  const owner = tokens.findLast((token) => typeof token === 'string');
  return owner === undefined ? `item ${last}` : `item ${last} of ${owner}`;
}

function typeEdits(type: Json, name: string, value: Json): readonly Edit[] {
  const types = isArray(type) ? type : [type];
  const wanted = types
    .map((one) =>
      one === 'null'
        ? 'null'
        : `${one === 'object' || one === 'array' || one === 'integer' ? 'an' : 'a'} ${String(one)}`,
    )
    .join(' or ');
  const allowed = (other: Json): boolean => types.some((one) => isOfType(one, other));
  const numeric = types.includes('number') || types.includes('integer');
  return ofOtherTypes(value, numeric).flatMap(([label, wrong]) => {
    if (allowed(wrong) || (wrong === 1.5 && !types.includes('integer')) || sameJson(wrong, value)) return [];
    return [{ value: wrong, describes: `${name} is ${label} instead of ${wanted}` }];
  });
}

/** A lenient parser takes an array of one for its item, the item for the array, and a text for what it says. */
function ofOtherTypes(value: Json, numeric: boolean): readonly (readonly [string, Json])[] {
  const quoted = typeof value === 'boolean' || typeof value === 'number' ? String(value) : '1';
  return [
    ...(isArray(value) && value[0] !== undefined ? [['the item alone', value[0]] as const] : []),
    ['an object', {}],
    ['an array', typeof value === 'object' ? [] : [value]],
    ['a number', 0],
    ['a fraction', 1.5],
    ['a boolean', true],
    ['text', 'text'],
    ...(numeric ? [['a number in quotes', quoted] as const] : []),
    ...(typeof value === 'boolean' ? [['a boolean in quotes', quoted] as const] : []),
    ['null', null],
  ];
}

function unlike(allowed: readonly Json[], value: Json): readonly Json[] {
  const candidates: readonly Json[] =
    typeof value === 'string'
      ? [
          ...[`not-${value}`, `${value}x`, ...ofItsForm(value, allowed)],
          ...[value.toUpperCase(), value.toLowerCase(), 'unlisted', 'x'],
        ]
      : typeof value === 'number'
        ? [Math.max(0, ...allowed.filter((one) => typeof one === 'number')) + 1, value - 1, value + 0.5]
        : typeof value === 'boolean'
          ? [!value]
          : ['unlisted', 0, {}];
  return candidates.filter((candidate) => !allowed.some((one) => sameJson(one, candidate)));
}

/** An unlisted text with the same kinds of characters: a service may check no more than the form of a code, such as a currency. */
function ofItsForm(value: string, allowed: readonly Json[]): readonly string[] {
  const moved = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((by) =>
    value.replace(/[A-Za-z0-9]/g, (one) => {
      const kind = kinds.find((characters) => characters.includes(one)) ?? one;
      return kind[(kind.indexOf(one) + by) % kind.length] ?? one;
    }),
  );
  return moved.filter((one) => one !== value && !allowed.includes(one)).slice(0, 1);
}

const kinds = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz', '0123456789'];
