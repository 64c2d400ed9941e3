import { isArray, isObject, type Json, type JsonObject } from '../../src/model/json.ts';

/** A member that a JSON Schema describes, at any depth. */
export type Row = {
  /** Such as `principals.<name>.token.env` or `waivers[].clause`. */
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly meaning: string;
  readonly default: string | undefined;
};

const nothing: JsonObject = {};
const objectAt = (schema: JsonObject, name: string): JsonObject => {
  const value = schema[name];
  return isObject(value) ? value : nothing;
};
const listAt = (schema: JsonObject, name: string): readonly Json[] => {
  const value = schema[name];
  return isArray(value) ? value : [];
};
const textAt = (schema: JsonObject, name: string): string => {
  const value = schema[name];
  return typeof value === 'string' ? value : '';
};

/** Every member of a schema, each parent before its children. References are named and not followed. */
export function rowsOf(schema: JsonObject, path = ''): readonly Row[] {
  const required = listAt(schema, 'required');
  const named = Object.entries(objectAt(schema, 'properties')).flatMap(([name, given]): readonly Row[] => {
    // A schema of `false` forbids the member.
    if (given === false) return [];
    const member = isObject(given) ? given : nothing;
    const at = path === '' ? name : `${path}.${name}`;
    return [rowOf(at, member, required.includes(name)), ...rowsOf(member, at)];
  });
  const each = schema['additionalProperties'];
  const mapped = isObject(each) ? rowsOf(each, path === '' ? '<name>' : `${path}.<name>`) : [];
  const items = schema['items'];
  const listed = isObject(items) ? rowsOf(items, `${path}[]`) : [];
  const either = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')].flatMap((one) =>
    isObject(one) ? rowsOf(one, path) : [],
  );
  return [...named, ...mapped, ...listed, ...either];
}

function rowOf(path: string, schema: JsonObject, required: boolean): Row {
  const given = schema['default'];
  return {
    path,
    type: typeOf(schema),
    required,
    meaning: textAt(schema, 'description') || textAt(objectAt(schema, 'items'), 'description'),
    default: given === undefined ? undefined : JSON.stringify(given),
  };
}

/** In words: `text`, `whole number from 1`, `list of text`. */
function typeOf(schema: JsonObject): string {
  const reference = textAt(schema, '$ref');
  if (reference !== '') return reference.replace(/^.*\//, '');
  const choices = listAt(schema, 'enum');
  if (choices.length > 0) return choices.map((choice) => `\`${String(choice)}\``).join(', ');
  if (schema['const'] !== undefined) return `\`${String(schema['const'])}\``;
  const either = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')].flatMap((one) =>
    isObject(one) && (one['type'] !== undefined || one['enum'] !== undefined || one['const'] !== undefined)
      ? [typeOf(one)]
      : [],
  );
  if (either.length > 0) return [...new Set(either)].join(' or ');
  const types = isArray(schema['type']) ? schema['type'].map(String) : [textAt(schema, 'type')];
  return types.map((type) => plainType(type, schema)).join(' or ');
}

function plainType(type: string, schema: JsonObject): string {
  switch (type) {
    case 'string':
      return textAt(schema, 'format') === '' ? 'text' : textAt(schema, 'format');
    case 'integer':
      return `whole number${rangeOf(schema)}`;
    case 'number':
      return `number${rangeOf(schema)}`;
    case 'boolean':
      return '`true` or `false`';
    case 'array': {
      const items = schema['items'];
      return isObject(items) ? `list of ${typeOf(items)}` : 'list';
    }
    case 'object': {
      const each = schema['additionalProperties'];
      return isObject(each) ? `${typeOf(each)} by name` : 'object';
    }
    default:
      return 'any';
  }
}

function rangeOf(schema: JsonObject): string {
  const { minimum, exclusiveMinimum, maximum } = schema;
  return [
    ...(minimum === undefined ? [] : [` from ${String(minimum)}`]),
    ...(exclusiveMinimum === undefined ? [] : [` above ${String(exclusiveMinimum)}`]),
    ...(maximum === undefined ? [] : [` to ${String(maximum)}`]),
  ].join('');
}
