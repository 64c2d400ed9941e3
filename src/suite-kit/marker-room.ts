import { type Json, type JsonPointer, valueAt, withValueAt } from '../model/json.ts';

/** The marker as the engine appends it. */
export const appended = ' asy-0123456789abcdef';

/**
 * A valid body whose text leaves room for the marker: where the marker would make the text too long, it loses as much at its
 * end. A body that is invalid anyway stays as it is.
 */
export function withMarkerRoom(body: Json, at: JsonPointer, isValid: (value: Json) => boolean): Json {
  const text = valueAt(body, at);
  if (typeof text !== 'string' || text === '') return body;
  const fits = (one: string): boolean => isValid(withValueAt(body, at, one + appended));
  if (fits(text) || !isValid(body)) return body;
  const shorter = [...text].slice(0, -appended.length).join('').trimEnd();
  const short = [shorter, ''].find((one) =>
    one === '' ? isValid(withValueAt(body, at, appended.trim())) : fits(one),
  );
  return short === undefined ? body : withValueAt(body, at, short);
}
