import { affordable } from './affordable.ts';
import type { Edit } from './edit.ts';
import { isArray, isObject, type Json, type JsonObject } from './json.ts';
import { sampleOfPattern } from './pattern-strings.ts';
import {
  listOf,
  mapOf,
  memberSchemas,
  type SchemaPlace,
  unnamedOf,
  withMember,
  withoutMember,
} from './places.ts';
import type { SchemaNode } from './references.ts';
import type { Study } from './study.ts';

const BAD_NAMES = [
  '',
  ' ',
  '!',
  'a b',
  'A',
  'a',
  '0',
  '-',
  'é',
  '_',
  'not allowed',
  'x'.repeat(40),
  'x'.repeat(300),
];
const MOST = 200;

/** Objects that may break a keyword (JSON Schema validation, section 6.5, and core, section 10.3.2). */
export function objectEdits(
  study: Study,
  place: SchemaPlace,
  node: SchemaNode,
  keyword: string,
  object: JsonObject,
  name: string,
): readonly Edit[] {
  const argument = isObject(node.schema) ? node.schema[keyword] : undefined;
  switch (keyword) {
    case 'required':
      return affordable(listOf(node, 'required')).flatMap((member) =>
        typeof member === 'string' ? [missing(object, member)] : [],
      );
    case 'dependentRequired':
      return dependents(study, place, node, object);
    case 'properties':
      return impossible(study, place, Object.keys(mapOf(node, keyword)), object, name);
    case 'patternProperties': {
      const names = Object.keys(mapOf(node, keyword)).map(sampleOfPattern);
      return impossible(
        study,
        place,
        names.filter((member) => member !== undefined),
        object,
        name,
      );
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const extra = argument === false ? unnamedOf(study, place.nodes, Object.keys(object)) : undefined;
      return extra === undefined
        ? []
        : [added(object, extra, 0, `${extra} is not a member that ${name} may have`)];
    }
    case 'propertyNames':
      return BAD_NAMES.filter((bad) => !Object.hasOwn(object, bad)).map((bad) =>
        added(
          object,
          bad,
          valueFor(study, place, bad),
          `${name} has a member with the name ${JSON.stringify(bad.slice(0, 40))}`,
        ),
      );
    case 'minProperties': {
      if (typeof argument !== 'number' || argument < 1) return [];
      const required = new Set(place.nodes.flatMap((other) => listOf(other, 'required')));
      const names = Object.keys(object);
      const dropped = new Set(
        names.filter((member) => !required.has(member)).slice(0, names.length - argument + 1),
      );
      const value = Object.fromEntries(Object.entries(object).filter(([member]) => !dropped.has(member)));
      return [{ value, describes: `${name} has fewer than ${argument} members` }];
    }
    case 'maxProperties': {
      if (typeof argument !== 'number' || argument > MOST) return [];
      return [
        {
          value: filledUp(study, place, object, argument + 1),
          describes: `${name} has more than ${argument} members`,
        },
      ];
    }
    default:
      return [];
  }
}

function missing(object: JsonObject, member: string): Edit {
  return { value: withoutMember(object, member), member, describes: `${member} is missing` };
}

function added(object: JsonObject, member: string, value: Json, describes: string): Edit {
  return { value: withMember(object, member, value), member, describes };
}

function impossible(
  study: Study,
  place: SchemaPlace,
  names: readonly string[],
  object: JsonObject,
  name: string,
): readonly Edit[] {
  const depth = place.tokens.length + 1;
  return names
    .filter((member) => !Object.hasOwn(object, member))
    .filter((member) => study.builder.source(memberSchemas(study, place.nodes, member), depth) === undefined)
    .map((member) => ({
      ...added(object, member, 0, `${member} is a member that ${name} may not have`),
      inside: true,
    }));
}

function dependents(study: Study, place: SchemaPlace, node: SchemaNode, object: JsonObject): readonly Edit[] {
  const put = (value: JsonObject, member: string): JsonObject =>
    Object.hasOwn(value, member) ? value : withMember(value, member, valueFor(study, place, member));
  return Object.entries(mapOf(node, 'dependentRequired')).flatMap(([dependent, listed]) => {
    const needs = isArray(listed) ? listed.filter((need) => typeof need === 'string') : [];
    return needs.map((need) => {
      const full = [dependent, ...needs].reduce(put, object);
      return { ...missing(full, need), describes: `${need} is missing, which ${dependent} needs` };
    });
  });
}

function filledUp(study: Study, place: SchemaPlace, object: JsonObject, count: number): JsonObject {
  const declared = place.nodes.flatMap((node) => Object.keys(mapOf(node, 'properties')));
  const numbered = Array.from({ length: count }, (_, position) => `key${position}`);
  let value = object;
  for (const member of [...declared, ...numbered]) {
    if (Object.keys(value).length >= count) break;
    if (!Object.hasOwn(value, member)) value = withMember(value, member, valueFor(study, place, member));
  }
  return value;
}

/** A value that the schemas allow for a member; zero where they say nothing, or nothing is allowed. */
function valueFor(study: Study, place: SchemaPlace, member: string): Json {
  return (
    study.builder.source(memberSchemas(study, place.nodes, member), place.tokens.length + 1)?.smallest ?? 0
  );
}
