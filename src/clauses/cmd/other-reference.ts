import type { Fold, Violated } from '../../model/clause.ts';
import {
  creates,
  idText,
  isCount,
  isReadById,
  type NamedRecord,
  type OperationId,
} from '../../model/contract.ts';
import { type Json, type JsonPointer, valueAt } from '../../model/json.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { type Answered, answered, idOf, isAccepted, type Seen, seen, violated } from '../judging/reading.ts';
import { plainMembers } from '../judging/record-changes.ts';
import { readOfRecord } from '../judging/record-reads.ts';

/** So many records are remembered, those that were made last. */
const most = 5000;

/** What made a record, and the path and body of its request. */
type Maker = { readonly operation: OperationId; readonly request: string };

/** So many characters of a request are remembered. */
const longest = 2000;

/** What a service may choose by itself, whatever its caller would like best. */
const allocated =
  /assign|prefer|agent|driver|courier|carrier|warehouse|store|room|slot|bed|table|seat|server|region|zone|queue|team|doctor|practitioner|staff|employee|operator|provider|technician|location|site|branch|shift|vehicle|next|new/i;

/**
 * A new record refers to what its command named (CMD-6), and not to another record of that kind, which the run made as well, or
 * which another record refers to, whose command named something else. Neither does it refer to a record of another kind, which
 * the command named for another member.
 */
export function otherReference(): Fold {
  const made = new Map<string, Maker>();
  /** What several kinds of records have as an ID, such as a name that callers choose. */
  const shared = new Set<string>();
  /** By what a member showed, what was sent for it. */
  const doubts = new Map<string, string>();
  return {
    *see(context, trace) {
      const all = seen(context, trace);
      const results = answered(context, trace);
      for (const { answer, exchange, operation } of results) {
        const makes = creates(operation) || isReadById(context.contract, operation);
        const id = makes && isAccepted(answer) ? idOf(operation, answer) : undefined;
        if (id === undefined) continue;
        const { body = '', path } = exchange.request;
        const earlier = made.get(id)?.operation ?? operation.id;
        if (earlier !== operation.id && shared.size < most) shared.add(id);
        made.set(id, { operation: operation.id, request: `${path} ${body}`.slice(0, longest) });
        if (made.size > most) made.delete(made.keys().next().value ?? '');
      }
      for (const one of results) {
        const { method, named = [] } = one.operation;
        if (method !== 'POST' || named.length === 0) continue;
        const read = readOfRecord(context, all, one);
        const [sent, shown] = [sentJson(one.exchange.request), exactJsonOf(read?.exchange.answer)].map(
          (each) => Object.fromEntries(plainMembers(each)),
        );
        if (read === undefined || sent === undefined || shown === undefined) continue;
        for (const { at, acts, field, second } of named) {
          if (acts === true || second === true || /\/\d+(?:\/|$)/.test(at)) continue;
          const [asked, is] = [sent, shown].map((each) => idAt(each, at));
          if (asked === undefined || is === undefined || asked === is) continue;
          if (isCount(is)) continue;
          const maker = made.get(asked);
          const its = made.get(is);
          // No record of another kind can stand for it; of its own kind, a service may take one side for the other.
          const isOtherKind =
            maker !== undefined &&
            its !== undefined &&
            maker.operation !== its.operation &&
            !shared.has(is) &&
            named.some(
              (each) => idAt(sent, each.at) === is && isOfKind(each, its) && !isOfKind({ field }, its),
            );
          // What a command names without a kind may be the record that both are a part of.
          const isNamed = one.exchange.request.body?.includes(is) === true;
          if (!isOtherKind && (isNamed || allocated.test(at))) continue;
          // A reply to a reply may be shown as one to the first message.
          if (maker?.request.includes(is) === true) continue;
          const own = `${one.operation.id} ${at} ${is}`;
          const isSecond = (doubts.get(own) ?? asked) !== asked;
          if (doubts.size < most) doubts.set(own, doubts.get(own) ?? asked);
          // An ID that a service has for its own use is that of one record.
          if (maker !== undefined && (isOtherKind || maker.operation === its?.operation || isSecond))
            yield ruling(one, read, at, [asked, is]);
        }
      }
    },
  };
}

/** Whether a member names records that an operation makes. */
function isOfKind({ field }: Pick<NamedRecord, 'field'>, { operation }: Maker): boolean {
  return field.source?.operation === operation;
}

function idAt(record: Json, at: JsonPointer): string | undefined {
  return idText(valueAt(record, at));
}

function ruling(
  one: Answered,
  read: Seen,
  at: JsonPointer,
  [asked, is]: readonly [string, string],
): Violated {
  return violated([one, read], {
    expected: `${asked} at ${at}, as it was sent`,
    actual: `${is} at ${at}`,
    because: `The record of the accepted command refers at ${at} to another record than the command named.`,
    moved: { read: read.operation.id, at: [at] },
  });
}
