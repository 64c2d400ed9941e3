import { isArray, isObject, type Json, type JsonObject } from '../model/json.ts';
import { sentJson } from '../model/response.ts';
import { percentDecoded } from '../model/text.ts';

/** What a request said, so that a response that repeats it is not taken for a statement about it. */
export type Echo = {
  readonly path: string;
  readonly body: Json | undefined;
  /** Objects and arrays of the body that are not empty. */
  readonly parts: readonly Json[];
  /** Texts to take out of prose, longest first. */
  readonly texts: readonly string[];
};

const deepest = 40;
const mostParts = 200;

export function echoOf(request: { readonly path: string; readonly body: string | undefined }): Echo {
  const body = sentJson(request);
  const parts: Json[] = [];
  const texts = new Set<string>();
  if (request.body !== undefined && request.body.length > 2) texts.add(request.body);
  if (body !== undefined) gather(body, parts, texts, 0);
  return {
    path: request.path.replace(/[?#].*$/s, ''),
    body,
    parts,
    texts: [...texts].sort((one, other) => other.length - one.length),
  };
}

/** True where a text is the path of the request, under a prefix or not, encoded or not. */
export function isRequestPath({ path }: Echo, text: string): boolean {
  const plain = (one: string): string => percentDecoded(one) ?? one;
  return text.startsWith('/') && path.length > 1 && plain(text).endsWith(plain(path));
}

/** True where an object or array of the response is one that the request sent. */
export function repeats(echo: Echo, value: Json): boolean {
  return echo.parts.some((part) => same(part, value, 0));
}

/** True where the response's root member is the request's own. */
export function repeatsMember(echo: Echo, name: string, value: Json): boolean {
  return isObject(echo.body) && Object.hasOwn(echo.body, name) && same(echo.body[name] ?? null, value, 0);
}

/** Texts that are no plain word are taken out: a value that looks like a field's name could be one. */
function gather(value: Json, parts: Json[], texts: Set<string>, depth: number): void {
  if (depth > deepest || parts.length >= mostParts || texts.size >= mostParts) return;
  if (typeof value === 'string') {
    if (value.length > 2 && !/^[\p{L}\p{N}_.$-]+$/u.test(value)) texts.add(value);
    return;
  }
  const members = isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  if (members.length === 0) return;
  parts.push(value);
  texts.add(compact(value, depth));
  for (const member of members) gather(member, parts, texts, depth + 1);
}

/** The text of a part; of one that is nested too deep to be written, nothing that could occur. */
function compact(value: Json, depth: number): string {
  return depth > 8 || isDeep(value, 0) ? '\u0000' : JSON.stringify(value);
}

function isDeep(value: Json, depth: number): boolean {
  if (depth > deepest) return true;
  const members = isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return members.some((member) => isDeep(member, depth + 1));
}

function same(one: Json, other: Json, depth: number): boolean {
  if (depth > deepest) return false;
  if (isArray(one))
    return (
      isArray(other) &&
      one.length === other.length &&
      one.every((member, at) => same(member, other[at] ?? null, depth + 1))
    );
  if (isObject(one)) return isObject(other) && sameMembers(one, other, depth);
  return one === other;
}

function sameMembers(one: JsonObject, other: JsonObject, depth: number): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) => Object.hasOwn(other, name) && same(one[name] ?? null, other[name] ?? null, depth + 1),
    )
  );
}
