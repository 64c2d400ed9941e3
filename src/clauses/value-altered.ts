import type { Fold, Violated } from '../model/clause.ts';
import type { Trace } from '../model/exchange.ts';
import { canonicalJson, isArray, type Json, pointerOf } from '../model/json.ts';
import { wordsOf } from '../model/name-words.ts';
import { exactJsonOf, sentJson } from '../model/response.ts';
import { schemasAt } from '../model/schema-places.ts';
import { isSame, secret } from './judging/changes.ts';
import { type Answered, answered, type Seen, seen, violated } from './judging/reading.ts';
import { isSilent, plainMembers, saysNothing } from './judging/record-changes.ts';
import { readOfRecord, stateBefore } from './judging/record-reads.ts';
import { isBookkeeping } from './judging/removal.ts';

type Doubt = {
  readonly one: Answered;
  readonly read: Seen;
  readonly trace: Trace;
  readonly name: string;
  readonly sent: Json;
  readonly shown: Json;
  readonly how: string;
};

/** So many values of a member are remembered for each operation. */
const mostValues = 6;
/** With so many other values stored as they were sent, the member is one that callers set. */
const enough = 2;

/**
 * A value that a command stores otherwise than it was sent (CMD-6), as careless code does: a number that a column is too small for,
 * a list without its end, a kind that a mapping has forgotten. The operation stores other values of that member as they are sent,
 * and the record shows the rest of the command.
 */
export function valueAltered(): Fold {
  const stored = new Map<string, ReadonlySet<string>>();
  const doubts = new Map<string, Doubt>();
  return {
    *see(context, trace) {
      const all = seen(context, trace);
      for (const one of answered(context, trace)) {
        const read = readOfRecord(context, all, one);
        if (read === undefined) continue;
        const found = new Map(membersOf(one, read).map((member) => [member.name, member]));
        for (const { name, sent, shown } of found.values()) {
          const own = `${one.operation.id} ${name}`;
          const known = stored.get(own) ?? new Set();
          if (isSame(sent, shown)) {
            // What the record had before, nothing stored.
            const isNew = one.operation.method === 'POST' || isMoved(all, one, read, name, sent);
            if (isNew && known.size < mostValues)
              stored.set(own, new Set([...known, canonicalJson(sent).slice(0, 200)]));
          } else {
            const others = [...found.values()].filter((other) => other.name !== name);
            const isRest = others.length > 0 && others.every((other) => isSame(other.sent, other.shown));
            const how = isRest ? alteration(one, name, sent, shown) : undefined;
            if (how === undefined) continue;
            doubts.set(own, { one, read, trace, name, sent, shown, how });
          }
          const doubt = doubts.get(own);
          if (doubt === undefined || (stored.get(own)?.size ?? 0) < enough) continue;
          if (doubt.trace === trace && doubt.one === one) yield ruling(doubt);
          // Its trace is over, and is not repeated.
          else if (doubt.trace !== trace) {
            doubts.delete(own);
            yield { ...ruling(doubt), conclusive: true, within: doubt.trace };
          }
        }
      }
    },
  };
}

/** Whether a read before the command showed another value. */
function isMoved(all: readonly Seen[], one: Answered, read: Seen, name: string, sent: Json): boolean {
  const was = stateBefore(all, one, read);
  return was !== undefined && !isSame(was.get(name) ?? null, sent);
}

type Member = { readonly name: string; readonly sent: Json; readonly shown: Json };

/** What a command sent and what the read shows of it; nothing where the result says more than the record. */
function membersOf(one: Answered, read: Seen): readonly Member[] {
  const [sent, is] = [sentJson(one.exchange.request), exactJsonOf(read.exchange.answer)].map(plainMembers);
  if (sent === undefined || is === undefined) return [];
  if (!isSilent(exactJsonOf(one.answer), exactJsonOf(read.exchange.answer))) return [];
  return [...sent].flatMap(([name, value]): readonly Member[] => {
    const shown = is.get(name);
    const at = pointerOf([name]);
    if (shown === undefined || shown === null || secret.test(name) || isBookkeeping(at)) return [];
    if (schemasAt(one.operation.body?.schema, at).length === 0 || saysNothing(value)) return [];
    return [{ name, sent: value, shown }];
  });
}

