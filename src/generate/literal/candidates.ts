import { arrayEdits } from '../array-edits.ts';
import type { Edit } from '../edit.ts';
import { isArray, isObject, type Json, type JsonSchema } from '../json.ts';
import { objectEdits } from '../object-edits.ts';
import { placesIn } from '../places.ts';
import { numberEdits, stringEdits } from '../scalar-edits.ts';
import { study } from '../study.ts';

/** The values that may break a keyword of a schema, made of a value, before they are judged. */
export function candidates(keyword: string, schema: JsonSchema, value: Json): readonly Edit[] {
  // Some of the schemas are none by the letter: a keyword of a wrong kind says nothing.
  const made = study(true);
  if ('failure' in made) throw new Error(made.failure.why);
  const node = made.builder.index.standIn(made.builder.index.root, 'literal', schema);
  const [root] = placesIn(
    { ...made, builder: { ...made.builder, index: { ...made.builder.index, root: node } } },
    value,
    0,
  );
  if (root === undefined) throw new Error('no place');
  if (typeof value === 'string') return stringEdits(node, keyword, value, 'it');
  if (typeof value === 'number') return numberEdits(node, keyword, value, 'it');
  if (isArray(value)) return arrayEdits(made, root, node, keyword, value, 'it');
  return isObject(value) ? objectEdits(made, root, node, keyword, value, 'it') : [];
}
