import type { HttpResponse } from '../../model/exchange.ts';
import { isObject, type Json, type JsonObject, type JsonPointer, pointerOf } from '../../model/json.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { envelopes } from '../../model/result-id.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { type Members, membersOf } from './changes.ts';
import type { Answered, Seen } from './reading.ts';

/**
 * The members of a record, be it alone in a document under a name of its own (`{"case": {...}}`). A body that has that name itself
 * is compared with it as it is.
 */
export function shownMembers(value: Json | undefined, sent: Members): Members {
  const members = membersOf(value);
  const [only, ...others] = members;
  if (only === undefined || others.length > 0 || sent.has(only[0]) || !isObject(only[1])) return members;
  return new Map(Object.entries(only[1]));
}

/** The members that a read, or a result, shows of the record of a command. */
export function shownFor({ exchange }: Answered, answer: HttpResponse | undefined): Members {
  return shownMembers(exactJsonOf(answer), membersOf(sentJson(exchange.request)));
}

/** The schemas of a member of the record that a read shows, which may be in an envelope. */
export function readSchemasAt(
  { operation }: Pick<Seen, 'operation'>,
  at: JsonPointer,
): readonly JsonObject[] {
  const { schema } = operation.success;
  const own = schemasAt(schema, at);
  const tops = schemasAt(schema, '').flatMap(({ properties }) =>
    isObject(properties) ? Object.keys(properties) : [],
  );
  const [first, ...others] = new Set(tops);
  const usual = envelopes.flatMap((name) => tops.find((top) => top.toLowerCase() === name) ?? []);
  const around = usual[0] ?? (others.length === 0 ? first : undefined);
  return own.length > 0 || around === undefined ? own : schemasAt(schema, pointerOf([around]) + at);
}
