import type { Context, Ruling } from '../../model/clause.ts';
import { choosesLast, choosesRecord, isCount, operationNamed } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { hasMarker, isWeak, shownMarkers, usualMarkers } from '../../model/marker.ts';
import { asksInBody, namedTarget } from '../../model/named-records.ts';
import { pathTexts } from '../../model/path.ts';
import { scopeOf } from '../../model/principal.ts';
import type { Step } from '../../model/scenario.ts';
import { mayMakeOwn } from '../../oracle/allowed.ts';
import { movedBetween, sameState } from '../../oracle/record-state.ts';
import { itemIds, itemsOf, mayRecur } from './listing.ts';
import { noOwnRecord } from './no-own-record.ts';
import {
  type Answered,
  answered,
  faultsOf,
  holds,
  inconclusive,
  isAccepted,
  isDecided,
  isFailed,
  isThrottled,
  markerOf,
  only,
  type Seen,
  sameTarget,
  seen,
  targetValues,
  violated,
} from './reading.ts';

/** Whether the caller may have such a record: put there, counted, or of the same name. A refusal is judged like any other. */
export function mayBeOwn(context: Context, trace: Trace, step: Step): boolean {
  return seen(context, trace).some((one) => one.step.id === step.id && isDoubtful(context, trace, one));
}

function isDoubtful(context: Context, trace: Trace, one: Seen): boolean {
  const { answer } = one.exchange;
  if (answer === undefined || isThrottled(answer)) return false;
  if (isWithinOwn(one) && mayBeWithin(context, one))
    return isAccepted(answer) || [409, 412, 422].includes(answer.status);
  if (isUnseen(context, trace, one) || isListed(context, trace, one)) return isAccepted(answer);
  if (mayMakeOwn(context, one.step) || isList(one) || isNamed(one) || mayRemoveNothing(context, one))
    // Under its own name a record may be in another state, or have another version.
    return isAccepted(answer) || (isNamed(one) && [409, 412].includes(answer.status));
  // What a body names may be there for all scopes, as the products of a market are.
  const isInBody = namedTarget(one.operation) !== undefined || asksInBody(one.operation);
  if (isInBody && isAccepted(answer)) return true;
  const refusals = isInBody ? [401, 403, 404, 409, 422] : [401, 403, 404];
  return isCommon(context, trace, one) && !isFailed(answer) && !refusals.includes(answer.status);
}

/** Whether the record is sought within a parent that is the caller's own. */
function isWithinOwn({ step }: Seen): boolean {
  const fault = only(step, 'scope');
  return fault !== undefined && fault.through === 'own';
}

/** The caller's own parent may have such a child: one that the service counts, or that has a name. A deletion may find none. */
function mayBeWithin({ contract }: Context, { exchange, operation }: Seen): boolean {
  const last = operation.pathFields.at(-1);
  const maker = operationNamed(contract, last?.source?.operation ?? '');
  return (
    operation.method === 'DELETE' ||
    last?.chosen === true ||
    (maker !== undefined && choosesLast(maker)) ||
    isCount(targetValues(operation, exchange).at(-1) ?? '')
  );
}

/** A deletion of what is not there may be accepted (RFC 9110, 9.2.2), and each scope may have names of its own. */
function mayRemoveNothing({ contract }: Context, { operation }: Seen): boolean {
  return (
    operation.method === 'DELETE' &&
    operation.pathFields.length > 0 &&
    operation.pathFields.every(({ source }) =>
      contract.operations.some((maker) => maker.id === source?.operation && choosesRecord(maker)),
    )
  );
}

/** A list under the path of another scope may hold what the caller itself may see. */
function isList({ operation }: Seen): boolean {
  return operation.kind === 'read' && operation.pathFields.length === 0;
}

