import { type Json, type JsonPointer, valueAt } from '../../model/json.ts';

export type Filter = { readonly at: JsonPointer; readonly wanted: string };

/** Whether a filter lets a record pass, in whatever form it is kept; undefined where the record does not show it. */
export function passes(record: Json | undefined, { at, wanted }: Filter): boolean | undefined {
  const value = valueAt(record, at);
  if (Array.isArray(value)) {
    // A query field such as `tag` asks for one of several values.
    const each = value.map((one: Json) => isSame(one, wanted));
    if (each.includes(true)) return true;
    return each.includes(undefined) ? undefined : false;
  }
  return value === undefined ? undefined : isSame(value, wanted);
}

function isSame(value: Json, wanted: string): boolean | undefined {
  if (value === null) return false;
  if (typeof value === 'object') return undefined;
  const shown = String(value);
  return (
    plain(shown) === plain(wanted) ||
    number(shown) === number(wanted) ||
    moment(shown) === moment(wanted) ||
    isNameOf(shown, wanted) ||
    isNameOf(wanted, shown)
  );
}

/** Whether a resource name (AIP-122) or an address ends in an ID: `rooms/7` names the room 7. */
function isNameOf(name: string, id: string): boolean {
  return id !== '' && /^\S+$/.test(name) && name.endsWith(`/${id}`);
}

/** Without what services take from texts before they keep them. */
function plain(text: string): string {
  return text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** NaN, which equals nothing, where the text is no number. */
function number(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

/** NaN where the text is no date, or a date without a time. */
function moment(text: string): number {
  return /^\d{4}-\d\d-\d\d[Tt ]/.test(text) ? new Date(text).getTime() : Number.NaN;
}
