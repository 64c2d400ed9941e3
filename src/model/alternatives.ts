import { isArray, isObject, type Json, type JsonSchema, valueAt } from './json.ts';

export function listAt(schema: Json, keyword: string): readonly Json[] {
  const list = isObject(schema) ? schema[keyword] : undefined;
  return isArray(list) ? list : [];
}

export function referred(root: JsonSchema, schema: Json): Json | undefined {
  const ref = isObject(schema) ? schema['$ref'] : undefined;
  return typeof ref === 'string' && ref.startsWith('#') ? valueAt(root, ref.slice(1)) : undefined;
}

/** What a reference stands for; a member may be one, and one of one. */
export function followed(root: JsonSchema, schema: Json): Json {
  const trail: Json[] = [];
  let at = schema;
  for (;;) {
    const target = referred(root, at);
    if (target === undefined || trail.includes(target)) return at;
    trail.push(target);
    at = target;
  }
}

/** Keywords that say nothing of a value. */
const REMARKS = new Set(['title', 'description', 'default', 'example', 'examples', 'deprecated']);

/** What a schema says through one other: generators wrap a reference in `allOf`, `anyOf` or `oneOf` to say something next to it. */
function unwrapped(root: JsonSchema, schema: Json): Json {
  const member = followed(root, schema);
  if (!isObject(member)) return member;
  const keyword = ['allOf', 'anyOf', 'oneOf'].find((each) => Object.hasOwn(member, each)) ?? '';
  const { [keyword]: branches, ...rest } = member;
  const [only, ...others] = listAt(member, keyword);
  const alone = only === undefined || others.length > 0 ? undefined : followed(root, only);
  if (!isObject(alone) || alone === member) return member;
  const isSaidTwice = Object.keys(rest).some((name) => !REMARKS.has(name) && Object.hasOwn(alone, name));
  return isSaidTwice ? member : { ...rest, ...alone };
}

/** What a value is if it is not null: generators write one that may be null as one of two alternatives. */
export function withoutNull(root: JsonSchema, schema: Json): Json {
  const member = followed(root, schema);
  if (!isObject(member)) return member;
  const keyword = ['anyOf', 'oneOf'].find((each) => Object.hasOwn(member, each)) ?? '';
  const { [keyword]: branches, ...rest } = member;
  const others = listAt(member, keyword).filter((branch) => !isObject(branch) || branch['type'] !== 'null');
  const [only] = others;
  if (only === undefined || others.length > 1 || others.length === listAt(member, keyword).length)
    return member;
  const alone = followed(root, only);
  return isObject(alone) ? { ...rest, ...alone } : member;
}

/** The schema of a value that is sent as text, which null is not. */
export function ofText(schema: JsonSchema): JsonSchema {
  if (!isObject(schema)) return schema;
  const alone = unwrapped(schema, withoutNull(schema, schema));
  if (!isObject(alone)) return schema;
  const { $defs } = schema;
  const { type } = alone;
  const types = listAt(alone, 'type').filter((one) => one !== 'null');
  return {
    ...alone,
    ...(isArray(type) && types.length > 0 ? { type: types.length === 1 ? (types[0] ?? type) : types } : {}),
    ...(isArray(alone['enum']) ? { enum: alone['enum'].filter((one) => one !== null) } : {}),
    ...($defs === undefined ? {} : { $defs }),
  };
}
