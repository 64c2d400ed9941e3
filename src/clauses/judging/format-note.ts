import type { Context } from '../../model/clause.ts';
import type { Json, JsonSchema } from '../../model/json.ts';

/** What is worth a note though it breaks nothing: a value of another format, or one that several choices of the contract fit. */
export function formatNote(context: Context, schema: JsonSchema | undefined, body: Json): string | undefined {
  if (schema === undefined) return undefined;
  const wrong = context
    .schemaErrors(schema, body)
    .find(({ keyword }) => ['format', 'oneOf'].includes(keyword));
  return wrong === undefined ? undefined : `${wrong.pointer.replaceAll(/\d+/g, '*')} ${wrong.message}`;
}
