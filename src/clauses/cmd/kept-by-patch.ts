import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isObject, type Json, type JsonPointer, pointerOf } from '../../model/json.ts';
import { shownMarkers } from '../../model/marker.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { isSame, type Members } from '../judging/changes.ts';
import { isOneCaller } from '../judging/readers.ts';
import {
  type Answered,
  answered,
  faultsOf,
  headerValues,
  holds,
  inconclusive,
  isAccepted,
  sameTarget,
  violated,
} from '../judging/reading.ts';
import { plainMembers, saysNothing } from '../judging/record-changes.ts';
import { isPlain } from '../judging/settable-members.ts';

/** One member alone may depend on what was named. */
const leastLost = 2;

/** Media types that say of themselves that what they do not name stays (RFC 7396; JSON:API 1.1, Updating Resources). */
const partial = /^application\/(merge-patch|vnd\.api)\+json\b/i;

/** JSON:API does not say it of what is within an attribute. */
const merging = /^application\/merge-patch\+json\b/i;

/**
 * What an earlier PATCH set and this one does not name stays (CMD-6), if its media type says so; of any other the contract
 * does not say it. Code that takes the body for a whole record loses all of that at once.
 */
export function* keptByPatch(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const [at, one] of all.entries()) {
    if (!isPatch(one)) continue;
    const commands = all.slice(0, at).filter(({ operation }) => operation.kind === 'command');
    const first = commands.at(-1);
    const before = all.slice(0, at).findLast(({ step }) => step.observes === 'after');
    const after = all.slice(at).find(({ step }) => step.observes === 'later');
    if (first === undefined || before === undefined || after === undefined) continue;
    const isAlike = isPatch(first) && first.operation === one.operation && sameTarget(first.step, one.step);
    if (!isAlike || !isRead(before, one) || !isRead(after, one) || !sameTarget(before.step, after.step))
      continue;
    if (before.exchange.startedAt < first.exchange.endedAt) continue;
    const isAlone = all.slice(at + 1, all.indexOf(after)).every(({ operation }) => operation.kind === 'read');
    if (!isAlone || !isOneCaller(context, before.step.as, after.step.as)) continue;
    const [set, named, was, is] = [
      sentJson(first.exchange.request),
      sentJson(one.exchange.request),
      exactJsonOf(before.answer),
      exactJsonOf(after.answer),
    ].map(plainMembers);
    if (set === undefined || named === undefined || was === undefined || is === undefined) continue;
    const whole = { set, named, was, is, at: '' };
    // A read that is behind may show the record as it was before both.
    const isNew = [...named].some(
      ([name, value]) => isSame(is.get(name) ?? null, value) && !isSame(was.get(name) ?? null, value),
    );
    for (const states of [whole, ...(isMerged(one) ? within(whole) : [])])
      yield* keptOf(states, isNew, { one, before, after });
  }
}

/** What a first PATCH set, what the next one names, and what the record showed before and behind that; of an object at a place. */
type States = {
  readonly set: Members;
  readonly named: Members;
  readonly was: Members;
  readonly is: Members;
  readonly at: JsonPointer;
};

type Exchanges = { readonly one: Answered; readonly before: Answered; readonly after: Answered };

