import { boundOf, type Comparison } from '../../model/comparison.ts';
import { type Json, type JsonPointer, valueAt } from '../../model/json.ts';

export type Filter = { readonly at: JsonPointer; readonly wanted: string; readonly by?: Comparison };

/** Whether a filter lets a record pass, in whatever form it is kept; undefined where the record does not show it. */
export function passes(record: Json | undefined, filter: Filter): boolean | undefined {
  const value = valueAt(record, filter.at);
  if (Array.isArray(value)) {
    // A query field such as `tag` asks for one of several values.
    const each = value.map((one: Json) => isFit(one, filter));
    if (each.includes(true)) return true;
    return each.includes(undefined) ? undefined : false;
  }
  return value === undefined ? undefined : isFit(value, filter);
}

function isFit(value: Json, { by = 'equal', wanted }: Filter): boolean | undefined {
  const same = isSame(value, wanted);
  if (by === 'equal' || same !== false) return same;
  if (by === 'words') return typeof value === 'string' && mayShareWord(value, wanted) ? undefined : false;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const shown = String(value);
  const above = distance(shown, wanted);
  // Neither a date nor a number, such as the name of who sent a message.
  if (above === undefined) return [shown, wanted].some((one) => /^[-+]?\d/.test(one)) ? undefined : false;
  // What is kept more exactly than it is shown, or less.
  if (Number.isNaN(number(shown)) && Math.abs(above) < 1000) return undefined;
  const isWithin = boundOf(by) === 'least' ? above > 0 : above < 0;
  // Only a bound lets it pass, and the filter may be none.
  return isWithin && (by === 'equal-or-least' || by === 'equal-or-most') ? undefined : isWithin;
}

/** How far a number, or a date, lies above another one. */
function distance(shown: string, wanted: string): number | undefined {
  return [number, moment, day]
    .map((read) => read(shown) - read(wanted))
    .find((difference) => !Number.isNaN(difference));
}

/** A search may find what has one of the words, or another form of it. */
function mayShareWord(shown: string, wanted: string): boolean {
  const [has, asked] = [shown, wanted].map((text) =>
    plain(text)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ''),
  );
  const isAlike = (one: string, other: string): boolean =>
    one.startsWith(other.slice(0, 3)) || other.startsWith(one.slice(0, 3));
  return (has ?? []).some((one) => (asked ?? []).some((other) => isAlike(one, other)));
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

/** NaN where the text is no date without a time. */
function day(text: string): number {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text).getTime() : Number.NaN;
}