/** Whether the path names its record by numbers or natural keys, under which each scope may have a record of its own. */
function isCommon(context: Context, trace: Trace, { exchange, operation }: Seen): boolean {
  const values = madeIds(context, operation, targetValues(operation, exchange));
  const maker = namedTarget(operation)?.field.source?.operation;
  const made = answered(context, trace).filter(
    (each) => isAccepted(each.answer) && (maker === undefined || each.operation.id === maker),
  );
  return (
    values.length > 0 &&
    values.every(
      (value) => value !== undefined && (isCount(value) || made.some((one) => mayRecur(value, one))),
    )
  );
}

/** The IDs of a path that a service gave, where it has any: what callers name within such a record is there if that is. */
function madeIds(
  { contract }: Context,
  { pathFields }: Seen['operation'],
  values: ReturnType<typeof targetValues>,
): ReturnType<typeof targetValues> {
  const made = values.filter((_, index) => {
    const { chosen, source } = pathFields[index] ?? {};
    const maker = operationNamed(contract, source?.operation);
    return chosen !== true && !(maker !== undefined && choosesLast(maker));
  });
  return made.length > 0 ? made : values;
}

/** Whether the vendor gave the name of the target, `default` or `EUR`, under which each scope may have a record. */
function isNamed({ exchange, operation, step }: Seen): boolean {
  const refs = Object.values(step.target ?? {});
  return (
    refs.length > 0 &&
    refs.every((ref) => 'literal' in ref) &&
    !targetValues(operation, exchange).some((value) => value?.match(uniques) !== null)
  );
}

/** Whether a target that the vendor gave may belong to the caller: no other scope is known to see it. A deletion hides it too. */
function isUnseen(context: Context, trace: Trace, { operation, step }: Seen): boolean {
  const refs = Object.values(step.target ?? {});
  const all = seen(context, trace);
  if (operation.method === 'DELETE' || refs.length === 0) return false;
  if (refs.some((ref) => 'step' in ref && all.some((made) => made.step.id === ref.step))) return false;
  const scope = scopeOf(context.principals, step.as);
  return !all.some(
    ({ exchange: { answer }, step: other }) =>
      sameTarget(other, step) &&
      scopeOf(context.principals, other.as) !== scope &&
      isDecided(answer) &&
      ![401, 403, 404].includes(answer?.status ?? 0),
  );
}

/** Whether the target is one that a read showed, such as the first item of a list. Every scope may see it, as it sees currencies. */
function isListed(context: Context, trace: Trace, { operation, step }: Seen): boolean {
  const all = seen(context, trace);
  const sources = Object.values(step.target ?? {}).map((ref) =>
    'step' in ref ? all.find((each) => each.step.id === ref.step)?.operation : undefined,
  );
  return (
    operation.method !== 'DELETE' &&
    sources.some((source) => source?.kind === 'read') &&
    sources.every((source) => source?.kind !== 'command')
  );
}

const expected = "a refusal, or a record of the caller's own scope, and no change in the other scope";

function unseen(context: Context, trace: Trace, one: Answered): Ruling {
  const control = answered(context, trace).find(({ step }) => step.controls === one.step.id);
  return control === undefined
    ? inconclusive([one], 'Nothing shows that this target belongs to another scope.')
    : inconclusive(
        [one, control],
        `${control.step.as} is of the first scope, and gets ${control.answer.status} for this target. So the target may belong to the scope of ${one.step.as}. Targets must belong to the scope of the first principal that may run the operation.`,
      );
}

