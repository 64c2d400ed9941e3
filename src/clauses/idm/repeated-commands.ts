import type { Context, WrittenClause } from '../../model/clause.ts';
import { type Contract, creates, type Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { makesWithin } from '../../model/listed.ts';
import { about } from '../judging/about.ts';
import { asDeclared } from '../judging/declared.ts';
import {
  afterMismatch,
  type Duplicate,
  duplicateAnswer,
  duplicateRule,
  duplicates,
  singleEffect,
  typedReplay,
} from '../judging/duplicates.ts';
import { historyEffects, inHistories } from '../judging/histories.ts';
import { movedInHolder } from '../judging/moved-in-holder.ts';
import { queuedTwice } from '../judging/queued-twice.ts';
import { race } from '../judging/race.ts';
import {
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isFailed,
  isThrottled,
  notTested,
  responseClass,
  type Seen,
  seen,
  violated,
} from '../judging/reading.ts';
import { commands, withBody } from '../judging/rules.ts';
import { notSetBack } from '../judging/set-back.ts';
import { limits2, service4 } from './sources.ts';

const otherMethods = (contract: Contract, operation: Operation): boolean =>
  commands(contract, operation) && operation.method !== 'POST';

/** Whether a key came again after the lifetime that is declared for keys (G13). */
function outlived({ first, again }: Duplicate, { declared }: Context): boolean {
  const seconds = declared.G13;
  return seconds !== undefined && again.exchange.endedAt - first.exchange.startedAt >= seconds * 1000;
}

/** Whether another command deleted the record, or may have: a deletion that is sent again finds it gone by itself. */
function isGone(context: Context, trace: Trace, { again, first }: Duplicate): boolean {
  const all = seen(context, trace);
  return (
    context.declared.G1 === undefined &&
    [404, 410].includes(again.exchange.answer?.status ?? 0) &&
    all
      .slice(all.indexOf(first) + 1, all.indexOf(again))
      .some(
        ({ exchange, operation }) =>
          operation.method === 'DELETE' &&
          operation !== first.operation &&
          ['accepted', 'failed', 'no-response'].includes(responseClass(exchange.answer)),
      )
  );
}

/** Whether the token of a request was accepted: here, in preflight, or elsewhere in the trace. */
function isGood(context: Context, trace: Trace, { exchange, step }: Seen): boolean {
  if (isAccepted(exchange.answer)) return true;
  if (step.bearer === undefined) return context.proven.has(step.as);
  return seen(context, trace).some(
    (one) =>
      one.step.bearer?.hook === step.bearer?.hook &&
      one.step.as === step.as &&
      isAccepted(one.exchange.answer),
  );
}

export const repeatedCommandClauses: readonly WrittenClause[] = [
  {
    code: 'IDM-4',
    level: 'stated',
    text: 'The same request under the same key has at most one effect.',
    source: limits2,
    test: 'A command is sent several times under one key. An independent read counts its records, because equal responses prove nothing. Where another record shows a total, another amount than one is sent twice too.',
    violation:
      'A second record, whatever the responses say. Or each duplicate changes a count or a total in the target record or its parent.',
    fix: 'Look the key up before the command runs, and store the result with it in one transaction.',
    applies: commands,
    judges: [
      singleEffect((duplicate) => !duplicate.concurrent, 'none'),
      { over: 'trace', needs: ['holder'], rule: movedInHolder },
      { over: 'trace', needs: ['again-none'], rule: queuedTwice },
      historyEffects,
    ],
  },
  {
    code: 'IDM-5',
    level: 'derived',
    text: 'A duplicate gets 2xx with the same ID, or 409.',
    source: limits2,
    test: 'The responses to the duplicates are compared with the first one (open point G1).',
    violation: 'Another ID, or another class.',
    fix: 'Replay the stored result, or return 409.',
    applies: commands,
    judges: [
      {
        over: 'trace',
        needs: ['again-none'],
        *rule(context, trace) {
          for (const duplicate of duplicates(context, trace, 'none')) {
            if (
              duplicate.concurrent ||
              afterMismatch(
                duplicate.again.step,
                seen(context, trace).map((one) => one.step),
              )
            )
              continue;
            const found = duplicateAnswer(context, trace, duplicate);
            if (found !== undefined) yield found;
          }
        },
      },
      inHistories('IDM-5'),
    ],
  },
  {
    code: 'IDM-8',
    level: 'stated',
    text: 'Parallel duplicates have exactly one effect.',
    source: limits2,
    test: 'The same command is sent several times in parallel, in several rounds. Its records are counted.',
    violation: 'Two records, two IDs, or a 5xx for a request that loses the race.',
    fix: 'Claim the key atomically (unique constraint, compare-and-set) before the command runs.',
    applies: commands,
    judges: [
      { over: 'trace', byResponses: true, needs: ['together'], rule: race },
      singleEffect((duplicate) => duplicate.concurrent, 'none'),
      inHistories('IDM-8'),
    ],
  },
  {
    code: 'IDM-17',
    level: 'derived',
    text: 'Reformatted JSON has no second effect.',
    source: limits2,
    test: 'The body is sent again with its members in another order, with other white space, and with \\u escapes.',
    violation: 'A second record, or a response other than the stored result or 409.',
    fix: 'Compare JSON values, not bytes; or refuse with 409.',
    applies: withBody,
    judges: [duplicateRule('form'), singleEffect((duplicate) => !duplicate.concurrent, 'form')],
  },
  {
    code: 'IDM-18',
    level: 'derived',
    text: 'A duplicate with a refreshed token of the same caller has no second effect.',
    source: limits2,
    test: 'A command is sent again under its key with another token of the same caller.',
    violation: 'A second record: the token is part of the key.',
    fix: 'Make the caller part of the key, not the token.',
    applies: commands,
    judges: [
      {
        over: 'trace',
        byResponses: true,
        needs: ['again-token'],
        *rule(context, trace) {
          for (const duplicate of duplicates(context, trace, 'token')) {
            const { again, first } = duplicate;
            const found = duplicateAnswer(context, trace, duplicate);
            // A token that was accepted nowhere may not be good, and then says nothing about keys.
            if (found?.verdict === 'violated' && !isGood(context, trace, again))
              yield inconclusive(
                [again, first],
                'The second token was never accepted, so it may not be valid.',
              );
            else if (found !== undefined) yield found;
          }
        },
      },
      // What is refused for its token has no effect, whatever the service does with keys.
      singleEffect(({ again }, context, trace) => isGood(context, trace, again), 'token'),
    ],
  },
  {
    code: 'IDM-19',
    level: 'derived',
    text: 'A key is still honoured after many other commands and some time.',
    source: limits2,
    test: 'A key is used again after other commands and some seconds; the budget sets how many of each (open point G13). The key of a command whose record was changed or deleted is used again too, and that of a command on a record after another one on it.',
    violation: 'A second record, another ID, or a record that is as it was before the later command.',
    fix: 'Keep keys for at least as long as clients may retry, even if the record is deleted.',
    applies: commands,
    judges: [
      {
        over: 'trace',
        byResponses: true,
        needs: ['again-late'],
        *rule(context, trace) {
          for (const duplicate of duplicates(context, trace, 'late')) {
            if (outlived(duplicate, context)) {
              yield notTested(
                [duplicate.again, duplicate.first],
                'The key was used again after its declared lifetime (G13). Declare a longer lifetime, or choose a smaller budget.',
              );
              continue;
            }
            const found = duplicateAnswer(context, trace, duplicate);
            if (found?.verdict === 'violated' && isGone(context, trace, duplicate))
              yield inconclusive(
                [duplicate.again, duplicate.first],
                'The record of the first command was deleted, and the duplicate was refused because of that.',
              );
            else if (found !== undefined) yield found;
          }
        },
      },
      { over: 'trace', needs: ['again-late'], rule: notSetBack },
      singleEffect((duplicate, context) => !outlived(duplicate, context), 'late'),
    ],
  },
  {
    code: 'IDM-20',
    level: 'derived',
    text: 'PUT, PATCH and DELETE commands are deduplicated too.',
    source: service4,
    test: 'PUT, PATCH and DELETE commands are sent twice under one key.',
    violation: 'The second request runs the command again.',
    fix: 'Deduplicate every command, whatever its method.',
    applies: otherMethods,
    judges: [duplicateRule('none'), singleEffect((duplicate) => !duplicate.concurrent, 'none')],
  },
  {
    code: 'IDM-24',
    level: 'derived',
    text: 'A retry with a query string, on an unusual path or from another client has no second effect.',
    source: limits2,
    test: 'A command is sent again under its key, with ?x=1 after the path, with a trailing slash, with the headers of another client, or with the encoding named in Content-Type.',
    violation: 'A second record.',
    fix: 'Bind the key to the operation, not to the text of the URL or to headers.',
    applies: commands,
    judges: [
      {
        over: 'trace',
        byResponses: true,
        needs: ['again-query'],
        *rule(context, trace) {
          for (const { first, again } of duplicates(context, trace, 'query')) {
            const original = first.exchange.answer;
            const { answer } = again.exchange;
            if (original === undefined || !isAccepted(original)) continue;
            if (answer === undefined || isThrottled(answer)) continue;
            const on = [again, first];
            const expected = 'the stored result, 409, or a refusal of the path';
            const ids = [idOf(first.operation, original), idOf(again.operation, answer)];
            // Another path may be none of the API's: what it returns without an ID is no second result.
            const makes = creates(first.operation) || makesWithin(context.contract, first.operation);
            const second = makes && isAccepted(answer) && !ids.includes(undefined) && ids[0] !== ids[1];
            if (second)
              yield violated(on, {
                expected,
                because: 'The retry was taken for a second command.',
                conclusive: true,
              });
            else if (isFailed(answer))
              yield inconclusive(
                on,
                'The service failed on the unusual request, so nothing shows how it treats the key.',
              );
            else
              yield holds(on, {
                expected,
                because: isAccepted(answer)
                  ? 'The response has no second result.'
                  : 'The unusual request was refused.',
              });
          }
        },
      },
      singleEffect(() => true, 'query'),
    ],
  },
  {
    code: 'IDM-25',
    level: 'derived',
    text: 'A replay is typed and carries X-Request-Id.',
    source: {
      where: 'Request identifier; What the service does, 5',
      quote: "A command's result is typed and carries a request ID for tracing.",
    },
    test: 'Every accepted duplicate of the run is compared with the declared result.',
    violation:
      'No X-Request-Id, another media type, a body of another shape. Or a required header that the first response had under the same status is missing.',
    fix: 'Store and replay the whole result, and attach a request ID.',
    applies: commands,
    judges: [about('key-reuse').eachAnswer(typedReplay), asDeclared('G3')],
  },
];
