import { creates, type Operation } from '../model/contract.ts';
import { isObject, type Json, type JsonPointer, pointerOf, withValueAt } from '../model/json.ts';
import { wordsOf } from '../model/name-words.ts';

/** What says how much else goes with a record, or within it. */
const room = new Set(['capacity', 'places', 'quota', 'seats', 'slots', 'spots', 'stock', 'vacancies']);

/** Tests make several records within one, and sometimes many. */
const sizes = [100, 50, 25, 10, 5];

/**
 * The smallest body of a record has room for one more, or for none: what follows would only show that it is full. Undefined where
 * nothing says how much room there is.
 */
export function withCapacity(
  operation: Operation,
  body: Json | undefined,
  isValid: (body: Json) => boolean,
): Json | undefined {
  if (!isObject(body) || !creates(operation)) return undefined;
  const isRoom = (name: string): boolean => {
    const words = wordsOf(name);
    return room.has(words.at(-1) ?? '') || (words.length > 1 && words[0] === 'max');
  };
  const grown = Object.entries(body).reduce<Json>((rest, [name, value]) => {
    if (!Number.isInteger(value) || Number(value) < 0 || !isRoom(name)) return rest;
    const at: JsonPointer = pointerOf([name]);
    const larger = sizes.filter((size) => size > Number(value)).map((size) => withValueAt(rest, at, size));
    return larger.find(isValid) ?? rest;
  }, body);
  return grown === body ? undefined : grown;
}
