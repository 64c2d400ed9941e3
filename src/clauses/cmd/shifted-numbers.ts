import type { Fold, Violated } from '../../model/clause.ts';
import { type Json, type JsonPointer, numberIn, pointerTokens } from '../../model/json.ts';
import { wordsOf } from '../../model/name-words.ts';
import { type Answered, type Seen, violated } from '../judging/reading.ts';
import { placeOf, shows } from '../judging/sent-places.ts';
import { sentValues } from './sent-values.ts';

type Shift = {
  readonly one: Answered;
  readonly read: Seen;
  readonly at: JsonPointer;
  readonly sent: Json;
  readonly shown: Json;
  /** The one rule by which all numbers differ. */
  readonly how: string;
};

/** So many different numbers show a rule. */
const enough = 3;

/**
 * A number that every command stores as one less or one more, or as ten, a hundred or a thousand times as much or as little (CMD-6):
 * the end of a range is off by one, or cents are taken for the whole unit. None was ever stored as it was sent, and each record shows
 * the rest of its command.
 */
export function shiftedNumbers(): Fold {
  const shifts = new Map<string, ReadonlyMap<number, Shift>>();
  const kept = new Set<string>();
  return {
    *see(context, trace) {
      for (const { one, read, values } of sentValues(context, trace)) {
        const isRest = values.every(
          ({ sent, shown }) => numberIn(sent) !== undefined || shows(sent, shown) || typeof sent === 'object',
        );
        for (const { at, sent, shown } of values) {
          const [number, other] = [sent, shown].map(numberIn);
          // Nothing times ten is nothing.
          if (number === undefined || number === 0) continue;
          const own = `${one.operation.id} ${placeOf(at)}`;
          const how = other === undefined ? undefined : shiftOf(number, other, isPart(at));
          if (how === undefined || isCounted(at)) kept.add(own);
          if (how === undefined || kept.has(own) || !isRest) continue;
          const shift = { one, read, at, sent, shown, how };
          const found = new Map([...(shifts.get(own) ?? []), [number, shift]]);
          shifts.set(own, found);
          if ([...found.values()].some((each) => each.how !== how)) kept.add(own);
          else if (found.size >= enough) yield ruling(shift, found.size);
        }
      }
    },
  };
}

function shiftOf(sent: number, shown: number, isPart: boolean): string | undefined {
  if (shown === sent - 1) return 'one less';
  if (shown === sent + 1) return 'one more';
  for (const times of isPart ? [] : [10, 100, 1000]) {
    if (isNear(shown, sent * times)) return `${times} times as much`;
    if (isNear(shown * times, sent)) return `a ${times}th of it`;
  }
  return undefined;
}

function isNear(one: number, other: number): boolean {
  return other !== 0 && Math.abs(one - other) <= Math.abs(other) * 1e-9;
}

/** What the command itself may use up, and what says which one of several a record is. */
function isCounted(at: JsonPointer): boolean {
  return pointerTokens(at).some((name) => wordsOf(name).some((word) => counts.test(word)));
}

/** A part of a whole may be shown as a fraction or in per cent. */
function isPart(at: JsonPointer): boolean {
  return pointerTokens(at).some((name) => wordsOf(name).some((word) => parts.test(word)));
}

const parts =
  /^(confidence|discount|fraction|percent\w*|probability|progress|rates?|ratios?|scores?|shares?|tax(es)?|vat|weights?)$/;

const counts =
  /^(attempts?|availab\w*|capacity|count\w*|free|index|left|level|limit|max\w*|min\w*|no|number|offset|order|page|places?|position|quantity|quota|rank|remain\w*|retries|seats?|seq\w*|slots?|spots?|stock|tickets?|tries|uses?|version|year)$/;

function ruling({ at, how, one, read, sent, shown }: Shift, numbers: number): Violated {
  return violated([one, read], {
    expected: `${JSON.stringify(sent)} at ${at}, as it was sent`,
    actual: `${JSON.stringify(shown)} at ${at}`,
    because: `The record shows the rest of the accepted command, but ${how} at ${at}. This holds for all ${numbers} numbers that were sent.`,
    moved: { read: read.operation.id, at: [at] },
  });
}
