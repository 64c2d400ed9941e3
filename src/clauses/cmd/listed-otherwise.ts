import type { Context, Fold, Violated } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { type Json, type JsonPointer, valueAt } from '../../model/json.ts';
import { recordOf } from '../../model/listed.ts';
import { shownMarkers } from '../../model/marker.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { showsWhole } from '../../model/whole-items.ts';
import { masked, secret, textsIn } from '../judging/changes.ts';
import { listIn } from '../judging/listed-effects.ts';
import { itemIds } from '../judging/listing.ts';
import { identityOf, isOneCaller } from '../judging/readers.ts';
import {
  type Answered,
  answered,
  faultsOf,
  idOf,
  isAccepted,
  isQueued,
  pathValues,
  seen,
  violated,
} from '../judging/reading.ts';
import { plainMembers, saysNothing } from '../judging/record-changes.ts';
import { isBookkeeping } from '../judging/removal.ts';
import { isOtherInstant, shows } from '../judging/sent-places.ts';
import { isOther } from './contradicted.ts';

type Doubt = {
  readonly one: Answered;
  readonly list: Answered;
  readonly trace: Trace;
  readonly at: JsonPointer;
  readonly sent: string;
  readonly shown: string;
};

/** What a new record was sent, and its result shows as well. */
type Made = {
  readonly one: Answered;
  readonly id: string;
  readonly texts: readonly { readonly at: JsonPointer; readonly text: string }[];
};

const mostDoubts = 3;
const fewest = 5;
/**
 * A list that declares its items as the results of commands shows a new record with another text, or at another instant, than the
 * record was made with (CMD-6). It does so for several records, and shows that member of another one as it was sent, or shows one
 * text of them all. A list may leave a member out, or show a part of it. Nothing but its own command has named the record.
 */
export function listedOtherwise(): Fold {
  const kept = new Set<string>();
  const doubts = new Map<string, readonly Doubt[]>();
  return {
    *see(context, trace) {
      const all = answered(context, trace);
      const made = madeIn(context, trace, all);
      if (made.length === 0) return;
      for (const list of all) {
        const items = list.operation.kind === 'read' && isAccepted(list.answer) ? listIn(list) : undefined;
        if (items === undefined || list.answer.truncated) continue;
        const idOfItem = itemIds(context, list.operation.id);
        for (const { id, one, texts } of made) {
          if (!showsWhole(list.operation, one.operation) || !isOneCaller(context, one.step.as, list.step.as))
            continue;
          const own = items.filter((item) => idOfItem(item) === id);
          const [item] = own;
          if (item === undefined || own.length > 1 || one.exchange.endedAt > list.exchange.startedAt)
            continue;
          const record = Object.fromEntries(plainMembers(recordOf(context.contract, list.operation, item)));
          for (const { at, text } of texts) {
            const place = `${list.operation.id} ${identityOf(context, list.step.as)} ${at}`;
            const shown = valueAt(record, at);
            if (shows(text, shown)) kept.add(place);
            else if (isOtherText(text, at, shown))
              doubts.set(
                place,
                withDoubt(doubts.get(place) ?? [], { one, list, trace, at, sent: text, shown }),
              );
            else continue;
            const found = doubts.get(place) ?? [];
            const doubt = found.at(-1);
            if (doubt === undefined || found.length < 2 || !(kept.has(place) || isFixed(found))) continue;
            if (doubt.trace === trace && doubt.list === list && doubt.one === one) yield ruling(doubt);
            // Its trace is over, and is not repeated.
            else if (doubt.trace !== trace) {
              doubts.delete(place);
              yield { ...ruling(doubt), conclusive: true, within: doubt.trace };
            }
          }
        }
      }
    },
  };
}

function isOtherText(sent: string, at: JsonPointer, shown: Json | undefined): shown is string {
  return (
    typeof shown === 'string' &&
    !saysNothing(shown) &&
    !masked.test(shown) &&
    // A name may be that of somebody whom several records have in common: the last command that named him may have changed it.
    shownMarkers(shown).length === 0 &&
    (isOther({ at, sent, shown }) || isOtherInstant(sent, shown))
  );
}

/** Doubts of one member, each of another record: a repeat takes the place of what it repeats. */
function withDoubt(doubts: readonly Doubt[], doubt: Doubt): readonly Doubt[] {
  return [...doubts.filter(({ sent }) => sent !== doubt.sent).slice(1 - mostDoubts), doubt];
}

/** Whether a list shows one text of several records that were sent others. */
function isFixed(doubts: readonly Doubt[]): boolean {
  return new Set(doubts.map(({ shown }) => shown)).size === 1;
}

/** New records that no other command names, with the texts of their own that their results show. */
function madeIn(context: Context, trace: Trace, all: readonly Answered[]): readonly Made[] {
  return all.flatMap((one): readonly Made[] => {
    const { answer, exchange, operation, step } = one;
    if (operation.kind !== 'command' || operation.method !== 'POST') return [];
    if (!isAccepted(answer) || isQueued(answer) || faultsOf(step).length > 0) return [];
    const id = idOf(operation, answer);
    if (id === undefined || pathValues(operation, exchange).includes(id)) return [];
    const isNamed = seen(context, trace).some(
      (other) =>
        other.operation.kind === 'command' &&
        other.exchange.id !== exchange.id &&
        (pathValues(other.operation, other.exchange).includes(id) ||
          other.exchange.request.body?.includes(id) === true),
    );
    if (isNamed) return [];
    const [sent, result] = [sentJson(exchange.request), exactJsonOf(answer)].map((each) =>
      Object.fromEntries(plainMembers(each)),
    );
    const texts = textsIn(sent ?? {}).filter(
      ({ at, text }) =>
        text.length >= fewest &&
        !secret.test(at) &&
        !isBookkeeping(at) &&
        isFree(operation, at) &&
        shows(text, valueAt(result, at)),
    );
    return texts.length === 0 ? [] : [{ one, id, texts }];
  });
}

/** Whether a text may be any: one of few may be a state that goes on. */
function isFree({ body }: Answered['operation'], at: JsonPointer): boolean {
  const own = schemasAt(body?.schema, at);
  return own.length > 0 && !own.some((schema) => 'enum' in schema || 'const' in schema);
}

function ruling({ at, list, one, sent, shown }: Doubt): Violated {
  const short = (text: string): string => JSON.stringify(text).slice(0, 80);
  return violated([one, list], {
    expected: `${short(sent)} at ${at}, as it was sent and as the result shows it`,
    actual: `${short(shown)} at ${at}`,
    because: `The list declares the record as the result does, but shows something else at ${at}. No other command has named the record.`,
  });
}
