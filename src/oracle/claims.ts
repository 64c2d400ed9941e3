import type { HeaderList } from '../model/exchange.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  parseJson,
  pointerOf,
} from '../model/json.ts';
import { type Echo, echoOf, repeats, repeatsMember } from './claims-echo.ts';
import { type FieldPath, fieldPath, fold, isWrapper } from './claims-path.ts';
import { mentions, pageText } from './claims-prose.ts';
import {
  echoes,
  envelope,
  envelopeMarks,
  listLocators,
  locators,
  maps,
  pathLocators,
  weakLocators,
  weakMaps,
} from './claims-vocabulary.ts';

/** A field that an answer names, however surely. */
export type Claim = {
  readonly field: FieldPath;
  /** As the answer spells it. */
  readonly raw: string;
  /** `weak`: enough to hold that a field was named, not to hold that it was accused. */
  readonly evidence: 'structured' | 'weak' | 'prose';
  readonly at: JsonPointer;
  /** For prose, the words around it. */
  readonly words: string;
};

export type AnswerText = { readonly body: string; readonly headers: HeaderList };
export type RequestText = { readonly path: string; readonly body: string | undefined };

type Tokens = readonly (string | number)[];
/** What an object is: the root, a map whose keys are fields, an entry of a list of errors, or neither. */
type Place =
  | { readonly kind: 'root' | 'item' | 'plain' }
  | { readonly kind: 'map'; readonly weak: boolean; readonly prefix: readonly string[] };

type Reading = { readonly echo: Echo; readonly claims: Claim[]; left: number };

const deepest = 60;
const mostValues = 20_000;

/** Every field that an answer names, in the order in which it names them. Never throws. */
export function collectClaims(answer: AnswerText, request: RequestText): readonly Claim[] {
  const reading: Reading = { echo: echoOf(request), claims: [], left: mostValues };
  const text = answer.body.replace(/^\uFEFF/, '');
  const json = parseJson(text);
  if (isArray(json) || isObject(json)) readValue(reading, json, [], { kind: 'root' });
  else if (typeof json === 'string') readText(reading, json, []);
  else readProse(reading, isPage(answer, text) ? pageText(text) : text, []);
  return reading.claims;
}

function isPage(answer: AnswerText, text: string): boolean {
  const type = answer.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return /html|xml/i.test(type) || /^\s*</.test(text);
}

function readValue(reading: Reading, value: Json, at: Tokens, place: Place): void {
  reading.left -= 1;
  if (at.length > deepest || reading.left < 0 || repeats(reading.echo, value)) return;
  if (typeof value === 'string') readText(reading, value, at);
  else if (isArray(value)) {
    const entry: Place = place.kind === 'root' ? { kind: 'item' } : place;
    value.forEach((member, index) => {
      readValue(reading, member, [...at, index], entry);
    });
  } else if (isObject(value)) readObject(reading, value, at, place);
}

/** A text is read as JSON where it begins like it, else as prose. */
function readText(reading: Reading, text: string, at: Tokens): void {
  const json = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  if (isArray(json) || isObject(json)) readValue(reading, json, [...at, '(text)'], { kind: 'root' });
  else readProse(reading, text, at);
}

function readProse(reading: Reading, text: string, at: Tokens): void {
  for (const { raw, words } of mentions(text, reading.echo)) claim(reading, [raw], raw, 'prose', at, words);
}

function readObject(reading: Reading, object: JsonObject, at: Tokens, place: Place): void {
  const enveloped = isEnvelope(object);
  const entries = Object.entries(object);
  const located = entries.some(([name, value]) => locators.has(fold(name)) && typeof value !== 'object');
  for (const [name, value] of entries) {
    const here = [...at, name];
    const folded = fold(name);
    const before = reading.claims.length;
    const isMap = maps.has(folded) || weakMaps.has(folded);
    readLocator(reading, folded, value, here, place);
    const inner = placeOf(place, name, folded, value);
    const silent = echoes.has(folded) || (place.kind === 'root' && repeatsMember(reading.echo, name, value));
    // A locator's text is the field itself, and no prose about it.
    const said = typeof value === 'string' && (locators.has(folded) || weakLocators.has(folded));
    if (!silent && !said) readValue(reading, value, here, inner);
    if (!isMap || place.kind === 'map')
      readKey(reading, { name, folded, value, here, place, before, enveloped: enveloped || located });
  }
}

function isEnvelope(object: JsonObject): boolean {
  return Object.entries(object).some(([name, value]) => {
    const folded = fold(name);
    // `{"title": ["is required"]}` is a map of fields; `{"message": ["subject is required"]}` is none.
    const isField = isTextList(value) && !/^(?:message|errors?|details?)$/.test(folded);
    return envelopeMarks.has(folded) && !isField;
  });
}

