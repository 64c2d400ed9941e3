import type { Clause } from '../../model/clause.ts';
import { asDeclared } from '../judging/declared.ts';
import { duplicates, singleEffect } from '../judging/duplicates.ts';
import {
  controlOf,
  find,
  headerValues,
  isAccepted,
  ruling,
  type Seen,
  seen,
  summary,
} from '../judging/reading.ts';
import { commands } from '../judging/rules.ts';
import { limits2 } from './sources.ts';

/** The retry after a 429, a failure of the service, or a lost answer. */
export const failedAttemptClauses: readonly Clause[] = [
  {
    code: 'IDM-14',
    level: 'derived',
    text: 'An attempt answered 429 does not occupy its key.',
    source: {
      where: 'Limits, 2; Errors table, 429',
      quote: 'Honor the supplied wait guidance and apply backoff',
    },
    explain: {
      test: 'After the guided wait the throttled command is sent again under its key.',
      violation: 'It stays refused, while the same request under a fresh key is accepted.',
      fix: 'Throttle before the key is stored.',
    },
    applies: commands,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          const all = seen(context, trace);
          const keyOf = (one: Seen): string | undefined =>
            headerValues(one.exchange.request.headers, 'idempotency-key')[0];
          // Of all throttled requests the one that was sent again.
          const throttled = all.find(
            (one) =>
              find(one.step, 'pace') !== undefined &&
              one.exchange.answer?.status === 429 &&
              all.some((other) => other.step.role === 'control' && keyOf(other) === keyOf(one)),
          );
          const key = throttled === undefined ? undefined : keyOf(throttled);
          if (throttled === undefined || key === undefined) return;
          const later = all.filter(
            (one) => one.exchange.startedAt >= throttled.exchange.endedAt && one.step.role === 'control',
          );
          const same = later.filter((one) => keyOf(one) === key);
          const last = same.at(-1);
          if (last === undefined) return;
          const fresh = later.find(
            (one) =>
              !same.includes(one) && one.exchange.earlier.length === 0 && isAccepted(one.exchange.answer),
          );
          const expected = '2xx under the same key after the guided wait';
          const actual = summary(last.exchange);
          if (isAccepted(last.exchange.answer))
            yield ruling([last, throttled], {
              verdict: 'holds',
              expected,
              actual,
              because: 'The throttled attempt left its key free.',
            });
          else if (last.exchange.answer === undefined)
            yield ruling([last, throttled], {
              verdict: 'inconclusive',
              expected,
              actual,
              because: 'The retry was not answered.',
            });
          else if (fresh !== undefined)
            yield ruling([last, throttled, fresh], {
              verdict: 'violated',
              expected,
              actual,
              because:
                'The command stays refused under the key of the throttled attempt, and is accepted under a fresh one.',
            });
          else
            yield ruling([last, throttled], {
              verdict: 'inconclusive',
              expected,
              actual,
              because: 'A request under a fresh key was refused as well, so this may be throttling still.',
            });
        },
      },
    ],
  },
  {
    code: 'IDM-15',
    level: 'derived',
    text: 'After a 5xx the retry under the same key makes at most one effect in all.',
    source: {
      where: 'Limits, 2; Errors table, 5xx',
      quote: 'Preserve IDs; retry only when the operation permits',
    },
    explain: {
      test: 'The hooks make the service fail before and after the commit; the command is sent again under its key.',
      violation: 'Two records: the key was released although the command had been committed.',
      fix: 'Release the key only when nothing was committed.',
    },
    applies: commands,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          for (const { first, again } of duplicates(context, trace, 'none')) {
            const fault = find(first.step, 'fault');
            if (fault === undefined || fault.how === 'slow' || (first.exchange.answer?.status ?? 0) < 500)
              continue;
            const status = again.exchange.answer?.status;
            const fine =
              isAccepted(again.exchange.answer) || status === 409 || status === first.exchange.answer?.status;
            const answered = status !== undefined && status !== 429;
            const valid = controlOf(context, trace, again.step.id) === 'accepted';
            yield ruling([again, first], {
              verdict: fine ? 'holds' : answered && valid ? 'violated' : 'inconclusive',
              expected: '2xx, 409, or the stored failure (G12)',
              actual: summary(again.exchange),
              because: fine
                ? 'The retry is answered as the contract allows.'
                : !answered
                  ? 'The retry was not answered, or throttled.'
                  : valid
                    ? 'The retry of a failed command is answered in a class that tells the client something else.'
                    : 'The same command under a fresh key was not accepted either, so the answer cannot be attributed.',
            });
          }
        },
      },
      asDeclared('G12'),
      singleEffect(
        ({ first }) => find(first.step, 'fault') !== undefined && find(first.step, 'fault')?.how !== 'slow',
        'none',
      ),
    ],
  },
  {
    code: 'IDM-16',
    level: 'derived',
    text: 'After a lost answer the retry under the same key makes no second effect, and gets an answer within reasonable time.',
    source: limits2,
    explain: {
      test: 'The connection is cut while the command is in flight; the command is sent again under its key.',
      violation: 'Two records, or 5xx. A key that stays wedged at 409 is reported as an advisory.',
      fix: 'Do not tie the claim of the key to the connection of the client.',
    },
    applies: commands,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          const retries = duplicates(context, trace, 'none').filter(
            ({ first }) => find(first.step, 'lost-response') !== undefined,
          );
          const last = retries.at(-1);
          if (last === undefined) return;
          const { answer } = last.again.exchange;
          const base = { expected: '2xx, or 409', actual: summary(last.again.exchange) };
          const on = [last.again, last.first];
          if (answer === undefined || answer.status === 429)
            yield ruling(on, {
              ...base,
              verdict: 'inconclusive',
              because: 'The retry was not answered, or throttled.',
            });
          else if (isAccepted(answer))
            yield ruling(on, { ...base, verdict: 'holds', because: 'The retry was answered with a result.' });
          else if (answer.status === 409)
            yield ruling(on, {
              ...base,
              verdict: 'holds',
              because: 'The retry is refused as a conflict.',
              advisory: 'the key stays wedged: the client never learns its result',
            });
          else if (controlOf(context, trace, last.again.step.id) === 'accepted')
            yield ruling(on, {
              ...base,
              verdict: 'violated',
              because: 'The retry of a command whose answer was lost is refused in another class.',
            });
          else
            yield ruling(on, {
              ...base,
              verdict: 'inconclusive',
              because:
                'The same command under a fresh key was not accepted either, so the answer cannot be attributed.',
            });
        },
      },
      singleEffect(({ first }) => find(first.step, 'lost-response') !== undefined, 'none'),
    ],
  },
];
