import type { Clause } from '../model/clause.ts';
import { type Contract, creates, type Operation } from '../model/contract.ts';
import type { Step } from '../model/scenario.ts';
import {
  collisions,
  duplicateAnswer,
  duplicateRule,
  duplicates,
  foreignResult,
  nearKeys,
  race,
  singleEffect,
  typedReplay,
} from './duplicates.ts';
import { noEffect } from './effects.ts';
import { historyEffects, inHistories } from './histories.ts';
import {
  answered,
  bodyName,
  faultsOf,
  find,
  headerValues,
  idOf,
  isAccepted,
  only,
  ruling,
  type Seen,
  seen,
  summary,
} from './reading.ts';
import { commands, eachAnswer, reads, refusal, withBody } from './rules.ts';

const rule1 = {
  where: 'POST /cases, rule 1',
  quote: 'When `Idempotency-Key` is missing, the request does not meet the contract',
};
const rule4 = {
  where: 'POST /cases, rule 4',
  quote: 'When the request conflicts with state, version, idempotency, or approval, the result is `409`.',
};
const limits2 = {
  where: 'Limits, 2',
  quote: 'Commands are deduplicated by `Idempotency-Key`; each command needs a unique key.',
};

const absent = (step: Step): boolean => only(step, 'key')?.how === 'absent';
const blank = (step: Step): boolean => only(step, 'key')?.how === 'blank';
const otherMethods = (contract: Contract, operation: Operation): boolean =>
  commands(contract, operation) && operation.method !== 'POST';
/** Another request needs another body, or another target. */
const variable = (contract: Contract, operation: Operation): boolean => withBody(contract, operation);
const creating = (contract: Contract, operation: Operation): boolean =>
  commands(contract, operation) && creates(operation);

