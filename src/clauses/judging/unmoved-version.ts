import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { type JsonPointer, pointerTokens } from '../../model/json.ts';
import { isWeak } from '../../model/marker.ts';
import { sentJson } from '../../model/response.ts';
import type { Step } from '../../model/scenario.ts';
import { differences } from '../../oracle/record-state.ts';
import { membersOf } from './changes.ts';
import { shown } from './own-version.ts';
import {
  type Answered,
  answered,
  inconclusive,
  isAccepted,
  isQueued,
  markerOf,
  only,
  type Seen,
  sameTarget,
  seen,
} from './reading.ts';
import { isBookkeeping } from './removal.ts';

/** Why an accepted old version may be the current one: what was to move it on is queued (202), or changed nothing. */
export function unmoved(context: Context, trace: Trace, step: Step): string | undefined {
  const all = seen(context, trace);
  const at = all.findIndex(({ step: { id } }) => id === step.id);
  const source = sourceOf(all, step);
  if (only(step, 'version')?.how !== 'stale' || source === undefined) return undefined;
  if (!isAccepted(all[at]?.exchange.answer)) return undefined;
  const sent = all.slice(0, at).filter((one) => sameTarget(one.step, step) && one !== source.one);
  const own = sent.filter(({ exchange }) => isAccepted(exchange.answer));
  const movers = own.filter(
    (one) => one.operation.kind === 'command' && all.indexOf(one) > all.indexOf(source.one),
  );
  const [first] = movers;
  if (first === undefined)
    return 'The command before it may not have been accepted, so the version that was sent may still be the current one.';
  if (movers.every(({ exchange }) => isQueued(exchange.answer)))
    return 'The command before it was queued (202), so the version that was sent may still be the current one.';
  const later = sent.filter(
    (one) => one.operation === source.one.operation && all.indexOf(one) > all.indexOf(first),
  );
  const after = later.findLast((one) => shown(one, source.ref) !== undefined);
  if (after === undefined)
    return later.length > 0 || movers.every((one) => isSetter(trace, one) && !movesOn(all, one))
      ? 'The command before it may have left the record as it was: nothing shows the version that it left.'
      : undefined;
  if (shown(after, source.ref) !== source.version) return undefined;
  const moved = differences(source.one, after).filter((each) => !isBookkeeping(each));
  if (moved.length === 0)
    return 'The command before it left the record as it was, with its version, so the version that was sent is still the current one.';
  const isItsOwn = movers.some(
    (one) => !isResent(trace, one, source.one) || moved.some((each) => sends(one, each)),
  );
  return isItsOwn
    ? undefined
    : 'The command before it may have left the record as it was: what the record shows otherwise, it did not send.';
}

/** A read that shows what a command changed with the version that the record had before; undefined where none does. */
export function unmovedRead(context: Context, trace: Trace, step: Step): Seen | undefined {
  const all = seen(context, trace);
  const test = all.findIndex(({ step: { id } }) => id === step.id);
  const source = sourceOf(all, step);
  if (source?.version === undefined) return undefined;
  const between = all.slice(all.indexOf(source.one) + 1, test).filter((one) => sameTarget(one.step, step));
  const movers = between.filter(
    ({ exchange, operation }) => operation.kind === 'command' && isAccepted(exchange.answer),
  );
  const [first] = movers;
  const isClear = movers.every(
    ({ exchange, operation }) => operation.id === step.operation && !isQueued(exchange.answer),
  );
  if (first === undefined || !isClear) return undefined;
  const reads = between.filter(
    (one) =>
      one.operation === source.one.operation &&
      all.indexOf(one) > all.indexOf(first) &&
      shown(one, source.ref) === source.version,
  );
  const moved = (one: Seen): readonly JsonPointer[] => differences(source.one, one);
  // What the command did not send moves by itself, unless a second read shows the same.
  const stays = (one: Seen, at: JsonPointer): boolean =>
    reads.some(
      (other) => other !== one && moved(other).includes(at) && !differences(one, other).includes(at),
    );
  return reads.find((one) =>
    moved(one).some((at) => !isBookkeeping(at) && (sends(first, at) || stays(one, at))),
  );
}

/** Whether the marked text of a command was in the record before it: then other members may be all that it can move. */
function isResent(trace: Trace, one: Seen, source: Seen): boolean {
  const marker = markerOf(trace, one);
  return marker !== undefined && source.exchange.answer?.body.includes(marker) === true;
}

function sends({ exchange }: Seen, at: JsonPointer): boolean {
  return membersOf(sentJson(exchange.request)).has(pointerTokens(at)[0] ?? '');
}

/** Whether a read, or the result of a command, shows another version than an old one that a step sends. */
export function movedOn(context: Context, trace: Trace, step: Step): boolean {
  const all = seen(context, trace);
  const source = sourceOf(all, step);
  if (source?.version === undefined) return false;
  const later = all.slice(all.indexOf(source.one) + 1).filter((one) => sameTarget(one.step, step));
  return later.some((one) => {
    const version = one.operation === source.one.operation ? shown(one, source.ref) : undefined;
    return (version !== undefined && version !== source.version) || movesOn(all, one);
  });
}

/** Whether a control was accepted that was sent after the request that it controls. */
export function isAcceptedLater(context: Context, trace: Trace, one: Answered): boolean {
  return answered(context, trace).some(
    ({ answer, exchange, step }) =>
      (step.controls === one.step.id || step.controls === '*') &&
      isAccepted(answer) &&
      exchange.startedAt >= one.exchange.endedAt,
  );
}

export function* acceptedUnmoved(context: Context, trace: Trace): Iterable<Ruling> {
  for (const one of answered(context, trace)) {
    const doubt = one.step.role === 'test' ? unmoved(context, trace, one.step) : undefined;
    if (doubt !== undefined) yield inconclusive([one], doubt);
  }
}

/** Whether commands that were accepted on one version may all be right: they are queued, or set what the record had. */
export function mayLeaveVersion(context: Context, trace: Trace, accepted: readonly Answered[]): boolean {
  const all = seen(context, trace);
  return (
    accepted.some(({ answer }) => isQueued(answer)) ||
    accepted.every((one) => isSetter(trace, one) && !movesOn(all, one))
  );
}

/** Whether a command sets values of which none is new, so that the record may have them. */
function isSetter(trace: Trace, one: Seen): boolean {
  const marker = markerOf(trace, one);
  const { body = '', method } = one.exchange.request;
  return (
    ['PUT', 'PATCH'].includes(method) && (marker === undefined || isWeak(marker) || !body.includes(marker))
  );
}

/** Whether the result of a command shows another version than the one that was sent. */
function movesOn(all: readonly Seen[], one: Seen): boolean {
  const { source } = one.operation.version ?? {};
  if (source === undefined) return false;
  const version = shown(one, source.in === 'body' ? { at: source.at } : { header: source.name });
  const sent = sourceOf(all, one.step)?.version;
  return version !== undefined && sent !== undefined && version !== sent;
}

/** The read, or the result, that showed the version which a step sends. */
function sourceOf(all: readonly Seen[], { version }: Step) {
  if (version?.use !== 'of' || !('step' in version.ref)) return undefined;
  const { ref } = version;
  const one = all.find(({ step }) => step.id === ref.step);
  return one === undefined || !('at' in ref || 'header' in ref)
    ? undefined
    : { one, ref, version: shown(one, ref) };
}
