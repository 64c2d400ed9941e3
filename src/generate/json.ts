/** A JSON value (RFC 8259). */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** A JSON Schema 2020-12. */
export type JsonSchema = boolean | JsonObject;

/** A place in a JSON value (RFC 6901): `''` is the root, `/subject` its member. */
export type JsonPointer = string;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function pointerOf(tokens: readonly (string | number)[]): JsonPointer {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function pointerTokens(pointer: JsonPointer): readonly string[] {
  const tokens = pointer.split('/').slice(1);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a pointer, or undefined where there is none. Only own members count. */
export function valueAt(root: Json, pointer: JsonPointer): Json | undefined {
  return pointerTokens(pointer).reduce<Json | undefined>((value, token) => {
    if (isArray(value)) return /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
    return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
  }, root);
}

/** JSON with members in order of their names: equal values give equal text. */
export function canonicalJson(value: Json): string {
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
