import type { Context } from '../../model/clause.ts';
import type { Json, JsonSchema } from '../../model/json.ts';

/** What is worth a note though it breaks nothing: a value that is not of the format that the contract names. */
export function formatNote(context: Context, schema: JsonSchema | undefined, body: Json): string | undefined {
  if (schema === undefined) return undefined;
  const wrong = context.schemaErrors(schema, body).find(({ keyword }) => keyword === 'format');
  return wrong === undefined ? undefined : `${wrong.pointer.replaceAll(/\d+/g, '*')} ${wrong.message}`;
}
