import type { Context, Ruling } from '../../model/clause.ts';
import { isPlaced } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { valueAt } from '../../model/json.ts';
import { hasMarker, isWeak } from '../../model/marker.ts';
import { exactJsonOf } from '../../model/response.ts';
import type { Step } from '../../model/scenario.ts';
import { sameState } from '../../oracle/record-state.ts';
import { opaque, textsIn } from '../judging/changes.ts';
import { type Difference, duplicates } from '../judging/duplicates.ts';
import { unreadAfter } from '../judging/no-own-record.ts';
import { isOneResult } from '../judging/one-result.ts';
import { mayBeOwn } from '../judging/own-record.ts';
import {
  type Answered,
  answered,
  bodyName,
  controlOf,
  discloses,
  find,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isFailed,
  isShared,
  markerOf,
  type Seen,
  sameTarget,
  seen,
  undecided,
  violated,
} from '../judging/reading.ts';
import { isChanged, undone, undoneUntil } from '../judging/undone.ts';
import { mayBeOwnResult } from './own-result.ts';
import { isSameBody } from './same-body.ts';

/** The key of another caller or operation never opens the first one's result (IDM-12, IDM-13). */
export function foreignResult(
  context: Context,
  trace: Trace,
  ...differences: readonly Difference[]
): readonly Ruling[] {
  return duplicates(context, trace, ...differences).flatMap((duplicate): readonly Ruling[] => {
    const { first, again, difference } = duplicate;
    const original = first.exchange.answer;
    const { answer } = again.exchange;
    if (original === undefined || !isAccepted(original)) return [];
    if (isAccepted(answer) && isSameBody(trace, duplicate)) return [];
    const id = idOf(first.operation, original);
    const expected = 'its own result, or 409 without data of the first result (G18)';
    const on = [again, first];
    const doubt = undecided(again);
    if (answer === undefined || doubt !== undefined) return [inconclusive(on, doubt ?? '')];
    const sameRequest =
      bodyName(first.step) === bodyName(again.step) &&
      (first.exchange.request.path === again.exchange.request.path || isPlacedAlike(first, again));
    // Each scope, and each kind of record, may have this number or chosen ID of its own: it is not proof.
    const carries =
      id !== undefined &&
      (idOf(again.operation, answer) === id
        ? (!isShared(id, again.exchange) || (!sameRequest && sameState(first, again))) &&
          (difference === 'operation' || isOneResult(context, trace, first, again) === true)
        : discloses(again.exchange, id));
    const unnamed = id === undefined && difference === 'scope' && isAccepted(answer);
    if (unnamed && showsOther(trace, first, again))
      return [
        violated(on, {
          expected,
          because: 'The response shows what the first caller sent, and not what its own caller sent.',
          conclusive: true,
        }),
      ];
    if (unnamed && undone(context, trace, first, again))
      return [violated(on, { expected, ...undoneUntil(context, trace) })];
    if (unnamed && sameRequest && answer.body !== '' && !isChanged(context, trace))
      return [inconclusive(on, 'The results have no ID, and nothing in them shows whose they are.')];
    const counted = difference === 'scope' && sameRequest && id !== undefined && isShared(id, again.exchange);
    if (counted && isAccepted(answer) && idOf(again.operation, answer) === id)
      return [whoseRecord(context, trace, duplicate, { id, expected })];
    const shared = difference === 'caller' && sameRequest;
    const second = difference === 'operation' ? 'operation' : 'caller';
    if (isAccepted(answer)) {
      if (carries && difference === 'operation' && mayBeOwnResult(first, again, id))
        return [inconclusive(on, `The second operation may return ${id} by itself.`)];
      if (carries && !shared)
        return [
          violated(on, {
            expected,
            because: `The response has ${id}, which the first ${second} returned.`,
            conclusive: true,
          }),
        ];
      return [
        holds(on, {
          expected,
          because: carries
            ? 'Within one tenant, the same request under the same key may get the stored result.'
            : `The second ${second} got its own result.`,
        }),
      ];
    }
    if (answer.status === 409 && carries && !shared)
      return [
        violated(on, {
          expected,
          because: `The conflict discloses ${id}, which the first ${second} returned.`,
          conclusive: true,
        }),
      ];
    if (controlOf(context, trace, again.step.id) !== 'accepted')
      return [
        inconclusive(
          on,
          'The same request was not accepted under another key, so nothing shows that the used key caused this response.',
        ),
      ];
    return [
      answer.status === 409
        ? holds(on, {
            expected,
            because: carries
              ? 'Refused as a conflict, with the result of the same request.'
              : 'Refused as a conflict, without data of the first result.',
          })
        : violated(on, {
            expected,
            because: `A valid request under a key of another ${second} returned ${answer.status}, but was accepted under a new key.`,
          }),
    ];
  });
}

const afarExpected = 'a refusal: the record belongs to another scope';

/** The key and the request of a command on a record, by a caller of another scope, who may not have its result (IDM-12). */
export function* replayedAfar(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const one of all) {
    const reuse = find(one.step, 'key-reuse');
    if (reuse?.difference !== 'scope' || find(one.step, 'scope') === undefined) continue;
    const first = all.find(({ step }) => step.id === reuse.of);
    if (first === undefined || !isAccepted(first.answer) || !isAccepted(one.answer)) continue;
    // Another target under a used key is for IDM-6.
    if (seen(context, trace).some((own) => own.step.as === one.step.as && repeatsResult(own, one, first)))
      yield inconclusive(
        [one, first],
        'The second caller got the stored result of its own command under this key, which shows nothing of the first result.',
      );
    else
      yield mayBeOwn(context, trace, one.step)
        ? (unreadAfter(context, trace, one, one, afarExpected) ??
          inconclusive([one, first], 'Each scope may have its own record with this number or name.'))
        : violated([one, first], {
            expected: afarExpected,
            because:
              'A caller of another scope was accepted with the key and the request of the first caller.',
            conclusive: true,
          });
  }
}

