import { isArray, isObject, type Json } from '../model/json.ts';
import { isComplaint, isErrorNode, isTextList, isVerbless, speaksOfKey } from './claims-complaint.ts';
import { fold, isWrapper } from './claims-path.ts';
import { complaints, envelope, maps, weakMaps } from './claims-vocabulary.ts';

type Tokens = readonly (string | number)[];
/** What an object is: the root, a map whose keys are fields, an entry of a list of errors, or neither. */
export type ClaimPlace =
  | { readonly kind: 'root' | 'item' | 'plain' }
  | {
      readonly kind: 'map';
      readonly weak: boolean;
      /** Its keys can be nothing but fields. */
      readonly sure: boolean;
      readonly prefix: readonly string[];
    };

/** How surely a place names a field. */
export type Evidence = 'structured' | 'weak' | 'prose' | 'doubt';

export type Key = {
  readonly name: string;
  readonly folded: string;
  readonly value: Json;
  readonly here: Tokens;
  readonly place: ClaimPlace;
  readonly before: number;
  readonly enveloped: boolean;
  /** The object says by a locator which field it is about. */
  readonly located: boolean;
  /** All members of the object say something of their keys: it is a map of fields, and no envelope. */
  readonly pure: boolean;
  /** Two or more of its members have names of an envelope. */
  readonly crowded: boolean;
  /** It is called as what was sent, and has nothing but texts. */
  readonly given: boolean;
};

/** How surely a key of the root, or of an entry of a list of errors, is a field. */
export function ofOwn({ enveloped, folded, place, pure, value }: Key, within: boolean): Evidence | undefined {
  const isSubject = speaksOfKey(value) || isErrorNode(value);
  if (isErrorNode(value) && envelope.has(folded))
    return within || place.kind === 'plain' ? undefined : 'weak';
  if (place.kind === 'plain') return undefined;
  const own = envelope.has(folded);
  const listed = maps.has(folded) || weakMaps.has(folded);
  // `{"status": [{"code": "length"}]}`; `errors` may hold the same.
  const complains = own && !within && isArray(value) && value.length > 0 && value.every(isComplaint);
  if (!isSubject && (listed || complains)) return complains ? (listed ? 'doubt' : 'weak') : undefined;
  // `{"detail": "is required"}` may speak of any field, or of one that is called so.
  if (own && !within && pure && isSubject)
    return typeof value === 'string' && complaints.has(folded) ? 'doubt' : 'weak';
  if (isObject(value)) return says(value['_errors'] ?? null) ? 'weak' : undefined;
  if (place.kind === 'item' && enveloped) return undefined;
  if (own && (!isTextList(value) || /^(?:message|error|detail)/.test(folded))) return undefined;
  return own || enveloped || place.kind === 'item' ? 'weak' : 'structured';
}

/** How surely a key of a map is a field; undefined where it belongs to an envelope. */
export function ofMap(
  { sure, weak, prefix }: Extract<ClaimPlace, { kind: 'map' }>,
  folded: string,
  value: Json,
  { flag, crowded }: { readonly flag: boolean; readonly crowded: boolean },
): Evidence | undefined {
  const first = prefix.every((token) => isWrapper({ spelt: [], inner: [], path: [fold(token)] }));
  const known = envelope.has(folded) || maps.has(folded) || weakMaps.has(folded);
  const field = flag ? 'prose' : weak ? 'weak' : 'structured';
  if (!known || (isObject(value) && Object.hasOwn(value, '_errors'))) return field;
  const ownList = /^(?:msg|message|error|detail)/.test(folded) || maps.has(folded) || weakMaps.has(folded);
  const complains = isArray(value) && value.length > 0 && value.every(isComplaint);
  if (isErrorNode(value) || (complains && (first || !ownList))) return field;
  if (isTextList(value) && !ownList) return field;
  if (first && sure) return field;
  // `{"fault": {"code": "x", "fields": {"title": {"code": "required"}}}}`: the first name may be a wrapper's.
  if (sure && isObject(value) && isComplaint(value)) return 'weak';
  if (first && (speaksOfKey(value) || (isObject(value) && isComplaint(value)))) return 'weak';
  // `errors: {title: "wrong"}` may speak of the title; `error: {code: "x", message: "y"}` does not.
  const open = weak ? typeof value === 'string' && !complaints.has(folded) : !isObject(value);
  return speaksOfKey(value) || (!crowded && (isVerbless(value) || (first && open))) ? 'doubt' : undefined;
}

/** True where a value can be a complaint: a text, a list or an object that is not empty. */
export function says(value: Json): boolean {
  if (typeof value === 'string') return value !== '';
  if (isArray(value)) return value.length > 0;
  return isObject(value) && Object.keys(value).length > 0;
}
