import type { Clause, Context, Ruling } from '../../model/clause.ts';
import { type Contract, creates, isCount, type Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import type { Step } from '../../model/scenario.ts';
import { asDeclared } from '../judging/declared.ts';
import {
  afterMismatch,
  type Difference,
  duplicateAnswer,
  duplicates,
  isMismatch,
} from '../judging/duplicates.ts';
import { noEffect } from '../judging/effects.ts';
import { inHistories } from '../judging/histories.ts';
import {
  answered,
  bodyName,
  controlOf,
  discloses,
  faultsOf,
  find,
  idOf,
  isAccepted,
  only,
  ruling,
  seen,
  summary,
} from '../judging/reading.ts';
import { commands, distinguishable, refusal, withBody } from '../judging/rules.ts';
import { sameState } from '../judging/state.ts';
import { onOtherTargets } from './other-targets.ts';
import { limits2, rule4, service4 } from './sources.ts';

const creating = (_: Contract, operation: Operation): boolean => creates(operation);

/** A key that another request, caller or operation used; and other keys for the same request. */
export const borrowedKeyClauses: readonly Clause[] = [
  {
    code: 'IDM-6',
    level: 'stated',
    text: 'Another request under a used key is answered 409, without effect.',
    source: rule4,
    explain: {
      test: 'After an accepted command its key is sent with another body, and with the same command on another target.',
      violation:
        'The first result is replayed, a second command runs, or another class is answered. (The IETF draft on Idempotency-Key says 422 here; this contract says 409.)',
      fix: 'Keep a fingerprint of the request with the key, and answer 409 where it differs.',
    },
    applies: distinguishable,
    judges: [
      refusal((step, context, trace) => isMismatch(step) && firstAccepted(context, trace, step)),
      { over: 'trace', rule: onOtherTargets },
      noEffect((step) => isMismatch(step) || only(step, 'key-reuse')?.difference === 'target'),
      inHistories('IDM-6'),
    ],
  },
  {
    code: 'IDM-7',
    level: 'derived',
    text: 'After that 409 the original request still resolves to the original result.',
    source: limits2,
    explain: {
      test: 'Key with the first request, key with another one, key with the first one again.',
      violation: 'The mismatch overwrote what was stored under the key.',
      fix: 'Do not store the refusal of a mismatch.',
    },
    applies: distinguishable,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          const steps = seen(context, trace).map((one) => one.step);
          for (const duplicate of duplicates(context, trace, 'none')) {
            if (duplicate.concurrent || !afterMismatch(duplicate.again.step, steps)) continue;
            const found = duplicateAnswer({ context, trace, duplicate });
            if (found !== undefined) yield found;
          }
        },
      },
    ],
  },
  {
    code: 'IDM-9',
    level: 'derived',
    text: 'Another request under a key whose command is in flight is answered 409.',
    source: rule4,
    explain: {
      test: 'The hook `slow` holds a command, and its key is sent with another body meanwhile.',
      violation: 'It is accepted, or waits and gets the first result.',
      fix: 'Keep the fingerprint from the moment the key is claimed.',
    },
    applies: withBody,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          const slow = seen(context, trace).find((one) => find(one.step, 'fault')?.how === 'slow');
          if (slow === undefined) return;
          for (const one of answered(context, trace)) {
            if (find(one.step, 'key-reuse')?.difference !== 'request' || one.step.role !== 'probe') continue;
            const inFlight =
              one.exchange.startedAt >= slow.exchange.startedAt &&
              one.exchange.startedAt <= slow.exchange.endedAt;
            const fine = one.answer.status === 409;
            // One that was refused itself may have left its key to the other.
            const held = inFlight && isAccepted(slow.exchange.answer);
            const verdict = fine ? 'holds' : !held || one.answer.status === 429 ? 'inconclusive' : 'violated';
            yield ruling([one, slow], {
              verdict,
              expected: '409',
              actual: summary(one.exchange),
              because: fine
                ? 'The key was claimed.'
                : 'Another request under the key of a command in flight must be refused as a conflict.',
              ...(verdict === 'violated' && isAccepted(one.answer) ? { conclusive: true } : {}),
            });
          }
        },
      },
    ],
  },
  {
    code: 'IDM-10',
    level: 'derived',
    text: 'Different keys with the same body are separate commands.',
    source: { where: "Limits, 2 'each command needs a unique key'", quote: limits2.quote },
    explain: {
      test: 'One body is sent under two keys.',
      violation: 'The second gets the first result, or 409 (unless declared at open point G19).',
      fix: 'Deduplicate by key, not by content.',
    },
    applies: creating,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          const all = answered(context, trace).filter(
            (one) =>
              faultsOf(one.step).length === 0 && one.step.key.use === 'named' && creates(one.operation),
          );
          for (const one of all) {
            if (one.step.role !== 'probe') continue;
            const first = all.find(
              (other) =>
                bodyName(other.step) === bodyName(one.step) &&
                isAccepted(other.answer) &&
                other.exchange.endedAt <= one.exchange.startedAt &&
                JSON.stringify(other.step.key) !== JSON.stringify(one.step.key),
            );
            if (first === undefined || one.answer.status === 429) continue;
            const expected =
              context.declaration.G19 === 'conflict'
                ? '2xx with an id of its own, or 409 (declared, G19)'
                : '2xx with an id of its own';
            const id = idOf(first.operation, first.answer);
            const same = isAccepted(one.answer) && id !== undefined && idOf(one.operation, one.answer) === id;
            const conflict = one.answer.status === 409 && context.declaration.G19 !== 'conflict';
            const fine = isAccepted(one.answer) ? id !== undefined : one.answer.status === 409;
            yield ruling([one, first], {
              verdict: same || conflict ? 'violated' : fine ? 'holds' : 'inconclusive',
              expected,
              actual: summary(one.exchange),
              because: same
                ? 'A command with a key of its own got the result of another.'
                : conflict
                  ? 'A command with a key of its own is refused because of its content, and no business deduplication is declared (G19).'
                  : fine
                    ? 'The second command was answered on its own.'
                    : 'Nothing in the answer tells whether the second command was one of its own.',
              ...(same ? { conclusive: true } : {}),
            });
          }
        },
      },
      inHistories('IDM-10'),
    ],
  },
  {
    code: 'IDM-12',
    level: 'derived',
    text: "The key of one caller never opens another caller's result.",
    source: {
      where: 'Authentication, 2 (scope)',
      quote: 'The identity must hold the exact permission and scope',
    },
    explain: {
      test: 'Principals of the same scope and of another one send a used key, with the same and with another body (open point G18).',
      violation: "The first caller's result is returned, or disclosed in a conflict.",
      fix: 'Make caller or tenant part of the key.',
    },
    applies: distinguishable,
    judges: [
      { over: 'trace', rule: (context, trace) => foreignResult(context, trace, 'caller', 'scope') },
      inHistories('IDM-12'),
      asDeclared('G18'),
    ],
  },
  {
    code: 'IDM-13',
    level: 'derived',
    text: "The key of one operation never opens another operation's result.",
    source: service4,
    explain: {
      test: 'A used key is sent with another command.',
      violation: "The first operation's result is returned.",
      fix: 'Make the operation part of the key or of the fingerprint.',
    },
    applies: (contract, operation) =>
      commands(contract, operation) &&
      contract.operations.filter((other) => other.kind === 'command').length > 1,
    judges: [
      { over: 'trace', rule: (context, trace) => foreignResult(context, trace, 'operation') },
      inHistories('IDM-13'),
    ],
  },
];

