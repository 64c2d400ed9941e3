import type { Fold, Violated } from '../../model/clause.ts';
import { idText, type OperationId } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import type { JsonObject } from '../../model/json.ts';
import { shownMarkers } from '../../model/marker.ts';
import { sentJson } from '../../model/response.ts';
import { dateTime } from '../../oracle/instant.ts';
import { alterationOf } from '../judging/alterations.ts';
import { isSame, lettersOf, membersOf, opaque, shownFor } from '../judging/changes.ts';
import { identityOf } from '../judging/readers.ts';
import { type Answered, answered, pathValues, type Seen, seen, violated } from '../judging/reading.ts';
import { saysNothing } from '../judging/record-changes.ts';
import { readOfRecord } from '../judging/record-reads.ts';
import { hasRoomFor } from '../judging/room-in-read.ts';
import { placeOf } from '../judging/sent-places.ts';
import { isBelowRecord, isShownAsRead } from '../judging/shown-as-read.ts';
import { isLost, type MemberShown, membersShown } from './shown-as-made.ts';

type Doubt = {
  readonly one: Answered;
  readonly read: Seen;
  readonly trace: Trace;
  readonly member: MemberShown;
};

/** Values that a read showed as they were sent are remembered: so many, and of this length. */
const most = 20_000;
const longest = 200;

/**
 * What a result shows as it was sent, the declared read shows as well (CMD-6), if it shows that member as it was sent of any
 * record: then it neither leaves the member out, nor has a form of its own for it, nor does the value move by itself.
 */
export function contradicted(): Fold {
  const kept = new Set<string>();
  const doubts = new Map<string, Map<OperationId, Doubt>>();
  return {
    *see(context, trace) {
      const all = seen(context, trace);
      for (const one of answered(context, trace)) {
        const read = readOfRecord(context, all, one);
        for (const member of read === undefined ? [] : membersIn(one, read)) {
          // Another caller may see more of a record.
          const place = `${read?.operation.id} ${identityOf(context, one.step.as)} ${placeOf(member.at)}`;
          const value = `${place} ${JSON.stringify(member.sent)}`;
          if (isSame(member.sent, member.shown ?? null)) {
            for (const key of value.length > longest ? [place] : [place, value]) {
              if (kept.size > most) continue;
              kept.add(key);
              // Its trace is over, and is not repeated.
              for (const doubt of doubts.get(key)?.values() ?? [])
                yield { ...ruling(doubt), conclusive: true, within: doubt.trace };
              doubts.delete(key);
            }
            continue;
          }
          const key =
            member.shown === undefined || isLost(member, member.shown) || isSurelyOther(one, read, member)
              ? place
              : isOther(member)
                ? typeof member.sent === 'number'
                  ? place
                  : value
                : undefined;
          if (key === undefined || read === undefined) continue;
          const doubt = { one, read, trace, member };
          if (kept.has(key)) yield ruling(doubt);
          else doubts.set(key, new Map([[one.operation.id, doubt], ...(doubts.get(key) ?? [])]));
        }
      }
    },
  };
}

function ruling({ member: { at, sent, shown }, one, read }: Doubt): Violated {
  return violated([one, read], {
    expected: `${JSON.stringify(sent).slice(0, 80)} at ${at}, as the result shows it`,
    actual: shown === undefined ? `nothing at ${at}` : `${JSON.stringify(shown).slice(0, 80)} at ${at}`,
    because: `The result shows what was sent at ${at}, but the declared read shows ${shown === undefined || saysNothing(shown) ? 'nothing' : 'something else'} there. For another record, it shows what was sent.`,
    moved: { read: read.operation.id, at: [at] },
  });
}

/** Members of the record that the result shows as they were sent, and the read may show; none where the record went on by itself. */
function membersIn(one: Answered, read: Seen): readonly MemberShown[] {
  const [sent, result, shown] = [
    membersOf(sentJson(one.exchange.request)),
    shownFor(one, one.answer),
    shownFor(one, read.exchange.answer),
  ].map((members) => Object.fromEntries(members));
  const id = pathValues(read.operation, read.exchange).at(-1);
  if (sent === undefined || result === undefined || shown === undefined) return [];
  const entries = Object.entries(result);
  const names = (record: JsonObject, name: string): boolean => idText(record[name]) === id;
  const isBelow =
    isBelowRecord(one.operation, read.operation) && isShownAsRead(one.operation, read.operation);
  if (id !== undefined && !isBelow && !entries.some(([name]) => names(result, name) && names(shown, name)))
    return [];
  return membersShown(sent, result, shown).filter((member) => hasRoomFor(read, member.at, member.sent));
}

/** Whether a read shows what careless code makes of a value, or the text of another command. */
function isSurelyOther(
  { operation }: Answered,
  read: Seen | undefined,
  { at, sent, shown = null }: MemberShown,
): boolean {
  const by = read === undefined ? {} : { read: read.operation };
  if (alterationOf({ operation, ...by, at, sent, shown }) !== undefined) return true;
  if (typeof sent !== 'string' || typeof shown !== 'string') return false;
  const markers = shownMarkers(shown);
  return markers.length > 0 && shownMarkers(sent).length > 0 && !markers.some((one) => sent.includes(one));
}

/** Whether a value is surely another one, and not the same in another form. */
export function isOther({ sent, shown }: MemberShown): boolean {
  if (typeof sent === 'boolean') return typeof shown === 'boolean';
  if (typeof sent === 'number' && typeof shown === 'number') {
    const apart = Math.abs(sent - shown);
    return apart >= 0.01 && apart > Math.max(Math.abs(sent), Math.abs(shown)) / 100;
  }
  if (typeof sent !== 'string' || typeof shown !== 'string' || opaque.test(shown)) return false;
  if (dateTime(sent) !== undefined || /^\d{4}-\d\d/.test(sent)) return false;
  const [one, other] = [lettersOf(sent), lettersOf(shown)];
  return !one.includes(other) && !other.includes(one);
}
