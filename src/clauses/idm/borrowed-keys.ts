import type { Context, WrittenClause } from '../../model/clause.ts';
import { type Contract, creates, type Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { addsWithin } from '../../model/listed.ts';
import { mayReturnOld } from '../../model/makes-records.ts';
import { chosenIdAt, namesResult } from '../../model/result-id.ts';
import type { Step } from '../../model/scenario.ts';
import { about } from '../judging/about.ts';
import { mayBeAlike } from '../judging/alike.ts';
import { asDeclared } from '../judging/declared.ts';
import {
  afterMismatch,
  duplicateAnswer,
  duplicates,
  isMismatch,
  isOtherRequest,
} from '../judging/duplicates.ts';
import { inHistories } from '../judging/histories.ts';
import {
  type Answered,
  answered,
  bodyName,
  faultsOf,
  find,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isControlled,
  isThrottled,
  notTested,
  responseClass,
  type Seen,
  sameTarget,
  seen,
  unattributed,
  violated,
} from '../judging/reading.ts';
import { noIdIn } from '../judging/results.ts';
import { byResponses, commands, distinguishable, withBody } from '../judging/rules.ts';
import { foreignResult, referredAfar, replayedAfar } from './foreign-results.ts';
import { onOtherParameters } from './other-parameters.ts';
import { isWide, onOtherTargets } from './other-targets.ts';
import { ofSameBody } from './same-body.ts';
import { limits2, rule4, service4 } from './sources.ts';

/** Whether a command has no target, and so no state of one, and no version that could forbid it. */
const isUnbound = ({ operation: { pathFields, version } }: Seen): boolean =>
  pathFields.length === 0 && version === undefined;
/** Whether a later command, which differs in its body, was accepted: the body is the reason why this one was refused. */
function isForBody(all: readonly Answered[], accepted: readonly Answered[], one: Answered): boolean {
  return accepted.some(
    (other) =>
      all.indexOf(other) > all.indexOf(one) &&
      other.operation.id === one.operation.id &&
      sameTarget(other.step, one.step),
  );
}

/** How a service refuses a body, or what is there already, besides 409. */
const otherRefusals: readonly number[] = [400, 412, 422, 423];

/** Where the body chooses the ID of the record, an equal one is about the same record. */
const creating = (contract: Contract, operation: Operation): boolean =>
  (creates(operation) || addsWithin(contract, operation)) && chosenIdAt(operation) === undefined;

/** Whether a command without a target may return a record that is there. */
const isReturned = (contract: Contract, { answer, operation }: Answered): boolean =>
  creates(operation) && mayReturnOld(contract, operation, answer.status);

/** Whether a command adds to a record what its body names, such as a member: it may be there already. */
const isWithinNamed = (operation: Operation): boolean => !creates(operation) && operation.named !== undefined;

/** Whether the same request under another key was accepted while the command was in flight, or could not be decided then. */
function heldByKey(context: Context, trace: Trace, one: Seen, { exchange: slow }: Seen): boolean {
  return seen(context, trace).some(
    ({ exchange, step }) =>
      step.controls === one.step.id &&
      exchange.earlier.length === 0 &&
      exchange.startedAt >= one.exchange.endedAt &&
      exchange.startedAt <= slow.endedAt &&
      (isAccepted(exchange.answer) ||
        (isAccepted(slow.answer) &&
          responseClass(exchange.answer) === 'refused' &&
          one.exchange.endedAt < slow.endedAt &&
          exchange.endedAt >= slow.endedAt)),
  );
}

export const borrowedKeyClauses: readonly WrittenClause[] = [
  {
    code: 'IDM-6',
    level: 'stated',
    text: 'Another request under a used key returns 409 and has no effect.',
    source: rule4,
    test: 'The key of an accepted command is sent again: with another body, another parameter value, another action in the path, or another target record.',
    violation:
      'The first result is replayed, a second command runs, or another class is returned. (The IETF draft on Idempotency-Key says 422 here; this contract says 409.)',
    fix: 'Store a fingerprint of the request with the key, and return 409 if it differs.',
    applies: distinguishable,
    judges: [
      byResponses(
        about('key-reuse').refusal(
          (step, context, trace) =>
            isMismatch(step) && firstAccepted(context, trace, step) && !mayBeAlike(context, trace, step),
        ),
      ),
      { over: 'trace', byResponses: true, needs: ['again-target'], rule: onOtherTargets },
      { over: 'trace', byResponses: true, needs: ['again-parameter'], rule: onOtherParameters },
      about('key-reuse').noEffect(isOtherRequest),
      inHistories('IDM-6'),
    ],
  },
  {
    code: 'IDM-7',
    level: 'derived',
    text: 'A request refused under a used key does not change the original result.',
    source: limits2,
    test: 'Three requests use one key: the first request, another one, and the first one again.',
    violation: 'The refused request overwrote the result that was stored under the key.',
    fix: 'Keep the original result when another request under its key is refused.',
    applies: distinguishable,
    judges: {
      over: 'trace',
      needs: ['again-none'],
      *rule(context, trace) {
        const steps = seen(context, trace).map((one) => one.step);
        for (const duplicate of duplicates(context, trace, 'none')) {
          if (duplicate.concurrent || !afterMismatch(duplicate.again.step, steps)) continue;
          const found = duplicateAnswer(context, trace, duplicate);
          if (found !== undefined) yield found;
        }
      },
    },
  },
  {
    code: 'IDM-9',
    level: 'derived',
    text: 'Another request under a key whose command is in flight returns 409.',
    source: rule4,
    test: 'The hook `slow` holds a command. Meanwhile its key is sent with another body.',
    violation: 'It is accepted, or waits and gets the first result.',
    fix: 'Keep the fingerprint from the moment the key is claimed.',
    applies: withBody,
    judges: {
      over: 'trace',
      needs: ['fault'],
      *rule(context, trace) {
        const slow = seen(context, trace).find((one) => find(one.step, 'fault')?.how === 'slow');
        if (slow === undefined) return;
        for (const one of answered(context, trace)) {
          const difference = find(one.step, 'key-reuse')?.difference;
          if ((difference !== 'request' && difference !== 'target') || one.step.role !== 'test') continue;
          const inFlight =
            one.exchange.startedAt >= slow.exchange.startedAt &&
            one.exchange.startedAt <= slow.exchange.endedAt;
          const on = [one, slow];
          const claimed = one.answer.status === 409 && isUnbound(one);
          if (isThrottled(one.answer)) yield inconclusive(on, 'The second request was throttled.');
          else if (!inFlight)
            yield inconclusive(on, 'The first command was not in flight when the second was sent.');
          else if (one.answer.status === 409 && heldByKey(context, trace, one, slow))
            yield holds(on, {
              expected: '409',
              because:
                'The key was claimed. While the command was in flight, the same request under another key was not refused.',
            });
          // One that was refused itself may have left its key to the other.
          else if (!isAccepted(slow.exchange.answer))
            yield inconclusive(
              on,
              'The command in flight was not accepted, so its key may have been free for the second request.',
            );
          // A version, a state, or what it asks for may forbid the second request whatever its key.
          else if (!isAccepted(one.answer) && !claimed && !isControlled(context, trace, one))
            yield inconclusive(on, unattributed);
          else if (one.answer.status === 409)
            yield holds(on, { expected: '409', because: 'The key was claimed.' });
          else if (difference === 'target' && isAccepted(one.answer) && !isWide(context))
            yield inconclusive(
              on,
              'Each target record may have its own key space (G18), so the second request may have run correctly.',
            );
          else
            yield violated(on, {
              expected: '409',
              because: 'Another request under the key of a command in flight must be refused as a conflict.',
              conclusive: isAccepted(one.answer),
            });
        }
      },
    },
  },
  {
    code: 'IDM-10',
    level: 'derived',
    text: 'Different keys with the same body are separate commands.',
    source: { where: "Limits, 2 'each command needs a unique key'", quote: limits2.quote },
    test: 'One body is sent under two keys.',
    violation:
      'The second gets the result of the first, 409 (unless G19 declares conflict), or another refusal while another body is accepted.',
    fix: 'Deduplicate by key, not by content.',
    applies: creating,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          const all = answered(context, trace).filter(
            (one) =>
              faultsOf(one.step).length === 0 &&
              one.step.key.use === 'named' &&
              creating(context.contract, one.operation),
          );
          const accepted = all.filter(({ answer }) => isAccepted(answer));
          for (const one of all) {
            if (one.step.role !== 'test') continue;
            const body = bodyName(one.step);
            const first = accepted.find(
              (other) =>
                // A burst is hundreds of exchanges of one step.
                other.step !== one.step &&
                bodyName(other.step) === body &&
                other.operation.id === one.operation.id &&
                (creates(one.operation) || sameTarget(other.step, one.step)) &&
                other.exchange.endedAt <= one.exchange.startedAt &&
                JSON.stringify(other.step.key) !== JSON.stringify(one.step.key),
            );
            if (first === undefined || isThrottled(one.answer)) continue;
            const on = [one, first];
            const declared = context.declared.G19 === 'conflict';
            const expected = declared ? '2xx with a new ID, or 409 (declared, G19)' : '2xx with a new ID';
            const id = idOf(first.operation, first.answer);
            if (isAccepted(one.answer))
              yield id === undefined
                ? notTested(on, noIdIn(first.operation))
                : namesResult(one.operation, one.exchange.request, id) ||
                    (isWithinNamed(one.operation) && idOf(one.operation, one.answer) === id)
                  ? inconclusive(
                      on,
                      'Nothing in the responses shows whether the second command ran separately.',
                    )
                  : idOf(one.operation, one.answer) === id && isReturned(context.contract, one)
                    ? inconclusive(
                        on,
                        `Both commands returned ${id}, and the contract does not say that each makes a record.`,
                      )
                    : idOf(one.operation, one.answer) === id
                      ? violated(on, {
                          expected,
                          because: 'A command with a new key got the result of another command.',
                          conclusive: true,
                        })
                      : holds(on, { expected, because: 'The second command got its own result.' });
            else if (one.answer.status === 409 && !declared && !creates(one.operation))
              yield inconclusive(on, 'The record that it is within may allow one such command.');
            else if (
              one.answer.status === 409 &&
              !declared &&
              one.operation.named !== undefined &&
              !isForBody(all, accepted, one)
            )
              yield inconclusive(
                on,
                'The body names a record, whose state may allow one such command. No other command on that record was accepted afterwards.',
              );
            else if (one.answer.status === 409)
              yield declared
                ? holds(on, { expected, because: 'The same body is refused, as declared (G19).' })
                : violated(on, {
                    expected,
                    because:
                      'A command with a new key is refused because the same body was sent before, but `G19: conflict` is not declared.',
                  });
            // What a body names may be used up by the first command.
            else if (
              otherRefusals.includes(one.answer.status) &&
              one.operation.named === undefined &&
              isForBody(
                all,
                accepted.filter((other) => bodyName(other.step) !== body),
                one,
              )
            )
              yield violated(on, {
                expected,
                because: declared
                  ? 'The same body was accepted before and is refused now, but not as a conflict. Another body is accepted.'
                  : 'A command with a new key is refused because the same body was sent before: another body is accepted. Where a value may exist once, declare `G19: conflict` and return 409.',
              });
            else yield inconclusive(on, 'The second command was neither accepted nor refused as a conflict.');
          }
        },
      },
      inHistories('IDM-10'),
    ],
  },
  {
    code: 'IDM-12',
    level: 'derived',
    text: "A key never returns another caller's result.",
    source: {
      where: 'Authentication, 2 (scope)',
      quote: 'The identity must hold the exact permission and scope',
    },
    test: 'Principals of the same scope and of another scope send a used key, with the same body and with another one (open point G18). If a result has no ID, its text and what its caller reads identify it. A principal of another scope also sends the whole request, on a record of the first scope.',
    violation: "The first caller's result is returned, or disclosed in a conflict.",
    fix: 'Make caller or tenant part of the key.',
    applies: distinguishable,
    judges: [
      {
        over: 'trace',
        needs: ['again-caller', 'again-scope'],
        rule: (context, trace) => foreignResult(context, trace, 'caller', 'scope'),
      },
      { over: 'trace', needs: ['again-scope'], rule: replayedAfar },
      { over: 'trace', needs: ['again-scope'], rule: referredAfar },
      inHistories('IDM-12'),
      asDeclared('G18', { of: ({ step }) => find(step, 'key-reuse')?.difference !== 'operation' }),
    ],
  },
  {
    code: 'IDM-13',
    level: 'derived',
    text: "A key never returns another operation's result.",
    source: service4,
    test: 'A used key is sent with another command: with a body of its own, and with the same body if both allow it.',
    violation: "The first operation's result is returned.",
    fix: 'Make the operation part of the key or of the fingerprint.',
    applies: (contract, operation) =>
      commands(contract, operation) &&
      contract.operations.filter((other) => other.kind === 'command').length > 1,
    judges: [
      {
        over: 'trace',
        needs: ['again-operation'],
        rule: (context, trace) => foreignResult(context, trace, 'operation'),
      },
      { over: 'trace', needs: ['again-operation'], rule: ofSameBody },
      inHistories('IDM-13'),
      asDeclared('G18', { of: ({ step }) => find(step, 'key-reuse')?.difference === 'operation' }),
    ],
  },
];

function firstAccepted(context: Context, trace: Trace, step: Step): boolean {
  const of = find(step, 'key-reuse')?.of;
  return answered(context, trace).some((one) => one.step.id === of && isAccepted(one.answer));
}