function firstAccepted(context: Context, trace: Trace, step: Step): boolean {
  const of = find(step, 'key-reuse')?.of;
  return answered(context, trace).some((one) => one.step.id === of && isAccepted(one.answer));
}

/** The key of another caller or operation never opens the first one's result (IDM-12, IDM-13). */
function foreignResult(
  context: Context,
  trace: Trace,
  ...differences: readonly Difference[]
): readonly Ruling[] {
  return duplicates(context, trace, ...differences).flatMap((duplicate): readonly Ruling[] => {
    const { first, again, difference } = duplicate;
    const original = first.exchange.answer;
    const { answer } = again.exchange;
    if (original === undefined || !isAccepted(original)) return [];
    const id = idOf(first.operation, original);
    const expected = 'its own result, or 409 without data of the first (G18)';
    const actual = summary(again.exchange);
    const say = (
      verdict: Ruling['verdict'],
      because: string,
      more: Partial<Ruling> = {},
    ): readonly Ruling[] => [ruling([again, first], { verdict, expected, actual, because, ...more })];
    if (answer === undefined || answer.status === 429)
      return say('inconclusive', 'The second request was not answered, or throttled.');
    const sameRequest =
      bodyName(first.step) === bodyName(again.step) &&
      first.exchange.request.path === again.exchange.request.path;
    // Each scope, and each kind of record, may be counted on its own: one number for two is no proof.
    const carries =
      id !== undefined &&
      (idOf(again.operation, answer) === id
        ? !isCount(id) || (!sameRequest && sameState(first, again))
        : discloses(again.exchange, id));
    if (isAccepted(answer)) {
      if (!carries) return say('holds', 'The second caller got a result of its own.');
      if (difference === 'caller' && sameRequest)
        return say(
          'holds',
          'Within one tenant, the same request under the same key may get the stored result.',
        );
      return say(
        'violated',
        `The answer carries ${id}, the result of the first ${difference === 'operation' ? 'operation' : 'caller'}.`,
        { conclusive: true },
      );
    }
    if (answer.status === 409)
      return carries && !(difference === 'caller' && sameRequest)
        ? say('violated', `The conflict discloses ${id}, the result of another.`, { conclusive: true })
        : say('holds', 'Refused as a conflict, without data of the first.');
    if (controlOf(context, trace, again.step.id) !== 'accepted')
      return say(
        'inconclusive',
        'The same request under a fresh key was not accepted, so the answer cannot be attributed.',
      );
    return say(
      'violated',
      `A valid request under a key that somebody else used is answered ${answer.status}.`,
    );
  });
}
