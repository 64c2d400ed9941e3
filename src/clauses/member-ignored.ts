import type { Context, Fold, Violated } from '../model/clause.ts';
import { idText, isCarried } from '../model/contract.ts';
import type { Trace } from '../model/exchange.ts';
import { canonicalJson, type Json, type JsonPointer, pointerOf } from '../model/json.ts';
import { exactJsonOf, sentJson } from '../model/response.ts';
import { requires, schemasAt } from '../model/schema-places.ts';
import { isOther } from './contradicted.ts';
import { isSame, type Members, membersOf, secret } from './judging/changes.ts';
import { identityOf } from './judging/readers.ts';
import { type Answered, answered, type Seen, seen, violated } from './judging/reading.ts';
import {
  delicate,
  isSilent,
  isWord,
  type MemberStates,
  movesUnsent,
  newlyShown,
  saysNothing,
} from './judging/record-changes.ts';
import { readOfRecord, stateBefore } from './judging/record-reads.ts';
import { isBookkeeping } from './judging/removal.ts';

type Doubt = {
  readonly one: Answered;
  readonly read: Seen;
  readonly trace: Trace;
  readonly name: string;
  readonly sent: Json;
  readonly look: Members;
};

/** So many kinds and states of records are remembered for each member, and so many commands that left it as it was. */
const mostLooks = 20;
const mostDoubts = 3;

/**
 * A member that one operation never sets (CMD-6), though it was sent two values for it and each record shows the rest of the
 * command: a PUT, a PATCH, or a POST that makes records. To the same caller the read shows that member, as it was sent, of another
 * record of the same kind and state. A text that has a form, an enumeration or a flag may depend on more than the command: a
 * confirmation, an order of states. Of a reference to a record, one value is enough: the run made that record.
 */
export function memberIgnored(): Fold {
  const looks = new Map<string, readonly Members[]>();
  const stored = new Set<string>();
  const doubts = new Map<string, readonly Doubt[]>();
  return {
    *see(context, trace) {
      const all = seen(context, trace);
      for (const one of answered(context, trace)) {
        const read = readOfRecord(context, all, one);
        if (read === undefined) continue;
        const sent = membersOf(sentJson(one.exchange.request));
        const is = membersOf(exactJsonOf(read.exchange.answer));
        const was = stateBefore(all, one, read);
        for (const [name, value] of sent) {
          const refers = isReference(one, name, value);
          if (!refers && !isPlain(name, value)) continue;
          const place = `${read.operation.id} ${name}`;
          const own = `${one.operation.id} ${place}`;
          if (isSame(value, is.get(name) ?? null)) {
            const sees = placeFor(context, one, place);
            looks.set(sees, withLook(looks.get(sees) ?? [], lookOf(is)));
            if (was === undefined || !isSame(was.get(name) ?? null, value)) stored.add(own);
          } else if (
            one.operation.method === 'POST'
              ? isLeftOut(context, one, read, name, { sent, is })
              : was !== undefined && isIgnored(context, one, read, name, { sent, was, is })
          )
            doubts.set(own, [
              // A repeat sends the same value again, and takes the place of what it repeats.
              ...(doubts.get(own) ?? []).filter((each) => !isSame(each.sent, value)).slice(1 - mostDoubts),
              { one, read, trace, name, sent: value, look: lookOf(is) },
            ]);
          else continue;
          for (const [key, found] of doubts) {
            if (!key.endsWith(` ${place}`) || stored.has(key)) continue;
            const doubt = found.findLast((each) =>
              looks.get(placeFor(context, each.one, place))?.some((look) => isLike(each, look)),
            );
            if (
              doubt === undefined ||
              found.length < (isReference(doubt.one, doubt.name, doubt.sent) ? 1 : 2)
            )
              continue;
            if (doubt.trace === trace && doubt.one === one) yield ruling(doubt);
            // Its trace is over, and is not repeated.
            else if (doubt.trace !== trace && isSame(value, is.get(name) ?? null)) {
              doubts.delete(key);
              yield { ...ruling(doubt), conclusive: true, within: doubt.trace };
            }
          }
        }
      }
    },
  };
}

/** A place as one caller sees it: another one may see more of a record. */
function placeFor(context: Context, { step }: Answered, place: string): string {
  return `${identityOf(context, step.as)} ${place}`;
}

function ruling({ name, one, read, sent }: Doubt): Violated {
  const at = pointerOf([name]);
  const shown = membersOf(exactJsonOf(read.exchange.answer)).get(name);
  const short = (value: Json): string => JSON.stringify(value).slice(0, 80);
  return violated([one, read], {
    expected: `${short(sent)} at ${at}, as it was sent`,
    actual: shown === undefined ? `nothing at ${at}` : `${short(shown)} at ${at}`,
    because: `The record shows the rest of the accepted command, but nothing new at ${at}. This operation never stored what was sent there. For another record, the read shows what was sent.`,
  });
}

/** Whether a member names a record that the run made: no other value of it is a reference. */
function isReference({ operation }: Pick<Answered, 'operation'>, name: string, value: Json): boolean {
  const named = operation.named?.some(
    ({ acts, at, field }) => at === pointerOf([name]) && acts !== true && field.source !== undefined,
  );
  return named === true && idText(value) !== undefined && !oneSided.test(name);
}

