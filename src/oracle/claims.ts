import { type HeaderList, headerOf } from '../model/exchange.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  parseJson,
  pointerOf,
} from '../model/json.ts';
import { rememberedWith } from '../model/remembered.ts';
import {
  hasComplaint,
  isComplaint,
  isComplaintMap,
  isEnvelope,
  isErrorNode,
  isErrorTree,
  isStatement,
  isTextList,
  isVerbless,
  speaksOfKey,
} from './claims-complaint.ts';
import { type Echo, echoOf, isRequestPath, repeats, repeatsMember } from './claims-echo.ts';
import { type ClaimPlace, type Evidence, type Key, ofMap, ofOwn, says } from './claims-keys.ts';
import { elementsOf, type FieldPath, fieldPath, fold, isWrapper } from './claims-path.ts';
import { printedComplaints } from './claims-printed.ts';
import { mentions, pageText } from './claims-prose.ts';
import {
  echoes,
  envelope,
  fieldMaps,
  givens,
  hints,
  isWeakLocator,
  listLocators,
  locatesByTokens,
  locators,
  maps,
  problemHeader,
  weakMaps,
} from './claims-vocabulary.ts';
import { isXml, xmlLeaves } from './claims-xml.ts';

/** A field that a response names, however surely. */
export type Claim = {
  readonly field: FieldPath;
  /** As the response spells it. */
  readonly raw: string;
  /**
   * `weak`: enough to hold that a field was named, not to hold that it was accused. `doubt`: the place may as well be
   * the envelope's own.
   */
  readonly evidence: Evidence;
  readonly at: JsonPointer;
  readonly words: string;
};

/** `truncated`: the body was longer than what was kept. */
export type ResponseText = {
  readonly body: string;
  readonly headers: HeaderList;
  readonly truncated?: boolean;
};
export type RequestText = { readonly path: string; readonly body: string | undefined };

type Tokens = readonly (string | number)[];
type Collection = { readonly echo: Echo; readonly claims: Claim[]; left: number };

const deepest = 60;
const mostValues = 20_000;

/** Every field that a response names, in the order in which it names them. Never throws. */
export const collectClaims = rememberedWith(claimsIn);

function claimsIn(answer: ResponseText, request: RequestText): readonly Claim[] {
  const reading: Collection = { echo: echoOf(request), claims: [], left: mostValues };
  const text = answer.body.replace(/^\uFEFF/, '');
  const json = parseJson(text);
  if (isArray(json) || isObject(json)) readValue(reading, json, [], { kind: 'root' });
  else if (typeof json === 'string') readText(reading, json, []);
  else readPlain(reading, text, headerOf(answer.headers, 'content-type') ?? '');
  for (const [name, value] of answer.headers) if (problemHeader.test(name)) readHeader(reading, name, value);
  return reading.claims;
}

function readPlain(reading: Collection, text: string, type: string): void {
  if (isXml(type, text)) readXml(reading, text, []);
  const isPage = /html|xml/i.test(type) || /^\s*</.test(text);
  if (!isPage) readPrinted(reading, text, []);
  readProse(reading, isPage ? pageText(text) : text, []);
}

/** A header such as `sl-violations: [...]`, `X-Error-Field: subject` or `X-Error-Message: 'subject' is required`. */
function readHeader(reading: Collection, name: string, value: string): void {
  const at = [`header ${name}`];
  const json = parseJson(value);
  if (isArray(json) || isObject(json)) readValue(reading, json, at, { kind: 'root' });
  else if (/(?:fields?|params?|parameters?)$/i.test(name))
    for (const part of value.split(/[,;\s]+/)) claim(reading, [part], part, 'weak', at);
  else readProse(reading, value, at);
}

/** `<violation field="subject">`, `<field>subject</field>`, `<subject>is required</subject>`. */
function readXml(reading: Collection, text: string, at: Tokens): void {
  for (const leaf of xmlLeaves(text)) {
    for (const [name, value] of [...leaf.attributes, [leaf.name, leaf.text] as const])
      if (value !== '' && (locators.has(fold(name)) || isWeakLocator(fold(name)) || fold(name) === 'name'))
        readLocator(reading, fold(name), value, [...at, name], { kind: 'item' });
    if (speaksOfKey(leaf.text))
      claim(reading, [leaf.name], leaf.name, envelope.has(fold(leaf.name)) ? 'doubt' : 'weak', [
        ...at,
        leaf.name,
      ]);
  }
}

function readValue(reading: Collection, value: Json, at: Tokens, place: ClaimPlace): void {
  reading.left -= 1;
  if (at.length > deepest || reading.left < 0 || repeats(reading.echo, value)) return;
  if (typeof value === 'string') {
    if (place.kind === 'item' && isName(value)) claim(reading, [value], value, 'prose', at, value);
    readText(reading, value, at);
  } else if (isArray(value)) {
    const entry: ClaimPlace = place.kind === 'root' ? { kind: 'item' } : place;
    value.forEach((member, index) => {
      readValue(reading, member, [...at, index], entry);
    });
  } else if (isObject(value)) readObject(reading, value, at, place);
}

