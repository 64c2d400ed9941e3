import type { Context, Ruling, WrittenClause } from '../../model/clause.ts';
import { successesOf } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { hasMarker, isUsual } from '../../model/marker.ts';
import { movedBetween, sameState } from '../../oracle/record-state.ts';
import { maybeLate } from '../judging/command-before.ts';
import { asDeclared } from '../judging/declared.ts';
import { type Duplicate, duplicates, singleEffect } from '../judging/duplicates.ts';
import { type EffectsJudge, effectsOf } from '../judging/effects.ts';
import { inHistories } from '../judging/histories.ts';
import {
  bodyName,
  controlOf,
  find,
  headerValues,
  holds,
  inconclusive,
  isAccepted,
  isFailed,
  isQueued,
  isThrottled,
  markerOf,
  type Seen,
  seen,
  summary,
  undecided,
  violated,
} from '../judging/reading.ts';
import { commands } from '../judging/rules.ts';
import { limits2 } from './sources.ts';

/** A key stays wedged where each retry is a conflict, although an independent read shows that nothing was done. */
function wedged(isRetried: (first: Seen) => boolean): EffectsJudge {
  return {
    over: 'effects',
    needs: ['again-none'],
    *rule(context, trace) {
      const last = duplicates(context, trace, 'none').findLast(({ first }) => isRetried(first));
      if (last === undefined || last.again.exchange.answer?.status !== 409) return;
      const name = bodyName(last.first.step);
      if (name === undefined || controlOf(context, trace, last.again.step.id) !== 'accepted') return;
      const { complete, ids, idsOnly } = effectsOf(context, trace, name);
      const isCounted = !idsOnly && isMarked(trace, last.first);
      const isUndone = isCounted ? complete && ids.length === 0 : isUnchanged(seen(context, trace), last);
      if (!isUndone) return;
      yield holds([last.again, last.first], {
        expected: '2xx, or 409',
        because:
          'The retry is refused as a conflict, and an independent read shows no effect of the command.',
        advisory: 'the key stays blocked: nothing was done, and the command cannot be sent again',
      });
    },
  };
}

/** Whether the body has room for a marker: without one, a list that shows no marker says nothing of the command. */
function isMarked(trace: Trace, first: Seen): boolean {
  const marker = markerOf(trace, first);
  return marker !== undefined && hasMarker(first.exchange.request.body ?? '', marker);
}

/** A failure that a hook caused, and not only made slow. */
function isFault({ exchange, step }: Seen): boolean {
  const fault = find(step, 'fault');
  return fault !== undefined && fault.how !== 'slow' && isFailed(exchange.answer);
}

/** A request that waits for the lock of a failed command gets no response, each time, while other keys are served. */
function isLocked(context: Context, trace: Trace, { again, first }: Duplicate): boolean {
  const retries = duplicates(context, trace, 'none').filter((one) => one.first === first);
  return (
    retries.length > 1 &&
    retries.at(-1)?.again === again &&
    retries.every((one) => one.again.exchange.answer === undefined) &&
    controlOf(context, trace, again.step.id) === 'accepted'
  );
}

/** Whether reads of what the path of the command names show one state, before it was sent and after its last retry. */
function isUnchanged(all: readonly Seen[], { again, first }: Duplicate): boolean {
  const reads = all.filter(
    ({ exchange, operation }) =>
      operation.id === first.operation.effect?.read &&
      exchange.request.path === first.exchange.request.path &&
      isAccepted(exchange.answer),
  );
  const before = reads.findLast((one) => all.indexOf(one) < all.indexOf(first));
  const after = reads.find((one) => all.indexOf(one) > all.indexOf(again));
  return before !== undefined && after !== undefined && sameState(before, after);
}

