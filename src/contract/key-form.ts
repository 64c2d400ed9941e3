import { problemAt } from '../document/document.ts';
import { isArray, isObject, type Json } from '../model/json.ts';
import type { Place } from './library.ts';
import { child, follow } from './place.ts';
import type { SchemaReading } from './schema.ts';

/** Keys like those that Assay sends. */
const uuids = ['9f0c3a52-7d1e-4b86-8c45-d2e6a0b7f913', '01234567-89ab-4cde-af01-23456789abcd'];

/** Warns where the schema of a key refuses UUIDs: a service that checks it refuses every command. */
export function warnOfKeyForm(id: string, key: Place, { library, warnings }: SchemaReading): void {
  const because = refusal(follow(child(key, 'schema'), library).value ?? true);
  if (because === undefined) return;
  warnings.push(
    problemAt(
      key.document,
      key.pointer,
      `the Idempotency-Key of '${id}' cannot be a UUID: ${because}`,
      'Assay sends UUIDs, so let the schema allow them; a service that checks the schema refuses each of its commands, and nothing is tested',
      'key',
    ),
  );
}

/** Which keyword refuses a UUID; undefined where none does, or it is unclear. */
function refusal(schema: Json): string | undefined {
  if (!isObject(schema)) return undefined;
  const { allOf, const: only, enum: listed, maxLength, minLength, pattern, type } = schema;
  const types = isArray(type) ? type : [type];
  if (type !== undefined && !types.includes('string')) return `its type is ${types.join(' or ')}`;
  if (only !== undefined) return 'it has one value only (const)';
  if (isArray(listed)) return `it has ${listed.length} values only (enum)`;
  if (typeof maxLength === 'number' && maxLength < 36) return `it has ${maxLength} characters at most`;
  if (typeof minLength === 'number' && minLength > 36) return `it has ${minLength} characters at least`;
  if (typeof pattern === 'string' && isQuick(pattern) && !uuids.some((uuid) => matches(pattern, uuid)))
    return `its pattern is ${pattern}`;
  return isArray(allOf) ? allOf.map(refusal).find((one) => one !== undefined) : undefined;
}

/** Whether a pattern surely takes little time: it repeats no group, and few parts without bound. */
function isQuick(pattern: string): boolean {
  return !/\)[*+{]/.test(pattern) && (pattern.match(/[*+]|,\}/g) ?? []).length <= 3;
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}
