import { problemAt } from '../document/document.ts';
import type { InputProblem } from '../model/input-error.ts';
import { isArray, isObject, type Json, type JsonSchema } from '../model/json.ts';
import type { Place } from './library.ts';

/** As many members of one object as `src/generate` tries each alone. */
export const manyMembers = 250;

/** Warns of an object in a body with more members than are each tried alone. */
export function warnOfWide(id: string, body: Place, schema: JsonSchema, warnings: InputProblem[]): void {
  const most = mostMembers(schema);
  if (most <= manyMembers) return;
  warnings.push(
    problemAt(
      body.document,
      body.pointer,
      `an object in the request body of '${id}' has ${most} members`,
      'wrong and other values are tried at some of them only, spread over all',
      'key',
    ),
  );
}

/** Values, in which `properties` is a name like any other. */
const ofValues = new Set(['const', 'default', 'enum', 'example', 'examples']);

function mostMembers(schema: Json): number {
  const most = (parts: readonly Json[]): number =>
    parts.reduce<number>((known, part) => Math.max(known, mostMembers(part)), 0);
  if (isArray(schema)) return most(schema);
  if (!isObject(schema)) return 0;
  const { properties } = schema;
  const own = isObject(properties) ? Object.keys(properties).length : 0;
  const within = Object.entries(schema).flatMap(([keyword, part]) => (ofValues.has(keyword) ? [] : [part]));
  return Math.max(own, most(within));
}