/** Who takes part may have to agree first, and what a record has been moved to may only be asked for. */
const oneSided = /assign|approver|reviewer|invite|owner|transfer|request|propos|next|new/i;

/** What a client may set to any value without more: a text or a number, which is neither a name of a record nor a secret. */
function isPlain(name: string, value: Json): boolean {
  if (secret.test(name) || delicate.test(name) || isBookkeeping(pointerOf([name]))) return false;
  if (typeof value === 'number') return value !== 0;
  return typeof value === 'string' && value.length <= longest && clean.test(value) && !saysNothing(value);
}

const longest = 200;
/** What has no markup and no control character: nothing takes it out of a text. */
const clean = /^[^<>&\p{C}]*[\p{L}\p{N}][^<>&\p{C}]*$/u;
/** Whether a record shows what a command sent, but for one member, and nothing else moved. */
function isIgnored(
  context: Context,
  one: Answered,
  read: Seen,
  name: string,
  { is, sent, was }: MemberStates,
): boolean {
  const at = pointerOf([name]);
  const [value, shown, kept] = [sent, is, was].map((each) => each.get(name));
  if (value === undefined || !isSettable(one, read, at)) return false;
  if (!isSame(shown ?? null, kept ?? null)) return false;
  const isId = idText(value) !== undefined && isReference(one, name, value);
  // Where one schema stands for all bodies, a reference may be one that never changes.
  if (isId && isShared(context, one, read)) return false;
  if (shown !== undefined && !isId && !isOther({ at, sent: value, shown })) return false;
  return (
    newlyShown({ is, sent, was }).some((each) => each !== name) &&
    !movesUnsent({ is, sent, was }) &&
    isSilent(exactJsonOf(one.answer), exactJsonOf(read.exchange.answer))
  );
}

/** Whether a command may set a member to any value, and the read describes it. */
function isSettable({ operation }: Answered, read: Seen, at: JsonPointer): boolean {
  const own = schemasAt(operation.body?.schema, at);
  const names = operation.named?.some((record) => record.at === at) === true;
  return (
    own.length > 0 &&
    own.every((schema) => !formed.some((keyword) => keyword in schema && !(names && idForm.test(keyword)))) &&
    schemasAt(read.operation.success.schema, at).length > 0 &&
    !isCarried(operation, at)
  );
}

/**
 * Whether a new record shows all that was sent, but for one member. A body that is described as those that change the record may
 * have members for these alone, unless it requires them.
 */
function isLeftOut(
  context: Context,
  one: Answered,
  read: Seen,
  name: string,
  { is, sent }: Pick<MemberStates, 'is' | 'sent'>,
): boolean {
  const at = pointerOf([name]);
  const others = [...sent].filter(([each]) => each !== name);
  if ((is.get(name) ?? null) !== null || !isSettable(one, read, at) || others.length === 0) return false;
  return (
    (!isShared(context, one, read) || requires(one.operation.body?.schema, at)) &&
    others.every(([each, value]) => isSame(value, is.get(each) ?? null)) &&
    isSilent(exactJsonOf(one.answer), exactJsonOf(read.exchange.answer))
  );
}

/** Whether another command on such records has a body of the same schema. */
function isShared({ contract }: Context, { operation: { body, id } }: Answered, read: Seen): boolean {
  return contract.operations.some(
    (other) =>
      other.id !== id &&
      other.effect?.read === read.operation.id &&
      other.body !== undefined &&
      canonicalJson(other.body.schema) === canonicalJson(body?.schema ?? null),
  );
}

const formed = ['enum', 'const', 'format', 'pattern', 'readOnly', 'deprecated'];
/** An ID may have a form. */
const idForm = /^(format|pattern)$/;

/** What sets kinds and states of records apart: words and flags, and that there is a member at all. */
function lookOf(record: Members): Members {
  return new Map(
    [...record]
      .filter(([name, value]) => !isBookkeeping(pointerOf([name])) && !saysNothing(value))
      .map(([name, value]) => [name, typeof value === 'boolean' || isWord(value) ? value : null]),
  );
}

function withLook(looks: readonly Members[], look: Members): readonly Members[] {
  const isKnown = looks.length >= mostLooks || looks.some((each) => textOf(each) === textOf(look));
  return isKnown ? looks : [...looks, look];
}

const textOf = (look: Members): string => JSON.stringify([...look].toSorted());

/** Whether another record is of the same kind and state; what a command sets freely shows neither. */
function isLike({ look, name, one }: Doubt, other: Members): boolean {
  const isFree = (each: string): boolean => {
    const own = schemasAt(one.operation.body?.schema, pointerOf([each]));
    return (
      own.length > 0 &&
      own.every(
        (schema) => !['enum', 'const'].some((keyword) => keyword in schema) && schema['type'] !== 'boolean',
      )
    );
  };
  const [mine, its] = [look, other].map(
    (each) => new Map([...each].filter(([at]) => at !== name && !isFree(at))),
  );
  return mine !== undefined && its !== undefined && textOf(mine) === textOf(its);
}
