import { type Json, type JsonPointer, textsIn } from './json.ts';

/** How a body is marked where no text has room for the usual marker: its record is known by the whole value. */
export type MarkerForm =
  /** The usual marker with fixed text around it. */
  | { readonly kind: 'text'; readonly before: string; readonly after: string }
  /** Characters, each of one of these sets. */
  | { readonly kind: 'characters'; readonly sets: readonly CharacterSet[] }
  | { readonly kind: 'number'; readonly least: number; readonly step: number; readonly count: number };

/** Characters to choose from, and how many are chosen. */
export type CharacterSet = readonly [characters: string, count: number];

/** A member of a body that can carry a marker of a form. */
export type Mark = { readonly at: JsonPointer; readonly form: MarkerForm };

/** What all usual markers begin with, those of other runs too. */
export const markerBeginning = 'asy-';
export const usualMarkers = /asy-[0-9a-f]{16}/g;
const inAnyCase = new RegExp(usualMarkers, 'gi');

/** The usual markers in what a service shows; it may store texts in another case than they were sent in. */
export function shownMarkers(text: string): readonly string[] {
  return text.match(inAnyCase)?.map((marker) => marker.toLowerCase()) ?? [];
}

/** Whether what a service shows has a marker, the usual one in whatever case. */
export function hasMarker(text: string, marker: string): boolean {
  return text.includes(marker) || (isUsual(marker) && text.toLowerCase().includes(marker));
}

/** Whether a marker has the usual form, which nothing else has. */
export function isUsual(marker: string): boolean {
  return marker.startsWith(markerBeginning);
}

/** Whether others may have the same marker by chance: a number of few digits. */
export function isWeak(marker: string): boolean {
  return /^\d{1,11}$/.test(marker);
}

/** The marker of a form that hexadecimal digits choose; undefined for the usual one. */
export function formedMarker(form: MarkerForm | undefined, digits: string): string | undefined {
  if (form === undefined || form.kind === 'text') return undefined;
  let rest = BigInt(`0x${digits}`);
  const below = (count: number): number => {
    const chosen = Number(rest % BigInt(count));
    rest /= BigInt(count);
    return chosen;
  };
  if (form.kind === 'number') return String(form.least + form.step * below(form.count));
  return form.sets
    .flatMap(([characters, count]) =>
      Array.from({ length: count }, () => characters[below(characters.length)] ?? ''),
    )
    .join('');
}

/** The value of the member that carries a marker of a form. */
export function markedValue(form: MarkerForm, marker: string): Json {
  if (form.kind === 'number') return Number(marker);
  return form.kind === 'text' ? `${form.before}${marker}${form.after}` : marker;
}

/** The shortest text up to a marker, of the texts of a record that have it. */
export function headOf(record: Json, marker: string): string | undefined {
  const heads = textsIn(record).flatMap((text) => {
    const at = text.toLowerCase().indexOf(marker.toLowerCase());
    return at < 0 ? [] : [text.slice(0, at + marker.length).toLowerCase()];
  });
  return heads.toSorted((one, other) => one.length - other.length)[0];
}

/** Whether a record has the text of another one behind words of its own: `Trash of Holidays` comes with `Holidays`. */
export function isCompanion(head: string | undefined, others: readonly (string | undefined)[]): boolean {
  return (
    head !== undefined &&
    others.some((other) => other !== undefined && other.length < head.length && head.endsWith(` ${other}`))
  );
}

/** Scalars of a value as texts, and what stands between their blanks and punctuation. */
export function* tokensOf(value: Json): Iterable<string> {
  if (typeof value === 'number') yield String(value);
  else if (typeof value === 'string') {
    yield value;
    for (const separators of [/[^0-9A-Za-z]+/, /[^0-9A-Za-z-]+/, /[\s/?#&=,;:"']+/]) {
      const parts = value.split(separators);
      if (parts.length > 1) yield* parts;
    }
  } else if (value !== null && typeof value === 'object')
    for (const member of Object.values(value)) yield* tokensOf(member);
}