/**
 * The key and the request of a command that refers to a record, by a caller of another scope (IDM-12). The reference may be
 * refused, or taken for a command of its own; neither has anything of the first result.
 */
export function* referredAfar(context: Context, trace: Trace): Iterable<Ruling> {
  const expected = 'a refusal, or its own result';
  const all = answered(context, trace);
  for (const one of all) {
    const reuse = find(one.step, 'key-reuse');
    if (reuse?.difference !== 'scope' || find(one.step, 'reference') === undefined) continue;
    const first = all.find(({ step }) => step.id === reuse.of);
    if (first === undefined || !isAccepted(first.answer)) continue;
    const on = [one, first];
    const id = idOf(first.operation, first.answer);
    const isResult = isAccepted(one.answer) && idOf(one.operation, one.answer) === id;
    if (id === undefined) continue;
    if (isShared(id, one.exchange)) {
      if (isResult && sameState(first, one))
        yield whoseRecord(context, trace, { again: one, first }, { id, expected });
    } else if (isResult || (!isFailed(one.answer) && discloses(one.exchange, id)))
      yield violated(on, {
        expected,
        because: `The response has ${id}, which a caller of another scope got under the same key.`,
        conclusive: true,
      });
    else if (isAccepted(one.answer))
      yield holds(on, { expected, because: 'The second caller got its own result.' });
  }
}

/** Whether a response is, or may be, that to an earlier command of the same caller under the key, and not the first result. */
function repeatsResult({ exchange, operation, step }: Seen, again: Answered, first: Answered): boolean {
  const { answer } = exchange;
  const of = (other: Step): string | undefined => find(other, 'key-reuse')?.of;
  if (of(step) !== of(again.step) || exchange.endedAt > again.exchange.startedAt) return false;
  const [id, theirs] = [again, first].map((one) => idOf(one.operation, one.answer));
  if (answer === undefined || isFailed(answer)) return id === undefined || id !== theirs;
  if (!isAccepted(answer)) return false;
  const mine = idOf(operation, answer);
  return id === undefined || mine === undefined
    ? again.answer.body === answer.body && (answer.body === '' || answer.body !== first.answer.body)
    : id === mine && id !== theirs;
}

/** Whether a response has the marker of the first command in place of its own. */
function showsOther(trace: Trace, first: Seen, again: Seen): boolean {
  const [theirs, own] = [markerOf(trace, first), markerOf(trace, again)];
  const body = again.exchange.answer?.body ?? '';
  return (
    theirs !== undefined &&
    own !== undefined &&
    !isWeak(theirs) &&
    hasMarker(body, theirs) &&
    !hasMarker(body, own)
  );
}

/** One number, or chosen ID, in the results of two scopes: a record of each, or one that only the first may read. */
function whoseRecord(
  context: Context,
  trace: Trace,
  { again, first }: Readonly<Record<'again' | 'first', Seen>>,
  { id, expected }: { readonly id: string; readonly expected: string },
): Ruling {
  const readBy = (one: Step): ReturnType<typeof answered>[number] | undefined =>
    answered(context, trace).find(
      ({ operation, step }) =>
        operation.kind === 'read' &&
        step.as === one.as &&
        Object.values(step.target ?? {}).some((ref) => 'step' in ref && ref.step === one.id),
    );
  const [own, other] = [readBy(again.step), readBy(first.step)];
  const on = [again, first, ...(own === undefined ? [] : [own]), ...(other === undefined ? [] : [other])];
  if (
    own !== undefined &&
    isAccepted(own.answer) &&
    other !== undefined &&
    isNotIts(trace, again, own, [first, other])
  )
    return violated(on, {
      expected,
      because: `The response has ${id}. Its caller reads an older record of its own under that ID, and the first caller reads the one that was made.`,
    });
  if (own !== undefined && isAccepted(own.answer))
    return holds(on, { expected, because: 'The second caller reads the record that its result names.' });
  if (own !== undefined && [403, 404, 410].includes(own.answer.status) && isAccepted(other?.answer))
    return violated(on, {
      expected,
      because: `The response has ${id}, which its caller cannot read. It belongs to the first caller.`,
    });
  return inconclusive(
    on,
    `Both results have the ID ${id}. Each scope may have its own record with that ID, and nothing shows which record this is.`,
  );
}

/** Whether a read shows another text where the same read shows the first caller the one that it sent; hidden ones do not count. */
function isNotIts(
  trace: Trace,
  again: Seen,
  own: Answered,
  [first, other]: readonly [Seen, Answered],
): boolean {
  const [mine, theirs] = [again, first].map((one) => markerOf(trace, one));
  if (mine === undefined || theirs === undefined || isWeak(mine) || isWeak(theirs)) return false;
  if (own.operation !== other.operation || own.answer.truncated || !isAccepted(other.answer)) return false;
  const shown = exactJsonOf(own.answer);
  return (
    hasMarker(again.exchange.request.body ?? '', mine) &&
    !hasMarker(own.answer.body, mine) &&
    textsIn(exactJsonOf(other.answer) ?? null).some(({ at, text }) => {
      const value = valueAt(shown, at);
      return hasMarker(text, theirs) && typeof value === 'string' && value !== '' && !opaque.test(value);
    })
  );
}

/** Whether two paths differ in no more than what each caller fills in for itself. */
function isPlacedAlike(first: Seen, again: Seen): boolean {
  return (
    first.operation.id === again.operation.id &&
    isPlaced(first.operation) &&
    sameTarget(first.step, again.step)
  );
}
