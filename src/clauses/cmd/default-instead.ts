import type { Fold, Violated } from '../../model/clause.ts';
import type { Operation } from '../../model/contract.ts';
import { canonicalJson, type Json, type JsonPointer, pointerTokens } from '../../model/json.ts';
import { wordsOf } from '../../model/name-words.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { isSame, lettersOf, membersOf, shownFor } from '../judging/changes.ts';
import { type Answered, answered, type Seen, seen, violated } from '../judging/reading.ts';
import { isSilent } from '../judging/record-changes.ts';
import { readOfRecord } from '../judging/record-reads.ts';
import { type SentPlace, sentPlaces, shows } from '../judging/sent-places.ts';
import { isPlain } from '../judging/settable-members.ts';

/**
 * A new record that shows the declared default of a member where the command sent false or 0 (CMD-6): code that asks whether
 * there is a value takes these for none. The record shows the rest of the command, and of a number another one was stored.
 */
export function defaultInstead(): Fold {
  const stored = new Map<string, ReadonlySet<string>>();
  return {
    *see(context, trace) {
      const all = seen(context, trace);
      for (const one of answered(context, trace)) {
        const read = one.operation.method === 'POST' ? readOfRecord(context, all, one) : undefined;
        if (read === undefined) continue;
        const places = placesOf(one, read);
        for (const { at, sent, shown } of places) {
          const own = `${one.operation.id} ${at}`;
          if (typeof sent === 'number' && sent !== 0 && isSame(sent, shown ?? null))
            stored.set(own, new Set([...(stored.get(own) ?? []), canonicalJson(sent)]));
        }
        yield* replaced({ one, read, places, stored });
      }
    },
  };
}

type Shown = {
  readonly one: Answered;
  readonly read: Seen;
  readonly places: readonly SentPlace[];
  readonly stored: ReadonlyMap<string, ReadonlySet<string>>;
};

function* replaced({ one, places, read, stored }: Shown): Iterable<Violated> {
  const defaults = places.filter((place) => isDefault(one.operation, place));
  const others = places.filter((place) => !defaults.includes(place) && !holdsOne(place, defaults));
  // The marker, or another text, shows that the record is the one of this command.
  const isRest =
    others.every(({ sent, shown }) => shows(sent, shown)) &&
    others.some(
      ({ sent, shown }) => typeof sent === 'string' && lettersOf(sent).length > 4 && sent === shown,
    );
  if (!isRest || !isSilent(exactJsonOf(one.answer), exactJsonOf(read.exchange.answer))) return;
  for (const { at, sent, shown = null } of defaults) {
    const another = [...(stored.get(`${one.operation.id} ${at}`) ?? [])].filter(
      (value) => value !== canonicalJson(shown),
    );
    if (typeof sent === 'number' && another.length === 0) continue;
    yield violated([one, read], {
      expected: `${JSON.stringify(sent)} at ${at}, as it was sent`,
      actual: `${JSON.stringify(shown)} at ${at}`,
      because: `The record shows the rest of the accepted command, but at ${at} the default of the contract in place of ${JSON.stringify(sent)}. A default is for commands without that member.`,
    });
  }
}

function placesOf(one: Answered, read: Seen): readonly SentPlace[] {
  const sent = membersOf(sentJson(one.exchange.request));
  return sentPlaces(one.operation, sent, shownFor(one, read.exchange.answer), undefined);
}

/** Whether a place is around one of others. */
function holdsOne({ at }: SentPlace, others: readonly SentPlace[]): boolean {
  return others.some((other) => other.at.startsWith(`${at}/`));
}

/** Whether a record shows the declared default where a value was sent that code may take for none. */
function isDefault({ body }: Operation, { at, sent, shown }: SentPlace): boolean {
  if (sent !== false && sent !== 0) return false;
  if (typeof shown !== typeof sent || isSame(sent, shown ?? null)) return false;
  const own = schemasAt(body?.schema, at);
  return (
    isSettable(at, shown ?? null) &&
    own.some((schema) => isSame(schema['default'] ?? null, shown ?? null)) &&
    // What the contract says of zero may be that it stands for the default.
    own.every(
      ({ description }) => typeof description !== 'string' || !/\b(0|zero|default)\b/i.test(description),
    ) &&
    own.every((schema) => !['enum', 'const', 'readOnly', 'deprecated'].some((keyword) => keyword in schema))
  );
}

/** Items of lists may be in another order, and no limit may be what zero says. */
function isSettable(at: JsonPointer, shown: Json): boolean {
  const name = pointerTokens(at).at(-1) ?? '';
  return !/\/\d+(\/|$)/.test(at) && !wordsOf(name).some((word) => unlimited.test(word)) && isPlain(at, shown);
}

const unlimited = /^(expir|interval|limit|max|min|page|size|timeout|ttl)/i;
