import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  pointerTokens,
} from '../../model/json.ts';
import { wordsOf } from '../../model/name-words.ts';
import { secret } from './changes.ts';
import { delicate, saysNothing } from './record-changes.ts';
import { isBookkeeping } from './removal.ts';

/** Who takes part may have to agree first, and what a record has been moved to may only be asked for. */
export const oneSided = /assign|approver|reviewer|invite|owner|transfer|request|propos|next|new/i;

/** What a client may set to any value without more: neither a name of a record, nor a secret, nor a right. */
export function isPlain(at: JsonPointer, value: Json): boolean {
  const names = pointerTokens(at);
  const isDelicate = (name: string): boolean => delicate.test(name) && !ofAddress.test(name);
  if (names.some((name) => secret.test(name) || isDelicate(name)) || isBookkeeping(at)) return false;
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'boolean') return !ofState.test(names.at(-1) ?? '');
  if (isArray(value) || isObject(value))
    return !saysNothing(value) && !names.some((name) => granted.test(name) || oneSided.test(name));
  if (typeof value !== 'string' || value.length > longest || saysNothing(value)) return false;
  return clean.test(value);
}

/** It names no record, as other codes do. */
const ofAddress = /^(post|postal|zip)[_-]?code$/i;
const longest = 200;
/** What has no markup and no control character: nothing takes it out of a text. */
const clean = /^[^<>&\p{C}]*[\p{L}\p{N}][^<>&\p{C}]*$/u;
/** Flags that say what became of a record, which of several it is, or how much it matters. */
const ofState =
  /(ed|ing|able|active|admin|consent|current|default|final|live|main|open|paid|primary|priority|private|public|ready|urgent|valid|visible)$|approv|factor|mfa|newsletter|opt(In|Out)|subscri/i;
/** Choices that are neither a state nor a right, nor what a record is, or what a service may find out by itself. */
const ofChoice =
  /(channel|colou?r|cycle|frequency|interval|layout|length|month|period|season|shape|size|style|units?|weekdays?)$/i;
const ofKind = /kind|level|mode|phase|role|stage|stat(e|us)|step|type/i;
/** What somebody else may have to give, to check or to take part in, and what names records. */
const granted =
  /access|account|attach|card|contact|document|file|grant|image|member|participant|payment|permission|photo|privilege|recipient|right|role|scope|(^|[a-z_])(ids|refs|codes)$|(Ids|Refs|Keys|Codes)$/;

/** Whether one of several values is chosen freely; numbers are, but for those that stand for a state or a kind. */
export function isChoice(at: JsonPointer, values: readonly Json[]): boolean {
  const name = pointerTokens(at).at(-1) ?? '';
  return ofChoice.test(name) || (values.every((value) => typeof value === 'number') && !ofKind.test(name));
}

/** Forms that no one has to confirm. */
const plainForm =
  /^(u?int(8|16|32|64)|float|double|decimal|date|date-time|time|duration|hostname|ipv4|ipv6)$/;
/** Texts of such a form, by their names: a pattern says no more of them than the format would. */
const plainlyFormed = /^(zip|date|day|time|hours?|starts|begins|ends|opens|closes|colou?r)$/;

/** Whether a schema wants a form that somebody may have to confirm, as that of an address for messages or of an account. */
export function isOfForm(at: JsonPointer, schema: JsonObject): boolean {
  if ('format' in schema) return !plainForm.test(String(schema['format']));
  const name = pointerTokens(at).at(-1) ?? '';
  const isPlainly = ofAddress.test(name) || wordsOf(name).some((word) => plainlyFormed.test(word));
  return 'pattern' in schema && !isPlainly;
}