/** The target of a failed command shows what was sent with it: retries leave it so, as other duplicates do. */
function* ranAgain(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  const [again] = duplicates(context, trace, 'none').filter(
    ({ again, first }) =>
      find(first.step, 'fault')?.how === 'after-commit' &&
      isFailed(first.exchange.answer) &&
      isAccepted(again.exchange.answer),
  );
  if (again === undefined) return;
  const { first } = again;
  const read = (observes: 'before' | 'after'): Seen | undefined =>
    all.find(
      ({ exchange, step }) =>
        step.observes === observes &&
        exchange.startedAt >= first.exchange.endedAt &&
        isAccepted(exchange.answer),
    );
  const [before, after] = [read('before'), read('after')];
  const marker = markerOf(trace, first);
  if (before === undefined || after === undefined || marker === undefined || !isUsual(marker)) return;
  if (before.exchange.startedAt > again.again.exchange.startedAt) return;
  if (!hasMarker(before.exchange.answer?.body ?? '', marker)) return;
  const said = { expected: summary(before.exchange), actual: summary(after.exchange) };
  const on = [again.again, first, before, after];
  if (sameState(before, after))
    yield holds(on, { ...said, because: 'The retries left the target record as the failed command had.' });
  // What is queued (202) goes on after the command that failed, without a retry too.
  else if ([again.again.exchange.answer, ...successesOf(first.operation)].some(isQueued))
    yield inconclusive(on, maybeLate(first));
  else
    yield violated(on, {
      ...said,
      because: 'The command failed, its effect is there, and its retry changed the record a second time.',
      moved: movedBetween(before, after),
    });
}

