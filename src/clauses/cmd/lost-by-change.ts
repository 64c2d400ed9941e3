import type { Context, Ruling } from '../../model/clause.ts';
import { creates, isCarried, type Operation, operationNamed } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { isArray, isObject, type Json, type JsonPointer, pointerOf } from '../../model/json.ts';
import { wordsOf } from '../../model/name-words.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { reach, schemasAt } from '../../model/schema-places.ts';
import { isSame } from '../judging/changes.ts';
import { readSchemasAt } from '../judging/enveloped.ts';
import { type Answered, answered, idOf, isAccepted, pathValues, violated } from '../judging/reading.ts';
import {
  isSilent,
  newlyShown,
  plainMembers,
  type RecordChange,
  recordChanges,
  saysNothing,
} from '../judging/record-changes.ts';
import { isPlain } from '../judging/settable-members.ts';

/**
 * What only the create of a record sets, a PUT or PATCH loses (CMD-6), though its body has no such member: code that builds a
 * new record from that body. It shows nothing there, or the default of the create. The command changed texts alone, on
 * which nothing depends.
 */
export function* lostByChange(context: Context, trace: Trace): Iterable<Ruling> {
  for (const change of recordChanges(context, trace, () => true)) {
    const { is, one, read, was } = change;
    if (newlyShown(change).length === 0 || !changesTextsOnly(change) || !isOnRecord(context, one)) continue;
    if (!isSilent(exactJsonOf(one.answer), exactJsonOf(read.exchange.answer))) continue;
    const maker = makerOf(context, trace, one);
    if (maker === undefined) continue;
    const lost = [...plainMembers(sentJson(maker.exchange.request))].find(([name, value]) => {
      const now = is.get(name) ?? null;
      const isOwn = isSame(was.get(name) ?? null, value) && isUnknown(one.operation, pointerOf([name]));
      const isShown = readSchemasAt(read, pointerOf([name])).length > 0;
      return isOwn && isShown && isKept(name, value) && isLost(maker.operation, name, value, now);
    });
    if (lost === undefined) continue;
    const [name, value] = lost;
    const at = pointerOf([name]);
    const short = (each: Json): string => JSON.stringify(each).slice(0, 80);
    yield violated([one, read, maker], {
      expected: `${short(value)} at ${at}, as the record was made`,
      actual: `${short(is.get(name) ?? null)} at ${at}`,
      because: `The command has no member ${name}, and the record lost what it was made with at ${at}.`,
      moved: { read: read.operation.id, at: [at] },
    });
  }
}

/** The command that made the record of another one. */
function makerOf(context: Context, trace: Trace, { exchange, operation }: Answered): Answered | undefined {
  const id = pathValues(operation, exchange).at(-1);
  return answered(context, trace).find(
    (other) =>
      creates(other.operation) &&
      other.operation.method === 'POST' &&
      isAccepted(other.answer) &&
      other.exchange.endedAt <= exchange.startedAt &&
      id !== undefined &&
      idOf(other.operation, other.answer) === id,
  );
}

/** Whether a command is on all of a record, and not on a part that has a path of its own. */
function isOnRecord({ contract }: Context, { operation }: Answered): boolean {
  return operationNamed(contract, operation.effect?.read)?.path === operation.path;
}

/** Whether the body of a command, which lists its members, has none of that name. */
function isUnknown({ body }: Operation, at: JsonPointer): boolean {
  return schemasAt(body?.schema, at).length === 0 && !reach(body?.schema, at).known;
}

function isKept(name: string, value: Json): boolean {
  return (
    !saysNothing(value) &&
    isPlain(pointerOf([name]), value) &&
    !wordsOf(name).some((word) => moves.test(word))
  );
}

/** What may end with a change, or wait for the next one. */
const moves =
  /^(stat(e|us)|stage|phase|step|progress|level|priority|risk|score|rank|draft|pending|proposed?|temp\w*|until|expir\w*|note|notes|remarks?|sum|total|count\w*)$/;

function isLost({ body }: Operation, name: string, value: Json, now: Json): boolean {
  const defaults = schemasAt(body?.schema, pointerOf([name])).flatMap((schema) => schema['default'] ?? []);
  const isDefault = defaults.some((due) => isSame(due, now)) && !isSame(now, value);
  return isDefault || (saysNothing(now) && typeof value !== 'boolean');
}

/** Whether all that a command sets otherwise are free texts. */
function changesTextsOnly({ one: { operation }, sent, was }: RecordChange): boolean {
  return [...sent].every(
    ([name, value]) =>
      isSame(value, was.get(name) ?? null) ||
      isCarried(operation, pointerOf([name])) ||
      isText(operation, value, pointerOf([name])),
  );
}

function isText(operation: Operation, value: Json, at: JsonPointer): boolean {
  if (isObject(value))
    return Object.entries(value).every(([name, each]) => isText(operation, each, at + pointerOf([name])));
  if (isArray(value) || (value !== null && typeof value !== 'string')) return false;
  return schemasAt(operation.body?.schema, at).every((schema) => !('enum' in schema || 'const' in schema));
}