function placeOf(place: Place, name: string, folded: string, value: Json): Place {
  if (maps.has(folded) || weakMaps.has(folded)) {
    const weak = !maps.has(folded);
    if (isArray(value)) return { kind: 'item' };
    // A map within a map is the same one named twice: `errors: {fieldErrors: {...}}`.
    return { kind: 'map', weak, prefix: place.kind === 'map' ? place.prefix : [] };
  }
  if (place.kind === 'map' && !envelope.has(folded)) return { ...place, prefix: [...place.prefix, name] };
  if (place.kind === 'root' && isObject(value) && Object.hasOwn(value, '_errors'))
    return { kind: 'map', weak: true, prefix: [name] };
  return { kind: 'plain' };
}

function readLocator(reading: Reading, folded: string, value: Json, here: Tokens, place: Place): void {
  const named = folded === 'name' && place.kind === 'item';
  const weak = weakLocators.has(folded);
  if (!named && !weak && !locators.has(folded) && !listLocators.has(folded)) return;
  const evidence = weak ? 'weak' : 'structured';
  if (typeof value === 'string') {
    if (isNoField(reading.echo, folded, value)) return;
    // A sentence under a locator is prose.
    if (/\s\S+\s/.test(value)) readProse(reading, value, here);
    else claim(reading, [value], value, evidence, here);
  } else if (isArray(value) && value.every((part) => typeof part === 'string' || typeof part === 'number')) {
    if (pathLocators.has(folded)) claim(reading, value, value.join('.'), evidence, here);
    else if (isTextList(value))
      value.forEach((part, index) => {
        claim(reading, [part], part, evidence, [...here, index]);
      });
  }
}

/** A `path` that is the request's own, and addresses of documentation. */
function isNoField(echo: Echo, folded: string, value: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return true;
  return folded === 'path' && isRequestPath(echo, value.replace(/[?#].*$/s, ''));
}

function isRequestPath(echo: Echo, value: string): boolean {
  return value.startsWith('/') && echo.path.length > 1 && value.endsWith(echo.path);
}

type Key = {
  readonly name: string;
  readonly folded: string;
  readonly value: Json;
  readonly here: Tokens;
  readonly place: Place;
  readonly before: number;
  readonly enveloped: boolean;
};

/** A key that is a field itself: `{"errors": {"subject": ["is required"]}}`. */
function readKey(reading: Reading, key: Key): void {
  const { name, folded, value, place } = key;
  if (place.kind === 'plain' || name.startsWith('@') || name.startsWith('_')) return;
  if (!says(value) || repeatsMember(reading.echo, name, value)) return;
  if (place.kind === 'map') {
    const within = reading.claims.slice(key.before).some((one) => one.evidence !== 'prose');
    if (within) return;
    const own = isOwn(folded, value);
    if (own && (place.prefix.length > 0 || isObject(value))) return;
    const evidence = own || place.weak ? 'weak' : 'structured';
    claim(reading, [...place.prefix, name], [...place.prefix, name].join('.'), evidence, key.here);
    return;
  }
  if (isObject(value)) {
    if (says(value['_errors'] ?? null)) claim(reading, [name], name, 'weak', key.here);
    return;
  }
  if (place.kind === 'item' && key.enveloped) return;
  const own = envelope.has(folded);
  if (own && (!isTextList(value) || /^(?:message|error|detail)/.test(folded))) return;
  const evidence = own || key.enveloped || place.kind === 'item' ? 'weak' : 'structured';
  claim(reading, [name], name, evidence, key.here);
}

/** True for a key of a map that belongs to an envelope; a list of complaints, or Zod's `_errors`, shows that it does not. */
function isOwn(folded: string, value: Json): boolean {
  if (maps.has(folded) || weakMaps.has(folded)) return true;
  if (!envelope.has(folded) || (isObject(value) && Object.hasOwn(value, '_errors'))) return false;
  return !isTextList(value) || /^(?:msg|message|error|detail)/.test(folded);
}

/** True where a value can be a complaint: a text, a list or an object that is not empty. */
function says(value: Json): boolean {
  if (typeof value === 'string') return value !== '';
  if (isArray(value)) return value.length > 0;
  return isObject(value) && Object.keys(value).length > 0;
}

function isTextList(value: Json): value is readonly string[] {
  return isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string');
}

function claim(
  reading: Reading,
  parts: Tokens,
  raw: string,
  evidence: Claim['evidence'],
  at: Tokens,
  words = '',
): void {
  const field = fieldPath(parts);
  if (field === undefined) return;
  // `loc: ["body"]` says that the body as a whole is wrong.
  const sure = evidence === 'structured' && isWrapper(field) ? 'weak' : evidence;
  reading.claims.push({ field, raw, evidence: sure, at: pointerOf(at), words });
}
