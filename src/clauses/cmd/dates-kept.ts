import type { Context, Fold, Violated } from '../../model/clause.ts';
import { isCarried } from '../../model/contract.ts';
import { pointerOf } from '../../model/json.ts';
import { sentJson } from '../../model/response.ts';
import { requires, schemasAt } from '../../model/schema-places.ts';
import { dateTime } from '../../oracle/instant.ts';
import { isSame, type Members, membersOf, shownFor } from '../judging/changes.ts';
import { readSchemasAt } from '../judging/enveloped.ts';
import { identityOf } from '../judging/readers.ts';
import { type Answered, answered, type Seen, seen, violated } from '../judging/reading.ts';
import { readOfRecord, stateBefore } from '../judging/record-reads.ts';
import { isBookkeeping } from '../judging/removal.ts';
import { isWithin, placeOf, type SentPlace, sentPlaces, shows } from '../judging/sent-places.ts';

type Kept = {
  readonly one: Answered;
  readonly read: Seen;
  readonly place: SentPlace;
  readonly sent: number;
  readonly shown: number;
};

/** So many commands are remembered for each member. */
const most = 10;

/**
 * A date that a PUT must send, and never stores (CMD-6): the record keeps the one that it had, though it takes the rest, and though
 * the read shows such dates of other records as they were sent. Some dates were later than the one that was kept, and others
 * earlier, or records kept different ones: no bound is the reason.
 */
export function datesKept(): Fold {
  const known = new Map<string, readonly Kept[]>();
  const stored = new Set<string>();
  const learned = new Set<string>();
  return {
    *see(context, trace) {
      const all = seen(context, trace);
      for (const one of answered(context, trace)) {
        const read = readOfRecord(context, all, one);
        if (read === undefined) continue;
        const sent = membersOf(sentJson(one.exchange.request));
        const is = shownFor(one, read.exchange.answer);
        const was = stateBefore(context, all, one, read);
        const places = sentPlaces(one.operation, sent, is, was);
        for (const place of places) {
          const days = dayOf(place.sent);
          if (days === undefined || !isRequired(one, read, place)) continue;
          const own = `${one.operation.id} ${placeOf(place.at)}`;
          const seenAt = learnedAt(context, one, read, place);
          if (shows(place.sent, place.shown)) {
            if (one.operation.method === 'POST') learned.add(seenAt);
            else if (was === undefined || !shows(place.sent, place.was)) stored.add(own);
            continue;
          }
          const shown = dayOf(place.shown);
          if (one.operation.method !== 'PUT' || was === undefined || shown === undefined) continue;
          const isKept = shown === dayOf(place.was) && Math.abs(days - shown) > 1;
          if (!isKept || isMovedOn(one, was, is) || !isRest(places, place)) continue;
          const found = [...(known.get(own) ?? []), { one, read, place, sent: days, shown }].slice(-most);
          known.set(own, found);
          if (learned.has(seenAt) && !stored.has(own) && isUnbounded(found)) yield ruling(place, one, read);
        }
      }
    },
  };
}

const learnedAt = (context: Context, one: Answered, read: Seen, { at }: SentPlace): string =>
  `${read.operation.id} ${identityOf(context, one.step.as)} ${placeOf(at)}`;

/** Days since 1970 of a date, or of a time with its zone. */
function dayOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const instant = dateTime(value);
  const at = /^\d{4}-\d\d-\d\d$/.test(value)
    ? Date.parse(value)
    : instant?.zoned === true
      ? instant.at
      : Number.NaN;
  return Number.isNaN(at) ? undefined : at / 86_400_000;
}

function isRequired({ operation }: Answered, read: Seen, { at }: SentPlace): boolean {
  const own = schemasAt(operation.body?.schema, at);
  return (
    requires(operation.body?.schema, at) &&
    readSchemasAt(read, at).length > 0 &&
    !own.some((schema) => ['const', 'enum', 'readOnly', 'deprecated'].some((keyword) => keyword in schema)) &&
    !isBookkeeping(at) &&
    !isCarried(operation, at)
  );
}

/** Whether what no body sets moved, such as a state; a sum is another one as well. */
function isMovedOn({ operation }: Answered, was: Members, is: Members): boolean {
  return [...new Set([...was.keys(), ...is.keys()])].some((name) => {
    const at = pointerOf([name]);
    const [before = null, after = null] = [was.get(name), is.get(name)];
    const isSum = [before, after].every((each) => /^-?\d+(\.\d+)?$/.test(String(each)));
    const isOwn = schemasAt(operation.body?.schema, at).length === 0 && !isBookkeeping(at);
    return isOwn && !isSum && !isSame(before, after);
  });
}

/** Whether a record takes what else was sent, some of which it did not have. */
function isRest(places: readonly SentPlace[], { at }: SentPlace): boolean {
  const rest = places.filter((each) => !isWithin(at, each.at) && !isWithin(each.at, at));
  const others = rest.filter((each) => dayOf(each.sent) === undefined);
  return (
    others.some((each) => shows(each.sent, each.shown) && !shows(each.sent, each.was)) &&
    others.every((each) => shows(each.sent, each.shown))
  );
}

function isUnbounded(found: readonly Kept[]): boolean {
  const isLater = found.some(({ sent, shown }) => sent > shown);
  const isEarlier = found.some(({ sent, shown }) => sent < shown);
  return found.length > 1 && ((isLater && isEarlier) || new Set(found.map(({ shown }) => shown)).size > 1);
}

function ruling({ at, sent, shown }: SentPlace, one: Answered, read: Seen): Violated {
  return violated([one, read], {
    expected: `${JSON.stringify(sent)} at ${at}, as it was sent`,
    actual: `${JSON.stringify(shown)} at ${at}`,
    because: `The record shows the rest of the accepted command, but keeps the earlier date at ${at}, which the body must have. This operation never stored what was sent there. For another record, the read shows what was sent.`,
    moved: { read: read.operation.id, at: [at] },
  });
}
