import type { Fold, Violated } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isObject, type Json, type JsonPointer, pointerOf } from '../../model/json.ts';
import { wordsOf } from '../../model/name-words.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { isSame, lettersOf, shownFor } from '../judging/changes.ts';
import { readSchemasAt } from '../judging/enveloped.ts';
import { type Answered, answered, type Seen, seen, violated } from '../judging/reading.ts';
import { isSilent, plainMembers, saysNothing, withinAttributes } from '../judging/record-changes.ts';
import { readOfRecord } from '../judging/record-reads.ts';
import { isPlain } from '../judging/settable-members.ts';

type Doubt = {
  readonly one: Answered;
  readonly read: Seen;
  readonly trace: Trace;
  readonly at: JsonPointer;
  readonly due: Json;
  readonly shown: Json;
};

/** So many records show it. */
const enough = 2;

/**
 * A member that new records show with one and the same other value than the default that the contract declares, whenever the
 * command leaves it out (CMD-6). Another value is stored as it is sent, and no record has ever shown the default unasked.
 */
export function defaultMissed(): Fold {
  const stored = new Set<string>();
  const kept = new Set<string>();
  const doubts = new Map<string, readonly Doubt[]>();
  return {
    *see(context, trace) {
      const all = seen(context, trace);
      for (const one of answered(context, trace)) {
        const read = one.operation.method === 'POST' ? readOfRecord(context, all, one) : undefined;
        if (read === undefined) continue;
        const sent = plainMembers(sentJson(one.exchange.request));
        const is = withinAttributes(shownFor(one, read.exchange.answer));
        const isRest = [...sent].some(
          ([name, value]) =>
            typeof value === 'string' && lettersOf(value).length > 4 && isSame(value, is.get(name) ?? null),
        );
        if (!isRest) continue;
        for (const [name, shown] of is) {
          const at = pointerOf([name]);
          const due = defaultAt(one, read, name, shown);
          if (due === undefined) continue;
          const own = `${one.operation.id} ${at}`;
          const asked = sent.get(name);
          if (asked !== undefined) {
            if (isSame(asked, shown) && !isSame(asked, due)) stored.add(own);
          } else if (isSame(due, shown)) kept.add(own);
          else if (isSilent(exactJsonOf(one.answer), exactJsonOf(read.exchange.answer)))
            doubts.set(own, [
              ...(doubts.get(own) ?? []).slice(1 - enough),
              { one, read, trace, at, due, shown },
            ]);
          const found = doubts.get(own) ?? [];
          const last = found.at(-1);
          const isOne =
            found.length >= enough && found.every((each) => isSame(each.shown, last?.shown ?? null));
          if (last === undefined || !isOne || !stored.has(own) || kept.has(own)) continue;
          if (last.trace === trace && last.one === one) yield ruling(last);
          // Its trace is over, and is not repeated.
          else if (last.trace !== trace) {
            doubts.delete(own);
            yield { ...ruling(last), conclusive: true, within: last.trace };
          }
        }
      }
    },
  };
}

/** The only default that the body declares for a member of a new record, which the read declares as well. */
function defaultAt({ operation }: Answered, read: Seen, name: string, shown: Json): Json | undefined {
  const at = pointerOf([name]);
  const own = schemasAt(operation.body?.schema, at);
  const [due, ...others] = own.flatMap((schema) =>
    schema['default'] === undefined ? [] : [schema['default']],
  );
  if (due === undefined || others.some((other) => !isSame(other, due)) || isOfType(due)) return undefined;
  const isKnown = typeof due === typeof shown && !isObject(due) && !saysNothing(shown);
  const isFree = !wordsOf(name).some((word) => ofService.test(word)) && isPlain(at, due);
  const isOwn = !own.some((schema) => 'readOnly' in schema || 'deprecated' in schema);
  return isKnown && isFree && isOwn && readSchemasAt(read, at).length > 0 ? due : undefined;
}

/** What a generator writes for a member of this type that has no default. */
function isOfType(due: Json): boolean {
  return due === 0 || due === false || saysNothing(due);
}

/** What becomes of a record, and what may be a setting of its caller. */
const ofService =
  /^(stat(e|us)|stage|phase|step|progress|language|locale|lang|currency|country|region|timezone|time|zone|tenant|plan|version)$/;

function ruling({ at, due, one, read, shown }: Doubt): Violated {
  return violated([one, read], {
    expected: `${JSON.stringify(due)} at ${at}, the declared default`,
    actual: `${JSON.stringify(shown)} at ${at}`,
    because: `Each record that was made without ${at} shows ${JSON.stringify(shown)} there, and none the default of the contract. What is sent there is stored.`,
    moved: { read: read.operation.id, at: [at] },
  });
}