/** A text is read as JSON where it begins like it, else as prose. */
function readText(reading: Collection, text: string, at: Tokens): void {
  const json = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  if (isArray(json) || isObject(json)) readValue(reading, json, [...at, '(text)'], { kind: 'root' });
  else {
    if (isXml('', text)) readXml(reading, text, at);
    readPrinted(reading, text, at);
    readProse(reading, text, at);
  }
}

/** What a sentence shows may as well be an example: enough to hold that a field was named, not to accuse. */
function readPrinted(reading: Collection, text: string, at: Tokens): void {
  const before = reading.claims.length;
  for (const complaints of printedComplaints(text))
    readValue(reading, complaints, [...at, '(text)'], { kind: 'root' });
  for (const one of reading.claims.splice(before))
    reading.claims.push(one.evidence === 'structured' ? { ...one, evidence: 'weak' } : one);
}

/** True for a text that is a path or one word. */
function isName(text: string): boolean {
  return /^[\p{L}_$/#][\p{L}\p{N}_$./[\]#-]{0,120}$/u.test(text);
}

function readProse(reading: Collection, text: string, at: Tokens): void {
  for (const { raw, words } of mentions(text, reading.echo)) claim(reading, [raw], raw, 'prose', at, words);
}

function readObject(reading: Collection, object: JsonObject, at: Tokens, place: ClaimPlace): void {
  // JSON Schema lists what passed as well: `{valid: true, instanceLocation: "/subject"}`.
  if (at.length > 0 && object['valid'] === true) return;
  const enveloped = isEnvelope(object);
  // The keys of `fieldErrors` are fields, whatever they are called; unless it is one complaint.
  const mapped = place.kind === 'map' && place.sure && place.prefix.length === 0 && !isComplaint(object);
  const entries = Object.entries(object);
  const located = entries.some(
    ([name, value]) =>
      !mapped &&
      !isStatement(value) &&
      ((locators.has(fold(name)) && typeof value !== 'object') ||
        (listLocators.has(fold(name)) && isTextList(value))),
  );
  const hasPath = entries.some(([name, value]) => locatesByTokens(fold(name)) && isTextList(value));
  const pure = entries.every(
    ([, value]) => speaksOfKey(value) || isErrorNode(value) || isTextList(value) || isObject(value),
  );
  const crowded =
    entries.filter(([name]) => envelope.has(fold(name))).length > 1 &&
    !entries.every(([, value]) => isVerbless(value));
  const given =
    givens.has(fold(String(at.at(-1) ?? ''))) &&
    entries.every(([, value]) => typeof value === 'string' || isTextList(value));
  for (const [name, value] of entries) {
    const here = [...at, name];
    const folded = fold(name);
    const before = reading.claims.length;
    if (hints.has(folded) && !mapped && !isOfField(value, place, isComplaint(object))) continue;
    // The name next to a path may be that of what failed: `{"path": ["subject"], "name": "type"}`.
    const isNamed = folded === 'name' && (place.kind !== 'item' || located || hasPath) && isComplaint(object);
    if (!mapped) readLocator(reading, isNamed ? 'label' : folded, value, here, place);
    const inner = placeOf(place, name, folded, value);
    const silent =
      (echoes.has(folded) && !isRefusal(value, place)) ||
      (place.kind === 'root' && repeatsMember(reading.echo, name, value));
    // A locator's text is the field itself, and no prose about it.
    const said = typeof value === 'string' && (locators.has(folded) || isWeakLocator(folded));
    const parts = locators.has(folded) ? elementsOf(value) : undefined;
    if (parts !== undefined) claim(reading, parts, parts.join('.'), 'structured', here);
    else if (!silent && !said) readValue(reading, value, here, inner);
    readKey(reading, {
      name,
      folded,
      value,
      here,
      place,
      before,
      enveloped: enveloped || located,
      located,
      pure,
      crowded,
      given,
    });
  }
}

function placeOf(place: ClaimPlace, name: string, folded: string, value: Json): ClaimPlace {
  const further = { ...place, prefix: place.kind === 'map' ? [...place.prefix, name] : [] };
  if (further.kind === 'map' && isErrorNode(value)) return further;
  if (maps.has(folded) || weakMaps.has(folded) || (folded === 'nested' && place.kind === 'map')) {
    const weak = !maps.has(folded);
    // `errors: {detail: ["is required"]}` is a field of that name.
    if (isArray(value)) return { kind: place.kind === 'map' && isTextList(value) ? 'plain' : 'item' };
    // A map within a map is the same one named twice: `errors: {fieldErrors: {...}}`.
    return {
      kind: 'map',
      weak,
      sure: fieldMaps.has(folded),
      prefix: place.kind === 'map' ? place.prefix : [],
    };
  }
  if (further.kind === 'map' && !envelope.has(folded)) return further;
  if (place.kind === 'root' && isObject(value) && Object.hasOwn(value, '_errors'))
    return { kind: 'map', weak: true, sure: false, prefix: [name] };
  if (isComplaintMap(value))
    return {
      kind: 'map',
      weak: true,
      sure: fieldMaps.has(folded),
      prefix: envelope.has(folded) || fieldMaps.has(folded) ? [] : [name],
    };
  // Nested members, as Django REST and Rails write them: `{"contact": {"email": ["is required"]}}`.
  const nested = isObject(value) || (isArray(value) && value.every(isObject));
  if (place.kind === 'root' && nested && !envelope.has(folded) && hasComplaint(value))
    return { kind: 'map', weak: true, sure: false, prefix: [name] };
  return { kind: 'plain' };
}

function readLocator(
  reading: Collection,
  folded: string,
  value: Json,
  here: Tokens,
  place: ClaimPlace,
): void {
  const named = folded === 'name' && place.kind === 'item';
  const weak = isWeakLocator(folded);
  if (!named && !weak && !locators.has(folded) && !listLocators.has(folded)) return;
  // `{"Fields": "required"}` may complain of a field of that name.
  const evidence = weak || isVerbless(value) ? 'weak' : 'structured';
  if (typeof value === 'string') {
    if (isNoField(reading.echo, folded, value)) return;
    if (isStatement(value)) readProse(reading, value, here);
    else claim(reading, [value], value, evidence, here);
  } else if (isArray(value) && value.every((part) => typeof part === 'string' || typeof part === 'number')) {
    if (value.some(isStatement)) return;
    if (locatesByTokens(folded)) claim(reading, value, value.join('.'), evidence, here);
    else if (isTextList(value))
      value.forEach((part, index) => {
        claim(reading, [part], part, evidence, [...here, index]);
      });
  }
}

/** True where what stands under a hint's name is a complaint about a field of that name. */
function isOfField(value: Json, place: ClaimPlace, inComplaint: boolean): boolean {
  if (isErrorTree(value) || isErrorNode(value) || speaksOfKey(value)) return true;
  return (
    !inComplaint &&
    place.kind === 'map' &&
    !place.weak &&
    place.prefix.length === 0 &&
    typeof value !== 'string'
  );
}

/** What a body wraps its errors in: `{"exception": {"message": "...", "errors": [...]}}`. */
function isRefusal(value: Json, place: ClaimPlace): boolean {
  return place.kind === 'root' && isObject(value) && (isEnvelope(value) || isComplaintMap(value));
}

/** A path that is the request's own, and addresses of documentation. */
function isNoField(echo: Echo, folded: string, value: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return true;
  if (folded === 'location' && /^(?:body|query|querystring|headers?|path|params?|cookies?)$/i.test(value))
    return true;
  return folded.endsWith('path') && isRequestPath(echo, value.replace(/[?#].*$/s, ''));
}

/** A key that is a field itself: `{"errors": {"subject": ["is required"]}}`. */
function readKey(reading: Collection, key: Key): void {
  const { name, folded, value, place } = key;
  if (name.startsWith('@') || name.startsWith('_')) return;
  const flag = place.kind === 'map' && (value === true || typeof value === 'number');
  if (!(says(value) || flag) || repeatsMember(reading.echo, name, value)) return;
  const within = reading.claims
    .slice(key.before)
    .some(({ evidence }) => evidence === 'structured' || evidence === 'weak');
  if (place.kind === 'map') {
    // `{"severity": {"message": "must be one of ..."}}` may speak of a field called severity, or of one called message.
    const isBoth = envelope.has(folded) && isComplaint(value) && speaksOfKey(value);
    if ((within && !isBoth) || (key.located && envelope.has(folded))) return;
    const evidence = ofMap(place, folded, value, { flag, crowded: key.crowded });
    if (evidence === undefined) return;
    const path = [...place.prefix, name];
    claim(reading, path, path.join('.'), evidence, key.here, flag ? name : '');
    return;
  }
  const may = envelope.has(folded) && !within && !key.located;
  // `params: {title: "Required"}` may speak of the title.
  const doubt = may && (key.given || (!key.crowded && isVerbless(value))) ? 'doubt' : undefined;
  const evidence = ofOwn(key, within) ?? doubt;
  if (evidence !== undefined) claim(reading, [name], name, evidence, key.here);
}

function claim(
  reading: Collection,
  parts: Tokens,
  raw: string,
  evidence: Evidence,
  at: Tokens,
  words = '',
): void {
  const field = fieldPath(parts);
  if (field === undefined) return;
  // `loc: ["body"]` says that the body as a whole is wrong.
  const sure = evidence === 'structured' && isWrapper(field) ? 'weak' : evidence;
  reading.claims.push({ field, raw, evidence: sure, at: pointerOf(at), words });
}
