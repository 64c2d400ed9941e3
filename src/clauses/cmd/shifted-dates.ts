import type { Fold, Violated } from '../../model/clause.ts';
import { type JsonPointer, pointerTokens } from '../../model/json.ts';
import { wordsOf } from '../../model/name-words.ts';
import { isSame } from '../judging/changes.ts';
import { type Answered, type Seen, violated } from '../judging/reading.ts';
import { sentValues } from './sent-values.ts';

type Shift = {
  readonly one: Answered;
  readonly read: Seen;
  readonly at: JsonPointer;
  readonly sent: string;
  readonly shown: string;
  readonly days: number;
};

/** So many different dates that no rule of working days moves. */
const enough = 2;

/**
 * A date that every command stores as the day before, or as the day after (CMD-6): midnight in one time zone is the day before in
 * another. None was ever stored as it was sent, and each record shows the rest of its command.
 */
export function shiftedDates(): Fold {
  const shifts = new Map<string, ReadonlyMap<string, Shift>>();
  const kept = new Set<string>();
  return {
    *see(context, trace) {
      for (const { one, read, values } of sentValues(context, trace)) {
        for (const { at, sent, shown } of values) {
          const [day, other] = [sent, shown].map(dayOf);
          if (day === undefined || typeof sent !== 'string' || typeof shown !== 'string') continue;
          const own = `${one.operation.id} ${at}`;
          const days = other === undefined ? 0 : other - day;
          const isRest = values.every(
            (each) => dayOf(each.sent) !== undefined || isSame(each.sent, each.shown),
          );
          if (Math.abs(days) !== 1 || mayBeAnEnd(at)) kept.add(own);
          if (kept.has(own) || !isRest) continue;
          const shift = { one, read, at, sent, shown, days };
          const found = new Map([...(shifts.get(own) ?? []), [sent, shift]]);
          shifts.set(own, found);
          const same = [...found.values()].every((each) => each.days === days);
          if (!same) kept.add(own);
          else if ([...found.values()].filter(isTelling).length >= enough) yield ruling(shift, found.size);
        }
      }
    },
  };
}

function ruling(last: Shift, dates: number): Violated {
  return violated([last.one, last.read], {
    expected: `${last.sent} at ${last.at}, as it was sent`,
    actual: `${last.shown} at ${last.at}`,
    because: `The record shows the rest of the accepted command, but the day ${last.days < 0 ? 'before' : 'after'} at ${last.at}. This holds for all ${dates} dates that were sent.`,
    moved: { read: last.read.operation.id, at: [last.at] },
  });
}

/** Of a range, some show the last day that belongs to it, and others the first one that does not. */
function mayBeAnEnd(at: JsonPointer): boolean {
  return pointerTokens(at).some((name) => wordsOf(name).some((word) => ends.test(word)));
}

const ends =
  /^(ends?|ending|until|till|to|through|thru|expir\w*|valid\w*|stops?|finish\w*|checkout|out|last)$/;

const dayMs = 86_400_000;

/** The number of a day, of a date without a time. */
function dayOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  const at = Date.parse(`${value}T00:00:00Z`);
  return Number.isNaN(at) ? undefined : at / dayMs;
}

/** A rule of working days moves a Saturday to the day before, and a Sunday to the day after. */
function isTelling({ days, sent }: Shift): boolean {
  const weekday = new Date(`${sent}T00:00:00Z`).getUTCDay();
  return weekday !== (days < 0 ? 6 : 0);
}
