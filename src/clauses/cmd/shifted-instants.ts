import type { Fold, Violated } from '../../model/clause.ts';
import type { OperationId } from '../../model/contract.ts';
import type { JsonPointer } from '../../model/json.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { dateTime } from '../../oracle/instant.ts';
import { type Answered, type Seen, violated } from '../judging/reading.ts';
import { placeOf, shows } from '../judging/sent-places.ts';
import { isOther } from './contradicted.ts';
import { type SentValue, sentValues } from './sent-values.ts';

/** An instant as it was sent, and the later or earlier one that the record shows. */
type Moved = {
  readonly one: Answered;
  readonly read: Seen;
  readonly at: JsonPointer;
  readonly sent: string;
  readonly shown: string;
  readonly shift: number;
};

type Way = 'shifted' | 'unzoned';

/** So many instants are remembered for each member. */
const most = 20;

/**
 * An instant that every command stores some hours off (CMD-6): as the local time of the service, or without the offset that was
 * sent. None was ever stored as it was sent, and each record shows the rest of its command.
 */
export function shiftedInstants(): Fold {
  const known = new Map<string, ReadonlyMap<string, Moved>>();
  const kept = new Set<string>();
  return {
    *see(context, trace) {
      for (const { one, read, values } of sentValues(context, trace)) {
        const isRest = values.every((each) => isInstant(each.sent) || isStored(each));
        for (const { at, sent, shown } of values) {
          const moved = movedBy(one, read, { at, sent, shown });
          if (moved === undefined || graced.test(at) || isLocal(one, read, at)) continue;
          for (const way of ['shifted', 'unzoned'] as const) {
            const own = placed(one.operation.id, at, way);
            if (saysNothing(way, moved)) continue;
            if (!isThisWay(way, moved)) kept.add(own);
            const found = known.get(own) ?? new Map<string, Moved>();
            if (kept.has(own) || !isRest || (found.size >= most && !found.has(moved.sent))) continue;
            const next = new Map([...found, [moved.sent, moved]]);
            known.set(own, next);
            if (isCertain[way]([...next.values()])) yield ruling(moved, next.size);
          }
        }
      }
    },
  };
}

const placed = (operation: OperationId, at: JsonPointer, way: Way): string =>
  `${way} ${operation} ${placeOf(at)}`;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

function isInstant(value: unknown): boolean {
  return typeof value === 'string' && dateTime(value) !== undefined;
}

/** Whether a record shows a value, be it in another form. */
function isStored({ at, sent, shown }: SentValue): boolean {
  return shows(sent, shown) || !isOther({ at, sent, shown });
}

function movedBy(one: Answered, read: Seen, { at, sent, shown }: SentValue): Moved | undefined {
  if (typeof sent !== 'string' || typeof shown !== 'string') return undefined;
  const [asked, is] = [sent, shown].map(dateTime);
  // Without a zone, a time may be that of any place.
  if (asked?.zoned !== true || is?.zoned !== true) return undefined;
  // Fractions of a second may be cut off.
  const seconds = (time: number): number => Math.floor(time / 1000) * 1000;
  return { one, read, at, sent, shown, shift: seconds(is.at) - seconds(asked.at) };
}

/** Whether a contract says of a time that it is that of a place. */
function isLocal({ operation }: Answered, read: Seen, at: JsonPointer): boolean {
  return [operation.body?.schema, read.operation.success.schema]
    .flatMap((schema) => schemasAt(schema, at))
    .some(({ description }) => typeof description === 'string' && local.test(description));
}

const local = /local|offset|zone/i;

/** What a service may prolong. */
const graced = /deadline|expir|grace|hold|lease|timeout|valid/i;

/** An instant that was sent in UTC has no offset that could be lost. */
function saysNothing(way: Way, { sent }: Moved): boolean {
  return way === 'unzoned' && wallOf(sent)?.offset === 0;
}

function isThisWay(way: Way, { sent, shift, shown }: Moved): boolean {
  if (way === 'shifted')
    return Math.abs(shift) >= hour && Math.abs(shift) <= 14 * hour && shift % (hour / 2) === 0;
  const [one, other] = [sent, shown].map(wallOf);
  return one !== undefined && one.time === other?.time && one.offset !== other.offset;
}

const wall = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?\s?(?:[Zz]|([+-])(\d\d):?(\d\d))$/;

/** The date and the time of day as they are written, and the minutes by which their zone is ahead of UTC. */
function wallOf(text: string): { readonly time: string; readonly offset: number } | undefined {
  const [, date, time, sign = '+', hours = '0', minutes = '0'] = wall.exec(text) ?? [];
  if (date === undefined || time === undefined) return undefined;
  return {
    time: `${date} ${time}`,
    offset: (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1),
  };
}

/** The milliseconds since midnight in UTC at which an instant was sent. */
function timeOfDay({ sent }: Moved): number {
  return (dateTime(sent)?.at ?? 0) % day;
}

/** Whether no rule of full hours and of opening times moves an instant so. */
function isOdd(moved: Moved): boolean {
  return Math.floor(timeOfDay(moved) / 1000) % 1800 !== 0;
}

/** How far the instants have to agree. A zone may be one hour further ahead in summer. */
const isCertain: { readonly [W in Way]: (all: readonly Moved[]) => boolean } = {
  shifted: (all) => {
    const shifts = all.map(({ shift }) => shift);
    const [least, largest] = [Math.min(...shifts), Math.max(...shifts)];
    const times = new Set(all.map(timeOfDay)).size;
    const odd = new Set(all.filter(isOdd).map(timeOfDay)).size;
    if (least === largest) return times > 1 && odd > 0;
    return largest - least === hour && least * largest > 0 && new Set(shifts).size === 2 && odd > 2;
  },
  unzoned: (all) => all.length > 1 && all.some(isOdd),
};

function ruling({ at, one, read, sent, shift, shown }: Moved, instants: number): Violated {
  const hours = Math.abs(shift) / hour;
  return violated([one, read], {
    expected: `${sent} at ${at}, as it was sent, or the same instant in another zone`,
    actual: `${shown} at ${at}`,
    because: `The record shows the rest of the accepted command, but an instant that is ${hours} ${hours === 1 ? 'hour' : 'hours'} ${shift < 0 ? 'earlier' : 'later'} at ${at}. No command stored one there as it was sent, and ${instants} were.`,
    moved: { read: read.operation.id, at: [at] },
  });
}