/** Such a request reached the first scope only where that sees a change, or the response shows its data. */
export function* ownRecord(context: Context, trace: Trace): Iterable<Ruling> {
  for (const one of answered(context, trace)) {
    if (one.step.role !== 'test' || only(one.step, 'scope') === undefined) continue;
    if (!isDoubtful(context, trace, one)) continue;
    if (isUnseen(context, trace, one)) {
      yield unseen(context, trace, one);
      continue;
    }
    if (isListed(context, trace, one)) {
      yield inconclusive(
        [one],
        `A list showed the record, and nothing shows that it belongs to one scope. If every scope sees it, mark the read with x-governed: { shared: true }. If not, let an OpenAPI link say which command makes such records, or give some under operations.${one.operation.id}.targets.`,
      );
      continue;
    }
    const sought = noOwnRecord(context, trace, one, expected);
    const shown = isAccepted(one.answer) ? shownOf(context, trace, one) : undefined;
    // HEAD shows nothing.
    const known = one.operation.method === 'HEAD' ? (sought ?? shown) : (shown ?? sought);
    if (known !== undefined) yield known;
    else if (namedTarget(one.operation) !== undefined && isAccepted(one.answer))
      yield inconclusive(
        [one],
        'The body names a record of another scope, and nothing shows that its caller cannot read that record. If every scope sees it, mark its read with x-governed: { shared: true }.',
      );
    else if (isAccepted(one.answer)) yield reached(context, trace, one);
    else
      yield inconclusive(
        [one],
        "The caller's own scope may have a record with this number or name. The response may be about that record.",
      );
  }
}

/** A response that shows what a caller of the first scope wrote, or what it alone reads. */
export function shownOf(context: Context, trace: Trace, one: Answered): Ruling | undefined {
  const scopes = new Map(context.principals.map(({ name, scope }) => [name, scope]));
  const before = seen(context, trace).filter(
    ({ exchange, operation }) =>
      operation.kind === 'command' &&
      isAccepted(exchange.answer) &&
      exchange.endedAt <= one.exchange.startedAt,
  );
  const markers = (own: boolean): ReadonlyMap<string, Seen> =>
    new Map(
      before.flatMap((each) => {
        const marker = markerOf(trace, each);
        const isOwn = scopes.get(each.step.as) === scopes.get(one.step.as);
        return marker === undefined || isWeak(marker) || isOwn !== own ? [] : [[marker, each]];
      }),
    );
  const sent = markerOf(trace, one);
  const own = markers(true);
  for (const [marker, made] of markers(false))
    if (marker !== sent && !own.has(marker) && hasMarker(one.answer.body, marker))
      return violated([one, made], {
        expected,
        because: 'The response shows what a caller of another scope wrote.',
        conclusive: true,
      });
  if (one.operation.kind !== 'read') return undefined;
  const control = seen(context, trace).find(
    ({ exchange, step }) => step.controls === one.step.id && isAccepted(exchange.answer),
  );
  if (control === undefined)
    return inconclusive(
      [one],
      'The record could not be read in its own scope, so nothing shows which record the response is about.',
    );
  if (!sameState(control, one) && asksInBody(one.operation))
    // What a body asks for may be sought, and not be found.
    return [...markers(false).keys()].some((marker) => hasMarker(control.exchange.answer?.body ?? '', marker))
      ? holds([one, control], { expected, because: 'The response shows nothing of the record.' })
      : inconclusive([one, control], 'Nothing shows which record the response is about.');
  if (!sameState(control, one))
    return holds([one, control], {
      expected,
      because: 'The caller reads its own record. The record of the other scope is different.',
    });
  return isUnique(trace, one) || showsOthers(context, trace, one)
    ? violated([one, control], {
        expected,
        because: 'A caller of another scope can read the same record.',
        conclusive: true,
      })
    : inconclusive(
        [one, control],
        'Both scopes get the same response under this number or name, and nothing shows whether it is one record.',
      );
}

/** Two scopes may have been sent one and the same body each, but hardly so for all items of a page. */
const leastMarked = 2;

/** Whether a page shows records that other traces made, under IDs that the service gave: no other page has them all. */
function showsOthers(context: Context, { exchanges }: Trace, one: Answered): boolean {
  const ids = itemsOf(one).flatMap((item) => itemIds(context, one.operation.id)(item) ?? []);
  if (ids.length < leastMarked || ids.some(isCount)) return false;
  const markers = [...one.answer.body.matchAll(usualMarkers)].map(([marker]) => marker);
  const isGiven = (marker: string): boolean =>
    exchanges.some(({ request }) => request.body?.includes(marker) === true);
  return new Set(markers.filter((marker) => !isGiven(marker))).size >= leastMarked;
}