export const failedAttemptClauses: readonly WrittenClause[] = [
  {
    code: 'IDM-14',
    level: 'derived',
    text: 'A throttled request leaves its key free.',
    source: {
      where: 'Limits, 2; Errors table, 429',
      quote: 'Honor the supplied wait guidance and apply backoff',
    },
    test: 'After the guided wait the throttled command is sent again under its key.',
    violation: 'It is refused again, but the same request under a new key is accepted.',
    fix: 'Throttle before the key is stored.',
    applies: commands,
    judges: [
      {
        over: 'trace',
        needs: ['pace'],
        *rule(context, trace) {
          const all = seen(context, trace);
          const keyOf = (one: Seen): string | undefined =>
            headerValues(one.exchange.request.headers, 'idempotency-key')[0];
          // Of all throttled requests the one that was sent again.
          const throttled = all.find(
            (one) =>
              find(one.step, 'pace') !== undefined &&
              isThrottled(one.exchange.answer) &&
              all.some((other) => other.step.role === 'control' && keyOf(other) === keyOf(one)),
          );
          const key = throttled === undefined ? undefined : keyOf(throttled);
          if (throttled === undefined || key === undefined) return;
          const later = all.filter(
            (one) =>
              one.operation.id === throttled.operation.id &&
              one.exchange.startedAt >= throttled.exchange.endedAt &&
              one.step.role === 'control',
          );
          const same = later.filter((one) => keyOf(one) === key);
          // Once the command was accepted, what comes after under its key is a duplicate.
          const last = same.find((one) => isAccepted(one.exchange.answer)) ?? same.at(-1);
          if (last === undefined) return;
          const other = later.find(
            (one) =>
              !same.includes(one) && one.exchange.earlier.length === 0 && isAccepted(one.exchange.answer),
          );
          const on = [last, throttled];
          if (isAccepted(last.exchange.answer))
            yield holds(on, {
              expected: '2xx under the same key after the guided wait',
              because: 'The throttled attempt left its key free.',
            });
          else if (last.exchange.answer === undefined)
            yield inconclusive(on, 'There was no response to the retry.');
          else if (
            all
              .filter((one) => keyOf(one) === key)
              .flatMap(({ exchange }) => [
                ...exchange.earlier,
                ...(exchange === last.exchange ? [] : [exchange]),
              ])
              .some(({ answer }) => answer === undefined || isFailed(answer) || isAccepted(answer))
          )
            yield inconclusive(
              on,
              'An earlier request under this key was accepted, failed or got no response. It may have run the command.',
            );
          else if (
            other !== undefined &&
            isThrottled(last.exchange.answer) &&
            other.exchange.endedAt > last.exchange.startedAt
          )
            yield inconclusive(
              [...on, other],
              'The throttled key was not tried again after another key was accepted, so the service may still have been throttling.',
            );
          else if (other !== undefined)
            yield violated([...on, other], {
              expected: '2xx under the same key after the guided wait',
              because:
                'The command is not accepted under the throttled key, but is accepted under another one.',
            });
          else
            yield inconclusive(
              on,
              'No request under another key was accepted at once, so the service may still be throttling.',
            );
        },
      },
      inHistories('IDM-14'),
    ],
  },
  {
    code: 'IDM-15',
    level: 'derived',
    text: 'A command that got a 5xx and its retry together have at most one effect.',
    source: {
      where: 'Limits, 2; Errors table, 5xx',
      quote: 'Preserve IDs; retry only when the operation permits',
    },
    test: 'The hooks make the service fail before and after the commit; the command is sent again under its key.',
    violation:
      'Two records, or a record changed twice: the key was released although the command had been committed. A key that stays blocked is reported as a note.',
    fix: 'Release the key only when nothing was committed.',
    applies: commands,
    judges: [
      {
        over: 'trace',
        byResponses: true,
        needs: ['again-none'],
        *rule(context, trace) {
          for (const duplicate of duplicates(context, trace, 'none')) {
            const { first, again } = duplicate;
            if (!isFault(first)) continue;
            const on = [again, first];
            const expected = '2xx, 409, or the stored failure (G12)';
            const status = again.exchange.answer?.status;
            const doubt = undecided(again);
            if (doubt !== undefined)
              yield inconclusive(
                on,
                doubt,
                isLocked(context, trace, duplicate)
                  ? 'the key stays blocked after a 5xx: retries get no response, and another key is served at once'
                  : undefined,
              );
            else if (isAccepted(again.exchange.answer))
              yield holds(on, { expected, because: 'The retry was accepted.' });
            else if (controlOf(context, trace, again.step.id) !== 'accepted')
              yield inconclusive(
                on,
                'The same command was not accepted under another key either, so nothing shows that the failure caused this response.',
              );
            else if (status === 409)
              yield holds(on, { expected, because: 'The retry is refused as a conflict.' });
            else if (status === first.exchange.answer?.status)
              yield holds(on, { expected, because: 'The retry got the stored failure.' });
            else if (isFailed(again.exchange.answer))
              yield inconclusive(
                on,
                `The retry failed too, with ${status}. That may be an unrelated failure.`,
              );
            else
              yield violated(on, {
                expected,
                because: `The retry of a failed command returned ${status}, but the same command was accepted under another key.`,
              });
          }
        },
      },
      { over: 'trace', needs: ['again-none'], rule: ranAgain },
      asDeclared('G12'),
      singleEffect(
        ({ first }) => find(first.step, 'fault') !== undefined && find(first.step, 'fault')?.how !== 'slow',
        'none',
      ),
      wedged(isFault),
    ],
  },
  {
    code: 'IDM-16',
    level: 'derived',
    text: 'A retry after a lost response has no second effect, and gets a response in reasonable time.',
    source: limits2,
    test: 'The connection is cut while the command is in flight; the command is sent again under its key.',
    violation: 'Two records, or 5xx. A key that returns 409 forever is reported as a note.',
    fix: 'Keep the key claimed when the client disconnects.',
    applies: commands,
    judges: [
      {
        over: 'trace',
        byResponses: true,
        needs: ['again-none'],
        *rule(context, trace) {
          const retries = duplicates(context, trace, 'none').filter(
            ({ first }) => find(first.step, 'lost-response') !== undefined,
          );
          const last = retries.at(-1);
          if (last === undefined) return;
          const { answer } = last.again.exchange;
          const expected = '2xx, or 409';
          const on = [last.again, last.first];
          const doubt = undecided(last.again);
          if (answer === undefined || doubt !== undefined) yield inconclusive(on, doubt ?? '');
          else if (isAccepted(answer)) yield holds(on, { expected, because: 'The retry was accepted.' });
          else if (controlOf(context, trace, last.again.step.id) !== 'accepted')
            yield inconclusive(
              on,
              'The same command was not accepted under another key either, so nothing shows that the lost response caused this one.',
            );
          else if (answer.status === 409)
            yield holds(on, { expected, because: 'The retry is refused as a conflict.' });
          else
            yield violated(on, {
              expected,
              because: `The retry of a command whose response was lost returned ${answer.status}, but the same command was accepted under another key.`,
            });
        },
      },
      singleEffect(({ first }) => find(first.step, 'lost-response') !== undefined, 'none'),
      wedged(({ step }) => find(step, 'lost-response') !== undefined),
    ],
  },
];