function* keptOf(
  { at, is, named, set, was }: States,
  isNew: boolean,
  { after, before, one }: Exchanges,
): Iterable<Ruling> {
  const left = [...set].filter(([name, value]) => !named.has(name) && isSame(was.get(name) ?? null, value));
  const lost = left.filter(([name, value]) => !isSame(is.get(name) ?? null, value));
  const isWhole = isNew && lost.length >= leastLost && lost.length === left.length;
  const places = lost.map(([name]) => `${at}${pointerOf([name])}`);
  const names = (at === '' ? lost.map(([name]) => name) : places).join(', ');
  const cleared = lost
    .map(([name, value]) => ({ place: `${at}${pointerOf([name])}`, value, shown: is.get(name) ?? null }))
    .find(
      ({ place, shown, value }) =>
        saysNothing(shown) || isDefault(one, after, place, shown) || isReset(place, value, shown),
    )?.place;
  const on = [one, before, after];
  const expected = 'what the PATCH does not name as it was';
  if (left.length > 0 && lost.length === 0)
    yield holds(on, { expected, because: 'The record keeps what the PATCH does not name.' });
  else if (isWhole && !isPartial(one))
    yield holds(on, {
      expected,
      because:
        'The record shows the PATCH. The contract does not say that it keeps what the PATCH does not name.',
      advisory: `a PATCH that does not name ${names} changes or removes them`,
    });
  else if (isWhole)
    yield violated(on, {
      expected,
      actual: `another value, or none, for ${names}`,
      because:
        at === ''
          ? `An earlier PATCH set ${names}. This one names none of them, and the record lost them all.`
          : `An earlier PATCH set ${names}. This one names ${at} without them, and the record lost them all: a merge patch changes only what it names (RFC 7396).`,
      moved: { read: after.operation.id, at: places },
    });
  else if (isNew && cleared !== undefined && isPartial(one) && namesTextsOnly(one, named, at))
    yield violated(on, {
      expected,
      actual: `nothing of what was set at ${cleared}`,
      because: `An earlier PATCH set ${cleared}. This one names nothing but a text, and the record shows nothing, or a default, at ${cleared}.`,
      moved: { read: after.operation.id, at: [cleared] },
    });
  else if (lost.length > 0 && isPartial(one))
    yield inconclusive(
      on,
      isNew
        ? `What the PATCH names may decide which values ${names} can have.`
        : 'The last read does not show the PATCH, so it may be stale.',
    );
}

/** Whether a schema of the command, or of the read, names a value as the one of a member that is left out. */
function isDefault(one: Answered, read: Answered, at: JsonPointer, value: Json): boolean {
  return [one.operation.body?.schema, read.operation.success.schema].some((schema) =>
    schemasAt(schema, at).some((each) => each['default'] !== undefined && isSame(each['default'], value)),
  );
}

/** Whether a flag or a number has the value of one that nobody set; a flag may also say what became of a record, in any spelling. */
function isReset(at: JsonPointer, was: Json, shown: Json): boolean {
  return (shown === false || shown === 0) && typeof was === typeof shown && isPlain(at.toLowerCase(), was);
}

/** Whether a PATCH names free texts alone, on which nothing else depends; a service may make a short name out of one. */
function namesTextsOnly({ operation: { body } }: Answered, named: Members, at: JsonPointer): boolean {
  return [...named].every(([name, value]) => {
    const own = schemasAt(body?.schema, `${at}${pointerOf([name])}`);
    const isFormed = own.some((schema) => formed.some((keyword) => keyword in schema));
    return typeof value === 'string' && shownMarkers(value).length > 0 && own.length > 0 && !isFormed;
  });
}

const formed = ['enum', 'const', 'format', 'pattern'];

/** The objects that both name: a merge patch goes into them, too. */
function within({ at, is, named, set, was }: States): readonly States[] {
  return [...named].flatMap(([name, value]) => {
    const all = [set.get(name), value, was.get(name), is.get(name)];
    const [one, next, before, after] = all.map((each) =>
      isObject(each) ? new Map(Object.entries(each)) : undefined,
    );
    if (one === undefined || next === undefined || before === undefined || after === undefined) return [];
    const inner = { set: one, named: next, was: before, is: after, at: `${at}${pointerOf([name])}` };
    return [inner, ...within(inner)];
  });
}

function isMerged({ exchange: { request } }: Answered): boolean {
  return headerValues(request.headers, 'content-type').some((type) => merging.test(type));
}

function isPatch({ answer, operation, step }: Answered): boolean {
  return (
    operation.method === 'PATCH' && isAccepted(answer) && answer.status !== 202 && faultsOf(step).length === 0
  );
}

function isPartial({ exchange: { request } }: Answered): boolean {
  return headerValues(request.headers, 'content-type').some((type) => partial.test(type));
}

function isRead({ answer, operation, step }: Answered, of: Answered): boolean {
  return (
    operation.id === of.operation.effect?.read &&
    isAccepted(answer) &&
    !answer.truncated &&
    faultsOf(step).length === 0
  );
}