export const idempotencyClauses: readonly Clause[] = [
  {
    code: 'IDM-1',
    level: 'stated',
    text: 'A command without Idempotency-Key is refused, without effect.',
    source: rule1,
    explain: {
      test: 'A valid command is sent without the header, then with it.',
      violation: 'It is accepted, or refused with a record left behind.',
      fix: 'Demand the key of every command before anything is done.',
    },
    applies: commands,
    judges: [
      eachAnswer((one) => {
        if (!absent(one.step) || one.answer.status === 429 || one.answer.status >= 500) return undefined;
        const refusedOne = !isAccepted(one.answer);
        return ruling([one], {
          verdict: refusedOne ? 'holds' : 'violated',
          expected: 'a refusal',
          actual: summary(one.exchange),
          because: refusedOne
            ? 'The command was refused.'
            : 'A command without a key was accepted: it cannot be deduplicated.',
          ...(refusedOne ? {} : { conclusive: true }),
        });
      }),
      noEffect(absent),
    ],
  },
  {
    code: 'IDM-2',
    level: 'derived',
    text: 'The refusal of a missing key is 422.',
    source: {
      where: 'POST /cases, rule 1; Errors table, 422',
      quote: 'Request does not match the published schema',
    },
    explain: {
      test: 'The class of the refusal is compared with 422, or with what is declared at open point G2; 400 is reported as an advisory.',
      violation: 'Another class, or 5xx.',
      fix: 'Answer 422, as for any request that does not match the published schema.',
    },
    applies: commands,
    judges: [refusal(absent)],
  },
  {
    code: 'IDM-3',
    level: 'derived',
    text: 'An empty or blank key is a missing key.',
    source: rule1,
    explain: {
      test: 'The header is sent empty, and with spaces.',
      violation: 'The command is accepted: all clients with an empty key share one.',
      fix: 'Trim the value and treat an empty one as missing.',
    },
    applies: commands,
    judges: [refusal(blank), noEffect(blank)],
  },
  {
    code: 'IDM-4',
    level: 'stated',
    text: 'The same request under the same key has at most one effect.',
    source: limits2,
    explain: {
      test: 'A command is sent several times under one key, and its records are counted by an independent read; equal answers prove nothing.',
      violation: 'A second record, whatever the answers say.',
      fix: 'Look the key up before the command runs, and store the result with it in one transaction.',
    },
    applies: commands,
    judges: [singleEffect((duplicate) => !duplicate.concurrent, 'none'), historyEffects],
  },
  {
    code: 'IDM-5',
    level: 'derived',
    text: 'A duplicate gets 2xx with the same id, or 409.',
    source: limits2,
    explain: {
      test: 'The answers to the duplicates are compared with the first one (open point G1).',
      violation: 'Another id, or another class.',
      fix: 'Replay the stored result, or answer 409.',
    },
    applies: commands,
    judges: [
      {
        over: 'trace',
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
            const found = duplicateAnswer({ context, trace, duplicate });
            if (found !== undefined) yield found;
          }
        },
      },
      inHistories('IDM-5'),
    ],
  },
  {
    code: 'IDM-6',
    level: 'stated',
    text: 'Another request under a used key is answered 409, without effect.',
    source: rule4,
    explain: {
      test: 'After an accepted command its key is sent with another body.',
      violation:
        'The first result is replayed, a second command runs, or another class is answered. (The IETF draft on Idempotency-Key says 422 here; this contract says 409.)',
      fix: 'Keep a fingerprint of the request with the key, and answer 409 where it differs.',
    },
    applies: variable,
    judges: [
      refusal((step, context, trace) => mismatch(step) && firstAccepted(context, trace, step)),
      noEffect(mismatch),
      inHistories('IDM-6'),
    ],
  },
  {
    code: 'IDM-7',
    level: 'derived',
    text: 'After that 409 the original request still resolves to the original result.',
    source: limits2,
    explain: {
      test: 'Key with the first body, key with another body, key with the first body again.',
      violation: 'The mismatch overwrote what was stored under the key.',
      fix: 'Do not store the refusal of a mismatch.',
    },
    applies: variable,
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
    code: 'IDM-8',
    level: 'stated',
    text: 'Parallel duplicates have exactly one effect.',
    source: limits2,
    explain: {
      test: 'The same command is sent several times at once, in several rounds, and its records are counted.',
      violation: 'Two records, two ids, or a loser answered with 5xx.',
      fix: 'Claim the key atomically (unique constraint, compare-and-set) before the command runs.',
    },
    applies: commands,
    judges: [
      { over: 'trace', rule: race },
      singleEffect((duplicate) => duplicate.concurrent, 'none'),
      inHistories('IDM-8'),
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
    applies: variable,
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
            yield ruling([one, slow], {
              verdict: fine
                ? 'holds'
                : one.answer.status === 429 || !inFlight || slow.exchange.answer === undefined
                  ? 'inconclusive'
                  : 'violated',
              expected: '409',
              actual: summary(one.exchange),
              because: fine
                ? 'The key was claimed.'
                : 'Another request under the key of a command in flight must be refused as a conflict.',
              ...(isAccepted(one.answer) && inFlight ? { conclusive: true } : {}),
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
                other !== one &&
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
            const same =
              isAccepted(one.answer) &&
              idOf(one.operation, one.answer) === idOf(first.operation, first.answer);
            const conflict = one.answer.status === 409 && context.declaration.G19 !== 'conflict';
            yield ruling([one, first], {
              verdict:
                same || conflict
                  ? 'violated'
                  : isAccepted(one.answer) || one.answer.status === 409
                    ? 'holds'
                    : 'inconclusive',
              expected,
              actual: summary(one.exchange),
              because: same
                ? 'A command with a key of its own got the result of another.'
                : conflict
                  ? 'A command with a key of its own is refused because of its content, and no business deduplication is declared (G19).'
                  : 'The second command was answered on its own.',
              ...(same ? { conclusive: true } : {}),
            });
          }
        },
      },
      inHistories('IDM-10'),
    ],
  },
  {
    code: 'IDM-11',
    level: 'derived',
    text: 'Keys are compared exactly: case, last character, long common beginnings, inner spaces.',
    source: limits2,
    explain: {
      test: 'Pairs of keys that differ in one detail are sent with different bodies.',
      violation: 'The second is taken for the first: keys are folded, cut off or hashed too short.',
      fix: 'Store the whole key and compare it byte by byte; refuse keys that are too long with 422.',
    },
    applies: variable,
    judges: [{ over: 'trace', rule: nearKeys }, { over: 'run', start: collisions }, inHistories('IDM-11')],
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
    applies: variable,
    judges: [
      { over: 'trace', rule: (context, trace) => foreignResult(context, trace, 'caller', 'scope') },
      inHistories('IDM-12'),
    ],
  },
  {
    code: 'IDM-13',
    level: 'derived',
    text: "The key of one operation never opens another operation's result.",
    source: {
      where: 'What the service does, 4',
      quote: 'Write operations (commands) use a unique idempotency key.',
    },
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
            (one) =>
              one !== throttled &&
              one.exchange.startedAt >= throttled.exchange.endedAt &&
              one.step.role === 'control',
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
            yield ruling([again, first], {
              verdict: fine ? 'holds' : status === undefined || status === 429 ? 'inconclusive' : 'violated',
              expected: '2xx, 409, or the stored failure (G12)',
              actual: summary(again.exchange),
              because: fine
                ? 'The retry is answered as the contract allows.'
                : 'The retry of a failed command is answered in a class that tells the client something else.',
            });
          }
        },
      },
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
          else
            yield ruling(on, {
              ...base,
              verdict: 'violated',
              because: 'The retry of a command whose answer was lost is refused in another class.',
            });
        },
      },
      singleEffect(({ first }) => find(first.step, 'lost-response') !== undefined, 'none'),
    ],
  },
  {
    code: 'IDM-17',
    level: 'derived',
    text: 'The same JSON written otherwise makes no second effect.',
    source: limits2,
    explain: {
      test: 'The body is sent again with its members in another order, with other white space, and with \\u escapes.',
      violation: 'A second record, or an answer other than the stored result or 409.',
      fix: 'Compare values, or refuse with 409.',
    },
    applies: variable,
    judges: [duplicateRule('form'), singleEffect((duplicate) => !duplicate.concurrent, 'form')],
  },
  {
    code: 'IDM-18',
    level: 'derived',
    text: 'The same caller with a refreshed token still makes one effect.',
    source: limits2,
    explain: {
      test: 'A command is sent again under its key with another token of the same identity.',
      violation: 'A second record: the token is part of the key.',
      fix: 'Make the identity part of the key, not the token.',
    },
    applies: commands,
    judges: [duplicateRule('token'), singleEffect(() => true, 'token')],
  },
  {
    code: 'IDM-19',
    level: 'derived',
    text: 'A key is still honoured after many other commands and some time.',
    source: limits2,
    explain: {
      test: 'Keys are used, other commands and seconds pass (as many as the budget says, open point G13), and the keys are used again.',
      violation: 'A second record, or another id.',
      fix: 'Keep keys for at least as long as clients may retry.',
    },
    applies: commands,
    judges: [duplicateRule('late'), singleEffect(() => true, 'late')],
  },
  {
    code: 'IDM-20',
    level: 'derived',
    text: 'Commands with other methods than POST deduplicate as well.',
    source: {
      where: 'What the service does, 4',
      quote: 'Write operations (commands) use a unique idempotency key.',
    },
    explain: {
      test: 'PUT, PATCH and DELETE commands are sent twice under one key.',
      violation: 'The second one runs again.',
      fix: 'Put deduplication before all commands.',
    },
    applies: otherMethods,
    judges: [duplicateRule('none'), singleEffect((duplicate) => !duplicate.concurrent, 'none')],
  },
  {
    code: 'IDM-21',
    level: 'derived',
    text: 'Reads do not demand a key.',
    source: { where: 'General shape rules', quote: 'Requires a unique `Idempotency-Key`' },
    explain: {
      test: 'Each read is sent without a key, and with one.',
      violation: 'It is refused without, and served with one.',
      fix: 'Demand the key of commands alone.',
    },
    applies: reads,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          const all = answered(context, trace).filter(
            (one) => one.operation.kind === 'read' && faultsOf(one.step).length === 0,
          );
          for (const one of all) {
            if (one.step.key.use !== 'none' || one.answer.status === 429) continue;
            const keyed = all.find(
              (other) =>
                other.step.controls === one.step.id &&
                other.step.key.use !== 'none' &&
                isAccepted(other.answer),
            );
            if (isAccepted(one.answer))
              yield ruling([one], {
                verdict: 'holds',
                expected: '2xx without a key',
                actual: summary(one.exchange),
                because: 'The read is served without a key.',
              });
            else if (keyed !== undefined && one.answer.status < 500)
              yield ruling([one, keyed], {
                verdict: 'violated',
                expected: '2xx without a key',
                actual: summary(one.exchange),
                because: 'The read is refused without a key and served with one.',
              });
          }
        },
      },
    ],
  },
  {
    code: 'IDM-22',
    level: 'derived',
    text: 'A key presented twice is refused, or has one effect.',
    source: limits2,
    explain: {
      test: 'Two Idempotency-Key lines, and one line with two values, are sent; the accepted command is sent again as it was.',
      violation: '5xx, or a second effect on the retry.',
      fix: 'Refuse a key that is given twice with 422.',
    },
    applies: commands,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          const doubled = answered(context, trace).filter(
            (one) => find(one.step, 'key')?.how === 'doubled' && find(one.step, 'credential') === undefined,
          );
          for (const one of doubled) {
            if (one.answer.status === 429) continue;
            const base = { expected: 'a refusal, or one effect', actual: summary(one.exchange) };
            const reuse = find(one.step, 'key-reuse');
            const first =
              reuse === undefined ? undefined : doubled.find((other) => other.step.id === reuse.of);
            if (one.answer.status >= 500) {
              const fine = seen(context, trace).some(
                (other) => other.step.controls === one.step.id && isAccepted(other.exchange.answer),
              );
              yield ruling([one], {
                ...base,
                verdict: fine ? 'violated' : 'inconclusive',
                because: 'The service fails where the client was at fault.',
              });
            } else if (
              first !== undefined &&
              isAccepted(first.answer) &&
              isAccepted(one.answer) &&
              idOf(one.operation, one.answer) !== idOf(first.operation, first.answer) &&
              creates(one.operation)
            )
              yield ruling([one, first], {
                ...base,
                verdict: 'violated',
                because: 'The same command with the same two keys was carried out twice.',
                conclusive: true,
              });
            else
              yield ruling([one], {
                ...base,
                verdict: 'holds',
                because: isAccepted(one.answer) ? 'Accepted under one key.' : 'Refused.',
              });
          }
        },
      },
    ],
  },
  {
    code: 'IDM-23',
    level: 'advisory',
    text: 'Odd keys never make the service fail.',
    source: { where: 'good practice', quote: 'unique string per command' },
    explain: {
      test: 'Keys of one character, of a kilobyte, with quotes and with other scripts are sent.',
      violation: '5xx.',
      fix: 'Refuse keys that you cannot store with 422.',
    },
    applies: commands,
    judges: [
      eachAnswer((one) => {
        if (only(one.step, 'key')?.how !== 'odd' || one.answer.status === 429) return undefined;
        return ruling([one], {
          verdict: one.answer.status >= 500 ? 'violated' : 'holds',
          expected: 'success or 4xx',
          actual: summary(one.exchange),
          because:
            one.answer.status >= 500 ? 'The service fails on a legal header value.' : 'Accepted or refused.',
        });
      }),
    ],
  },
  {
    code: 'IDM-24',
    level: 'derived',
    text: 'A query string or path noise on the retry never makes a second effect.',
    source: limits2,
    explain: {
      test: 'A command is sent again under its key with ?x=1 behind the path, and with a trailing slash.',
      violation: 'A second record.',
      fix: 'Bind the key to the operation, not to the text of the URL.',
    },
    applies: commands,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          for (const { first, again } of duplicates(context, trace, 'query')) {
            const original = first.exchange.answer;
            const { answer } = again.exchange;
            if (
              original === undefined ||
              answer === undefined ||
              !isAccepted(original) ||
              answer.status === 429
            )
              continue;
            const other =
              creates(first.operation) &&
              isAccepted(answer) &&
              idOf(again.operation, answer) !== idOf(first.operation, original);
            yield ruling([again, first], {
              verdict: other ? 'violated' : answer.status >= 500 ? 'inconclusive' : 'holds',
              expected: 'the stored result, 409, or a refusal of the path',
              actual: summary(again.exchange),
              because: other ? 'The noise made it a second command.' : 'No second result.',
              ...(other ? { conclusive: true } : {}),
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
    explain: {
      test: 'Every accepted duplicate of the run is compared with the declared result.',
      violation: 'No X-Request-Id, another media type, a body of another shape.',
      fix: 'Store and replay the whole result, and attach a request id.',
    },
    applies: commands,
    judges: [eachAnswer(typedReplay)],
  },
];

/** Another request under a key that an accepted command used. */
function mismatch(step: Step): boolean {
  return only(step, 'key-reuse')?.difference === 'request';
}

function firstAccepted(
  context: Parameters<typeof answered>[0],
  trace: Parameters<typeof answered>[1],
  step: Step,
): boolean {
  const of = find(step, 'key-reuse')?.of;
  return answered(context, trace).some((one) => one.step.id === of && isAccepted(one.answer));
}

/** True where the key was sent with another request between its first use and this duplicate. */
function afterMismatch(again: Step, steps: readonly Step[]): boolean {
  const at = steps.indexOf(again);
  const of = find(again, 'key-reuse')?.of;
  return steps.slice(0, at).some((step) => mismatch(step) && find(step, 'key-reuse')?.of === of);
}
