/** A JSON value (RFC 8259). */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** A JSON Schema 2020-12 that refers to nothing outside itself. */
export type JsonSchema = boolean | JsonObject;

/** A place in a JSON value (RFC 6901): `''` is the root, `/subject` its member. */
export type JsonPointer = string;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether a value is a list without items, or an object without members. */
export function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Most pointers are those of a contract: few, and asked for again and again. */
const knownTokens = new Map<JsonPointer, readonly string[]>();
const mostKnown = 1000;

/** The reference tokens of a pointer, decoded: `/a~1b/0` gives `['a/b', '0']`. */
export function pointerTokens(pointer: JsonPointer): readonly string[] {
  const known = knownTokens.get(pointer);
  if (known !== undefined) return known;
  const tokens = tokensIn(pointer);
  if (knownTokens.size >= mostKnown) knownTokens.clear();
  knownTokens.set(pointer, tokens);
  return tokens;
}

function tokensIn(pointer: JsonPointer): readonly string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((token) => (token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token));
}

/** The inverse of {@link pointerTokens}. */
export function pointerOf(tokens: readonly (string | number)[]): JsonPointer {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The place that another is within; of the whole value the value itself. */
export function parentOf(pointer: JsonPointer): JsonPointer {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

/** The value at a pointer, or undefined where there is none. Only own members count. */
export function valueAt(root: Json | undefined, pointer: JsonPointer): Json | undefined {
  let value: Json | undefined = root;
  for (const token of pointerTokens(pointer)) {
    // Where a cursor is the ID of the last item, its place is written /items/-1/id.
    if (isArray(value)) value = /^(-1|0|[1-9]\d*)$/.test(token) ? value.at(Number(token)) : undefined;
    else if (isObject(value)) value = Object.hasOwn(value, token) ? value[token] : undefined;
    else return undefined;
  }
  return value;
}

/** A copy of `root` with the value at `pointer` set, or removed where `value` is undefined. Missing parents are made as objects. */
export function withValueAt(root: Json, pointer: JsonPointer, value: Json | undefined): Json {
  return withValue(root, pointerTokens(pointer), 0, value);
}

function withValue(root: Json, tokens: readonly string[], from: number, value: Json | undefined): Json {
  const token = tokens[from];
  if (token === undefined) return value ?? null;
  const childOf = (parent: Json | undefined): Json | undefined =>
    from === tokens.length - 1 ? value : withValue(parent ?? {}, tokens, from + 1, value);
  if (isArray(root)) {
    const index = Number(token);
    const child = childOf(root[index]);
    return child === undefined ? root.filter((_, at) => at !== index) : root.toSpliced(index, 1, child);
  }
  const object = isObject(root) ? root : {};
  const child = childOf(Object.hasOwn(object, token) ? object[token] : undefined);
  if (child !== undefined) return { ...object, [token]: child };
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== token));
}

/** Every text within a value, at any depth; names of members are none. */
export function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** JSON with members in order of their names: equal values give equal text. */
/** JSON with members in order of their names: equal values give equal text. */
export function canonicalJson(value: Json): string {
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (isObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}

/** No service nests deeper; walking deeper values would exhaust the stack. */
export const deepestJson = 256;

/** The value of a JSON text, or undefined where it is not JSON, or nested deeper than {@link deepestJson}. */
export function parseJson(text: string): Json | undefined {
  if (text.length > deepestJson && depthOf(text) > deepestJson) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const texts = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The value of a text, with whole numbers that JSON.parse takes for their neighbours as texts of their digits. */
export function exactly(text: string, value: Json | undefined): Json | undefined {
  // In text that is not JSON the search for strings would begin again at every quote.
  if (value === undefined || !/\d{16}/.test(text)) return value;
  return parseJson(
    text.replace(texts, (token) =>
      /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
    ),
  );
}

function depthOf(text: string): number {
  // Most texts have fewer brackets than would be too deep: then strings need no special care.
  let brackets = 0;
  for (let at = 0; at < text.length; at += 1) if ((text.charCodeAt(at) & 0xffdf) === 0x5b) brackets += 1;
  if (brackets <= deepestJson) return brackets;
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if ((code & 0xffdf) === 0x5b) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if ((code & 0xffdf) === 0x5d) depth -= 1;
  }
  return deepest;
}

export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A JSON number, or a text that is a decimal one, as money often is. */
export function numberIn(value: Json): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : undefined;
}