/** What two records hardly have in common: a moment to the millisecond, or a long random name. */
const uniques =
  /\d{2}:\d{2}:\d{2}\.\d{3}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}|(?<![0-9a-z])(?=[a-z]*\d)[0-9a-z]{20,}/gi;

/** Whether a text of a response has something of the kind that no request of the trace gave. */
export function isUnique(trace: Trace, one: Answered, text = one.answer.body): boolean {
  return uniqueTexts(trace, one, text).length > 0;
}

export function uniqueTexts({ exchanges }: Trace, { exchange }: Answered, text: string): readonly string[] {
  return [...text.matchAll(uniques)].flatMap(([text]) =>
    exchange.requestIds.some((id) => id.includes(text)) ||
    exchanges.some(
      ({ request }) => request.body?.includes(text) === true || pathTexts(request).includes(text),
    )
      ? []
      : [text],
  );
}

/** What the first scope reads before and after. */
function reached(context: Context, trace: Trace, one: Answered): Ruling {
  const all = seen(context, trace);
  const at = all.findIndex(({ exchange }) => exchange.id === one.exchange.id);
  // Under an ID of one's choice there is a record only where the first scope has put one.
  const made = !mayMakeOwn(context, one.step) || all.slice(0, at).some((each) => isSameCommand(each, one));
  const before = all.slice(0, at).findLast(({ step }) => step.observes === 'before');
  const after = all.slice(at).find(({ step }) => step.observes === 'after');
  if (!made || before === undefined || after === undefined)
    return inconclusive([one], 'Nothing shows whether the record of the other scope was reached.');
  if (!isAccepted(before.exchange.answer))
    return inconclusive([one, before], 'The record of the other scope could not be read before.');
  if ([404, 410].includes(after.exchange.answer?.status ?? 0))
    return violated([one, before, after], {
      expected,
      because: 'The record of the other scope was there before, but is gone.',
      conclusive: true,
      moved: movedBetween(before, after),
    });
  if (!isAccepted(after.exchange.answer))
    return inconclusive([one, after], 'The record of the other scope could not be read afterwards.');
  return sameState(before, after)
    ? holds([one, before, after], {
        expected,
        because: `The caller ${mayMakeOwn(context, one.step) ? 'made' : 'reached'} its own record${one.operation.method === 'DELETE' ? ', or none' : ''}. The record of the other scope reads the same as before.`,
      })
    : violated([one, before, after], {
        expected,
        because: 'The record of another scope does not read as before: the command reached it.',
        moved: movedBetween(before, after),
        ...(isUnwritten(trace, one, before, after) ? { unwritten: true } : {}),
      });
}

/** Whether a record still has the marker of its own scope, which a PUT with another one would have replaced. */
function isUnwritten(trace: Trace, one: Answered, before: Seen, after: Seen): boolean {
  const sent = markerOf(trace, one);
  const shown = shownMarkers(before.exchange.answer?.body ?? '');
  const kept = shownMarkers(after.exchange.answer?.body ?? '');
  return (
    one.operation.method === 'PUT' &&
    sent !== undefined &&
    one.exchange.request.body?.includes(sent) === true &&
    shown.length > 0 &&
    shown.join() === kept.join() &&
    !kept.includes(sent)
  );
}

/** Whether a command was accepted on the same record, from a caller of the record's own scope. */
function isSameCommand({ step, exchange, operation }: Seen, one: Seen): boolean {
  return (
    operation.id === one.operation.id &&
    faultsOf(step).length === 0 &&
    isAccepted(exchange.answer) &&
    sameTarget(step, one.step)
  );
}
