import type { Context, Fold, Violated } from '../../model/clause.ts';
import { isArray, isObject, type Json, type JsonObject, numberIn } from '../../model/json.ts';
import { sentJson } from '../../model/response.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { isSame } from '../judging/changes.ts';
import { readSchemasAt } from '../judging/enveloped.ts';
import { type Answered, type Seen, violated } from '../judging/reading.ts';
import { placeOf } from '../judging/sent-places.ts';
import { type SentValue, sentValues } from './sent-values.ts';

/** A number with a fraction that a command sent, and the whole number that its record shows. */
type Doubt = {
  readonly sent: Json;
  readonly fraction: number;
  /** What the command says of the currency or the unit. */
  readonly units: readonly Json[];
};

/** So many numbers of a member are remembered. */
const most = 10;

/**
 * A member that takes numbers with a fraction, and never stores one (CMD-6), though the contract declares for the body and for the
 * record that it has one: a column for whole numbers, or a cast to them. Each record shows the nearest whole number, the one
 * below, or the one above. Neither halves nor quarters are left, so no service rounds to these.
 */
export function fractionLost(): Fold {
  const doubts = new Map<string, readonly Doubt[]>();
  const kept = new Set<string>();
  return {
    *see(context, trace) {
      for (const { one, read, values: found } of sentValues(context, trace)) {
        for (const value of found) {
          const own = `${one.operation.id} ${placeOf(value.at)}`;
          if (kept.has(own)) continue;
          const [sent, shown] = [numberIn(value.sent), numberIn(value.shown)];
          if (sent === undefined || shown === undefined) continue;
          if (!Number.isInteger(shown)) {
            kept.add(own);
            doubts.delete(own);
            continue;
          }
          if (Number.isInteger(sent) || Math.abs(sent - shown) >= 1) continue;
          // That the record shows the rest of the command says that it was carried out.
          if (!found.some((other) => other.at !== value.at && isSame(other.sent, other.shown))) continue;
          if (!isDeclaredForBoth(context, one, read, value)) continue;
          const known = withDoubt(doubts.get(own) ?? [], {
            sent: value.sent,
            fraction: Math.abs(sent) % 1,
            units: unitsIn(sentJson(one.exchange.request)),
          });
          doubts.set(own, known);
          if (isCertain(known)) yield ruling(one, read, value);
        }
      }
    },
  };
}

function isDeclaredForBoth(context: Context, one: Answered, read: Seen, { at, sent }: SentValue): boolean {
  return [schemasAt(one.operation.body?.schema, at), readSchemasAt(read, at)].every((schemas) =>
    isDeclared(context, schemas, sent),
  );
}

/** Whether one of the schemas of a place says that numbers have a fraction there, such as cents. */
function isDeclared(context: Context, schemas: readonly JsonObject[], sent: Json): boolean {
  return schemas.some(({ format, multipleOf, pattern }) =>
    typeof sent === 'number'
      ? typeof multipleOf === 'number' && !Number.isInteger(multipleOf)
      : format === 'decimal' ||
        (typeof pattern === 'string' &&
          /\\\.|\[[.,]+\]/.test(pattern) &&
          context.shapeErrors({ pattern }, sent).length === 0),
  );
}

/** Doubts of other numbers: a repeat takes the place of what it repeats. */
function withDoubt(doubts: readonly Doubt[], doubt: Doubt): readonly Doubt[] {
  return [...doubts.filter(({ sent }) => !isSame(sent, doubt.sent)).slice(1 - most), doubt];
}

/** Whether several numbers came out whole, which rounding to halves would not do, be it up, down or to the nearest. */
function isCertain(doubts: readonly Doubt[]): boolean {
  const fractions = doubts.map(({ fraction }) => fraction);
  const isAnyStep =
    fractions.some((each) => each > 0.25 && each < 0.75) &&
    fractions.some((each) => each >= 0.5) &&
    fractions.some((each) => each <= 0.5);
  return doubts.length > 1 && isAnyStep && !isOfOneUnit(doubts);
}

/** Currencies with cents; some others have none. */
const withCents = /^(EUR|USD|GBP|CHF|CAD|AUD)$/i;

/** Whether all numbers are of one unit, which may have no fractions. */
function isOfOneUnit(doubts: readonly Doubt[]): boolean {
  const [first = [], ...others] = doubts.map(({ units }) => units);
  if (first.length === 0 || first.some((unit) => typeof unit === 'string' && withCents.test(unit)))
    return false;
  return others.every((units) => isSame([...units], [...first]));
}

const unit = /currency|units?$|^(iso|code)$/i;

/** What a body says of currencies and units, wherever it does. */
function unitsIn(value: Json | undefined): readonly Json[] {
  if (!isObject(value) && !isArray(value)) return [];
  return Object.entries(value).flatMap(([name, member]): readonly Json[] =>
    typeof member === 'string' && unit.test(name) ? [member] : unitsIn(member),
  );
}

function ruling(one: Answered, read: Seen, { at, sent, shown }: SentValue): Violated {
  return violated([one, read], {
    expected: `${JSON.stringify(sent)} at ${at}, as it was sent`,
    actual: `${JSON.stringify(shown)} at ${at}`,
    because: `The record shows the rest of the accepted command, but whatever is sent at ${at}, it shows a whole number there. The contract declares a fraction for both.`,
  });
}
