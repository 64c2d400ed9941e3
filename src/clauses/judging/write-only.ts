import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  pointerTokens,
} from '../../model/json.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { returnedSuccess } from '../../model/returned-form.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { type Answered, answered, faultsOf, holds, isAccepted, violated } from './reading.ts';

/** Shorter values may be anything. */
const least = 4;
/** So deep are values within a response looked at. */
const deepest = 8;

type Sent = { readonly by: Answered; readonly name: string; readonly value: string };

/**
 * A value that the contract marks as `writeOnly` is never in a response (JSON Schema 2020-12, validation, 9.4): neither in the result
 * of the command that sent it (CMD-4), nor in a later read (RDS-1). OpenAPI 3.0 only says that it should not be there.
 */
export function writeOnlyShown(kind: 'command' | 'read') {
  return function* (context: Context, trace: Trace): Iterable<Ruling> {
    const sent: Sent[] = [];
    for (const one of answered(context, trace)) {
      if (!isAccepted(one.answer) || faultsOf(one.step).length > 0) continue;
      const own = one.operation.kind === 'command' ? sentOnly(one) : [];
      sent.push(...own);
      if (one.operation.kind !== kind) continue;
      const found = shownOf(one, kind === 'command' ? own : sent);
      if (found === undefined) continue;
      const { at, by } = found;
      const on = by === one ? [one] : [one, by];
      const expected = `no ${pointerTokens(at).at(-1)}, which is writeOnly`;
      const because = `The response shows at ${at} what was sent for a member that the contract marks as writeOnly.`;
      yield context.contract.openapi30 === true
        ? holds(on, { expected, because, advisory: `shows a writeOnly member at ${at}` })
        : violated(on, { expected, actual: `the value that was sent, at ${at}`, because, conclusive: true });
    }
  };
}

/** The texts that a command sent for members that are writeOnly. */
function sentOnly(one: Answered): readonly Sent[] {
  const { body } = one.operation;
  if (body === undefined) return [];
  return textsOf(sentJson(one.exchange.request), []).flatMap(({ at, name, value }) => {
    const isOnly = schemasAt(body.schema, at).some((schema) => schema['writeOnly'] === true);
    return isOnly && value.trim().length >= least ? [{ by: one, name, value }] : [];
  });
}

/** Where a response shows one of these values under its name, unless its schema describes it there as any other. */
function shownOf(
  one: Answered,
  sent: readonly Sent[],
): { readonly at: JsonPointer; readonly by: Answered } | undefined {
  if (sent.length === 0) return undefined;
  const { schema } = returnedSuccess(one.operation, one.answer);
  const asked = one.operation.kind === 'read' ? (one.exchange.request.body ?? '') : '';
  for (const { at, name, value } of textsOf(exactJsonOf(one.answer), [])) {
    const by = sent.find((each) => each.name === name && each.value === value)?.by;
    if (by === undefined || asked.includes(value)) continue;
    const own = schemasAt(schema, at);
    if (own.length === 0 || own.some((each) => each['writeOnly'] === true)) return { at, by };
  }
  return undefined;
}

/** The texts of members at any depth, each with the name of its member. */
function textsOf(
  value: Json | undefined,
  path: readonly string[],
): readonly { readonly at: JsonPointer; readonly name: string; readonly value: string }[] {
  if (value === undefined || path.length > deepest) return [];
  const entries = isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return entries.flatMap(([name, member]) =>
    typeof member === 'string' && typeof name === 'string'
      ? [{ at: pointerOf([...path, name]), name, value: member }]
      : textsOf(member, [...path, String(name)]),
  );
}
