import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isArray, type Json, pointerOf } from '../../model/json.ts';
import { exactJsonOf } from '../../model/response.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { isSame, secret } from '../judging/changes.ts';
import { holds, inconclusive, violated } from '../judging/reading.ts';
import {
  delicate,
  isSilent,
  newlyShown,
  type RecordChange,
  recordChanges,
  saysNothing,
} from '../judging/record-changes.ts';
import { isBookkeeping } from '../judging/removal.ts';

/**
 * A zero value that an accepted command sent (0, false, an empty text or list), while the record keeps the value before it and
 * shows the rest of the command (CMD-6). Another command of the operation changed that member of the record: a number to a lower
 * one, a flag to true, a text or list to another one.
 */
export function* zeroIgnored(context: Context, trace: Trace): Iterable<Ruling> {
  const changes = recordChanges(context, trace, (sent) => sent.size > 0);
  for (const change of changes) {
    const { is, one, read, sent, was } = change;
    const zeros = [...sent].flatMap(([name, value]) =>
      isZero(value) && isPlain(change, name) ? [name] : [],
    );
    const before = (name: string): Json => was.get(name) ?? null;
    // What was zero before says nothing.
    const asked = zeros.filter(
      (name) =>
        kindOf(before(name)) === kindOf(sent.get(name) ?? null) &&
        !isSame(before(name), sent.get(name) ?? null),
    );
    const kept = asked.filter((name) => isSame(before(name), is.get(name) ?? null));
    const stored = asked.filter((name) => isSame(sent.get(name) ?? null, is.get(name) ?? null));
    const [first] = kept;
    const shown = kept.find(
      (name) =>
        !mayBeLeast(before(name)) && changes.some((other) => other !== change && sets(other, change, name)),
    );
    const isNew = newlyShown(change).some(
      (name) => typeof sent.get(name) === 'string' && sent.get(name) !== '',
    );
    if (first === undefined) {
      const [done] = stored;
      if (done !== undefined)
        yield holds([one, read], {
          expected: 'the zero value that was sent',
          because: `The record shows ${JSON.stringify(sent.get(done))} at ${pointerOf([done])}, as it was sent.`,
        });
      continue;
    }
    const at = pointerOf([shown ?? first]);
    // One of several may rule the others: what is switched off need not take a value. A text or a list rules nothing.
    const rules = asked.some((name) => !kept.includes(name) && !isTextual(sent.get(name) ?? null));
    if (shown === undefined || rules)
      yield inconclusive(
        [one, read],
        `The record keeps its value at ${at}, where ${JSON.stringify(sent.get(shown ?? first))} was sent. Nothing shows that the command can set it at this time.`,
      );
    else if (!isNew || !isSilent(exactJsonOf(one.answer), exactJsonOf(read.exchange.answer)))
      yield inconclusive(
        [one, read],
        `The record keeps its value at ${at}. The read may be stale, or the result may say why.`,
      );
    else
      yield violated([one, read], {
        expected: `${JSON.stringify(sent.get(shown))} at ${at}, as it was sent`,
        actual: `${JSON.stringify(is.get(shown))} at ${at}`,
        because: `The record shows the rest of the accepted command, but keeps its value at ${at}. The same operation set another value there before.`,
        moved: { read: read.operation.id, at: [at] },
      });
  }
}

function isZero(value: Json): boolean {
  return value === 0 || value === false || value === '' || (isArray(value) && value.length === 0);
}

/** A service may raise a lower number to the least that it works with, which is a round one. */
function mayBeLeast(value: Json): boolean {
  return typeof value === 'number' && (value === 1 || value % 5 === 0);
}

/** Whether a change moved a member as nothing does that only ever goes one way: a flag to true, a number down, or a text to another. */
function sets({ is, one, sent, was }: RecordChange, change: RecordChange, name: string): boolean {
  const [before, value] = [was.get(name) ?? null, sent.get(name) ?? null];
  return (
    one.operation.id === change.one.operation.id &&
    one.exchange.request.path === change.one.exchange.request.path &&
    isSame(value, is.get(name) ?? null) &&
    isSetting(before, value)
  );
}

function isSetting(before: Json, value: Json): boolean {
  if (value === true) return before === false || before === null;
  if (typeof value === 'number') return typeof before === 'number' && value !== 0 && value < before;
  return isTextual(value) && kindOf(before) === kindOf(value) && !saysNothing(before) && !saysNothing(value);
}

function kindOf(value: Json): string {
  return isArray(value) ? 'list' : typeof value;
}

function isTextual(value: Json): boolean {
  return typeof value === 'string' || isArray(value);
}

/** What a caller may set to any value that the schema allows. */
function isPlain({ one, sent }: RecordChange, name: string): boolean {
  const at = pointerOf([name]);
  if (secret.test(name) || delicate.test(name) || isBookkeeping(at)) return false;
  if (typeof sent.get(name) === 'boolean' && oneWay.test(name)) return false;
  const own = schemasAt(one.operation.body?.schema, at);
  return own.length > 0 && own.every((schema) => !limiting.some((keyword) => keyword in schema));
}

const limiting = ['enum', 'const', 'pattern', 'readOnly', 'deprecated'];

/** Flags that may stay true for good, or until another record takes over. */
const oneWay =
  /accept|agree|consent|confirm|verif|approv|archiv|lock|clos|cancel|complet|publish|sign|delet|remov|final|paid|done|read|seen|sent|frozen|primary|default|main|current|terms|start|finish|ship|resol|void|revok|expire|master|owner|admin/i;