function ruling({ how, name, one, read, sent, shown }: Doubt): Violated {
  const at = pointerOf([name]);
  const short = (value: Json): string => JSON.stringify(value).slice(0, 80);
  return violated([one, read], {
    expected: `${short(sent)} at ${at}, as it was sent`,
    actual: `${short(shown)} at ${at}`,
    because: `The record shows the rest of the accepted command, but ${how} at ${at}. The operation stored other values of that member as they were sent.`,
    moved: { read: read.operation.id, at: [at] },
  });
}

/** How a value came to be another one, where careless code does that; a service may also have rules of its own. */
function alteration(one: Answered, name: string, sent: Json, shown: Json): string | undefined {
  if (typeof sent === 'number' && typeof shown === 'number')
    return wraps(sent, shown)
      ? 'what is left of the number in a smaller column'
      : isSingle(one, name, sent, shown)
        ? 'the number as 32 bits of floating point hold it'
        : undefined;
  if (isArray(sent) && isArray(shown))
    return !namesOthers.test(wordsOf(name).at(-1) ?? '') && isBeginning(sent, shown)
      ? 'only the beginning of the list'
      : undefined;
  return isKind(one, name, sent, shown) ? 'another of the declared values' : undefined;
}

/** Integers of 8, 16 and 32 bits, with a sign and without: what does not fit is cut, or the largest value takes its place. */
function wraps(sent: number, shown: number): boolean {
  // Zero may stand for no number.
  if (!Number.isSafeInteger(sent) || !Number.isSafeInteger(shown) || shown === 0) return false;
  return [8, 16, 32].some((bits) => {
    const size = 2 ** bits;
    const cut = ((sent % size) + size) % size;
    const signed = cut >= size / 2 ? cut - size : cut;
    const [least, most] = [-size / 2, size / 2 - 1];
    return (
      ((sent >= size || sent < least) && (shown === cut || shown === signed)) ||
      (sent > most && sent < size && shown === signed) ||
      // The largest of fewer bits may be a bound that the service chose.
      (bits === 32 && ((sent > most && shown === most) || (sent >= size && shown === size - 1)))
    );
  });
}

/** A schema may say that 32 bits hold the number. */
function isSingle({ operation }: Answered, name: string, sent: number, shown: number): boolean {
  const isDeclared = schemasAt(operation.body?.schema, pointerOf([name])).some(
    ({ format }) => format === 'float',
  );
  return !isDeclared && !Number.isInteger(sent) && shown !== sent && shown === Math.fround(sent);
}

/** A list of IDs: a service may leave out what is no record, or what its caller cannot see. */
const namesOthers = /^(ids?|refs?|keys?)$/;

/** Whether items are missing at the end; those that are alike may be taken for one, and what says nothing for none. */
function isBeginning(sent: readonly Json[], shown: readonly Json[]): boolean {
  const texts = sent.map((item) =>
    canonicalJson(item).normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ''),
  );
  return (
    shown.length > 0 &&
    shown.length < sent.length &&
    new Set(texts).size === texts.length &&
    !sent.slice(shown.length).some(saysNothing) &&
    shown.every((item, index) => isSame(item, sent[index] ?? null))
  );
}

/** What says what a record is, and not what state it is in, or what its caller may have. */
const kinds = /^(type|kind|category|units?|currency|language|locale|colou?r|size|format|genre|species)$/;

function isKind({ operation }: Answered, name: string, sent: Json, shown: Json): boolean {
  const declared = schemasAt(operation.body?.schema, pointerOf([name])).flatMap<Json>(({ enum: all }) =>
    isArray(all) ? all : [],
  );
  return (
    typeof sent === 'string' &&
    typeof shown === 'string' &&
    !isSpelling(sent, shown) &&
    wordsOf(name).some((word) => kinds.test(word)) &&
    declared.includes(sent) &&
    declared.includes(shown)
  );
}

/** Whether one of two values may be another form of the other, such as `jpg` and `jpeg`, `kg` and `kilogram`, or `gray` and `grey`. */
function isSpelling(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other]
    .map((each) => each.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''))
    .sort((first, second) => first.length - second.length);
  let at = 0;
  for (const sign of long) if (sign === short[at]) at += 1;
  const isWithin = short[0] === long[0] && at === short.length;
  const isOneOff =
    short.length > 3 &&
    short.length === long.length &&
    [...short].filter((sign, index) => sign !== long[index]).length < 2;
  return isWithin || isOneOff;
}
