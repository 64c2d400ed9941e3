import type { ErrorObject } from 'ajv/dist/2020.js';
import { problemAt } from '../document/document.ts';
import type { InputProblem } from '../model/input-error.ts';
import type { JsonObject } from '../model/json.ts';
import type { Place } from './library.ts';
import { child } from './place.ts';
import { withoutNullable } from './upgrade.ts';

const bounds = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

type Reading = { readonly dialect30: boolean; readonly warnings: InputProblem[] };

/** A schema of 3.1 with keywords of 3.0, as its author means it: some generators change only the version of the document. */
export function asMeant(place: Place, value: JsonObject, { dialect30, warnings }: Reading): JsonObject {
  if (dialect30) return value;
  const warn = (keyword: string, problem: string, hint: string): void => {
    warnings.push(problemAt(place.document, child(place, keyword).pointer, problem, hint, 'key'));
  };
  if (value['nullable'] === true)
    warn(
      'nullable',
      "'nullable' is OpenAPI 3.0",
      "write type: [string, 'null'] or the like, which is how it is read",
    );
  let read = value['nullable'] === undefined ? value : withoutNullable(value);
  for (const [exclusive, bound] of bounds) {
    const { [exclusive]: isExclusive, [bound]: limit, ...rest } = read;
    if (typeof isExclusive !== 'boolean') continue;
    warn(
      exclusive,
      `'${exclusive}' as true or false is OpenAPI 3.0`,
      'write the number itself, which is how it is read',
    );
    read = limit === undefined ? rest : { ...rest, [isExclusive ? exclusive : bound]: limit };
  }
  return read;
}

/** Whether the meta-schema refuses no more than a bound that is true or false. */
export function isOldBound({ data, instancePath, keyword }: ErrorObject): boolean {
  return keyword === 'type' && typeof data === 'boolean' && /\/exclusiveM(?:in|ax)imum$/.test(instancePath);
}
