import type { Context } from '../../model/clause.ts';
import type { HttpResponse } from '../../model/exchange.ts';
import type { JsonSchema } from '../../model/json.ts';
import { hasByteOrderMark, jsonOf } from '../../model/response.ts';

/** What is worth a note though it breaks nothing: a value of another format, or one that several choices of the contract fit. */
export function formatNote(
  context: Context,
  schema: JsonSchema | undefined,
  answer: HttpResponse,
): string | undefined {
  const body = jsonOf(answer);
  if (body === undefined) return undefined;
  if (hasByteOrderMark(answer)) return 'the body begins with a byte order mark (RFC 8259, 8.1)';
  if (schema === undefined) return undefined;
  const wrong = context
    .schemaErrors(schema, body)
    .find(({ keyword }) => ['format', 'oneOf'].includes(keyword));
  return wrong === undefined ? undefined : `${wrong.pointer.replaceAll(/\d+/g, '*')} ${wrong.message}`;
}
