import { isArray, isObject, type Json, type JsonObject, type JsonSchema } from './json.ts';
import { sampleOfPattern } from './pattern-strings.ts';
import type { SchemaIndex, SchemaNode } from './references.ts';

/** Ways to fail a schema, each a schema; one for what cannot be negated says only to which type it applies. */
export function negations(index: SchemaIndex, node: SchemaNode): readonly SchemaNode[] {
  if (node.schema === true) return [];
  if (!isObject(node.schema)) return [index.standIn(node, 'any', true)];
  const { schema } = node;
  const target = (keyword: '$ref' | '$dynamicRef'): readonly SchemaNode[] => {
    const found = typeof schema[keyword] === 'string' ? index.target(node, keyword) : undefined;
    return found === undefined || found.key === node.key ? [] : negations(index, found);
  };
  const inner = index.child(node, 'not');
  const here = Object.keys(schema)
    .flatMap((keyword) => opposites(keyword, schema))
    .map((opposite, position) => index.standIn(node, `not-${position}`, opposite));
  return [...here, ...target('$ref'), ...target('$dynamicRef'), ...(inner === undefined ? [] : [inner])];
}

const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

function opposites(keyword: string, schema: JsonObject): readonly JsonSchema[] {
  const value = schema[keyword];
  if (value === undefined) return [];
  const listed = isArray(value) ? value : [];
  const mapped = isObject(value) ? Object.entries(value) : [];
  const number = typeof value === 'number' ? value : 0;
  switch (keyword) {
    case 'type':
      return [withoutTypes(listed.length > 0 ? listed : [value])];
    case 'const':
    case 'enum':
      return [true];
    case 'minLength':
      return [{ type: 'string', maxLength: number - 1 }];
    case 'maxLength':
      return [{ type: 'string', minLength: number + 1 }];
    case 'pattern':
    case 'format':
      return [{ type: 'string' }];
    case 'minimum':
      return [{ type: 'number', exclusiveMaximum: number }];
    case 'maximum':
      return [{ type: 'number', exclusiveMinimum: number }];
    case 'exclusiveMinimum':
      return [{ type: 'number', maximum: number }];
    case 'exclusiveMaximum':
      return [{ type: 'number', minimum: number }];
    case 'multipleOf':
      return [{ type: 'number' }];
    case 'minItems':
      return [{ type: 'array', maxItems: number - 1 }];
    case 'maxItems':
      return [{ type: 'array', minItems: number + 1 }];
    case 'uniqueItems':
      return value === true
        ? [
            { type: 'array', minItems: 2, items: { const: 0 } },
            { type: 'array', minItems: 2 },
          ]
        : [];
    case 'prefixItems':
      return listed.map((item, position) => itemFails(position, item));
    case 'items':
      return [itemFails(isArray(schema['prefixItems']) ? schema['prefixItems'].length : 0, value)];
    case 'contains':
      return containsFails(schema, value);
    case 'minProperties':
      return [{ type: 'object', maxProperties: number - 1 }];
    case 'maxProperties':
      return [{ type: 'object', minProperties: number + 1 }];
    case 'required':
      return listed.flatMap((name) =>
        typeof name === 'string' ? [{ type: 'object', properties: own(name, false) }] : [],
      );
    case 'properties':
      return mapped.map(([name, member]) => memberFails(name, member));
    case 'patternProperties':
      return mapped.flatMap(([pattern, member]) => {
        const name = sampleOfPattern(pattern);
        return name === undefined ? [] : [memberFails(name, member)];
      });
    case 'additionalProperties':
      return [memberFails('other', value), memberFails('0', value)];
    case 'propertyNames':
      return [{ type: 'object', minProperties: 1, propertyNames: { not: value } }];
    case 'dependentRequired':
      return mapped.flatMap(([name, needs]) =>
        isArray(needs)
          ? needs.flatMap((need) =>
              typeof need === 'string'
                ? [{ type: 'object', required: [name], properties: own(need, false) }]
                : [],
            )
          : [],
      );
    case 'dependentSchemas':
      return mapped.map(([name, dependent]) => ({ type: 'object', required: [name], not: dependent }));
    case 'allOf':
      return listed.map((branch) => ({ not: branch }));
    case 'anyOf':
      return [{ allOf: listed.map((branch) => ({ not: branch })) }];
    case 'oneOf':
      return [
        { allOf: listed.map((branch) => ({ not: branch })) },
        ...pairs(listed).map((pair) => ({ allOf: pair })),
      ];
    case 'if':
      return [
        ...('then' in schema ? [{ allOf: [value, { not: schema['then'] ?? true }] }] : []),
        ...('else' in schema ? [{ allOf: [{ not: value }, { not: schema['else'] ?? true }] }] : []),
      ];
    case 'unevaluatedItems':
      return [{ type: 'array', minItems: 1 }];
    case 'unevaluatedProperties':
      return [{ type: 'object', minProperties: 1 }];
    default:
      return [];
  }
}

function withoutTypes(types: readonly Json[]): JsonSchema {
  const others = TYPES.filter(
    (type) => !types.includes(type) && !(type === 'integer' && types.includes('number')),
  );
  if (others.length === 0) return false;
  return types.includes('integer') ? { type: others, not: { type: 'integer' } } : { type: others };
}

function itemFails(position: number, item: Json): JsonSchema {
  const before = Array.from({ length: position }, () => true);
  return { type: 'array', minItems: position + 1, prefixItems: [...before, { not: item }] };
}

function containsFails(schema: JsonObject, contained: Json): readonly JsonSchema[] {
  const { minContains = 1, maxContains } = schema;
  const few: JsonSchema[] = minContains === 0 ? [] : [{ type: 'array', items: { not: contained } }];
  return typeof maxContains === 'number'
    ? [...few, { type: 'array', minItems: maxContains + 1, items: contained }]
    : few;
}

function memberFails(name: string, member: Json): JsonSchema {
  return { type: 'object', required: [name], properties: own(name, { not: member }) };
}

function own(name: string, value: Json): JsonObject {
  return Object.fromEntries([[name, value]]);
}

function pairs(list: readonly Json[]): readonly (readonly [Json, Json])[] {
  const all = list.flatMap((one, position) => list.slice(position + 1).map((other) => [one, other] as const));
  return all.slice(0, 12);
}
