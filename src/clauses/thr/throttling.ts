import type { Context, Ruling, WrittenClause } from '../../model/clause.ts';
import { isDeclared } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { asDeclared } from '../judging/declared.ts';
import {
  type Answered,
  answered,
  find,
  holds,
  inconclusive,
  isAccepted,
  isDecided,
  isFailed,
  isThrottled,
  notTested,
  seen,
  summary,
  violated,
} from '../judging/reading.ts';
import { everywhere } from '../judging/rules.ts';
import { emptiedLists } from './emptied-lists.ts';
import { throttledWithoutEffect } from './throttled-without-effect.ts';
import { guidance, guided, isLostInBurst, lostThere, throttled } from './wait-guidance.ts';

const limits1 = {
  where: 'Limits, 1',
  quote: 'The service throttles senders that go too fast and answers `429`',
};

function burst(context: Context, trace: Trace): readonly Answered[] {
  return answered(context, trace).filter((one) => find(one.step, 'pace') !== undefined);
}

/** The same, operation by operation: an episode may reach the limit with one and meet it with another. */
function byOperation(sent: readonly Answered[]): readonly (readonly Answered[])[] {
  const groups = new Map<string, Answered[]>();
  for (const one of sent) {
    const group = groups.get(one.operation.id) ?? [];
    groups.set(one.operation.id, group);
    group.push(one);
  }
  return [...groups.values()];
}

/** Requests that were sent after the guidance of the throttled one before them had been honoured, in order. */
function honoured(context: Context, trace: Trace): readonly Answered[] {
  const all = answered(context, trace);
  return all.filter(
    (one) =>
      one.step.role === 'control' &&
      find(one.step, 'pace') !== undefined &&
      all.some(
        (early) =>
          isThrottled(early.answer) &&
          early.operation.id === one.operation.id &&
          early.exchange.endedAt <= one.exchange.startedAt,
      ),
  );
}

/** Whether a request was sent no earlier than the 429 before it asks for; the longest wait of the engine cuts it short. */
function waited(context: Context, limited: Answered, next: Answered): boolean {
  const { wait } = guided(context, limited);
  const rounding = 1;
  return (
    wait === undefined ||
    next.exchange.startedAt - limited.exchange.endedAt >= wait * 1000 - rounding ||
    !isThrottled(limited.answer)
  );
}

export const throttlingClauses: readonly WrittenClause[] = [
  {
    code: 'THR-1',
    level: 'stated',
    text: 'Sending too fast returns 429.',
    source: limits1,
    test: 'A principal sends distinct valid commands as fast as the budget of the throttling suite allows, until it is throttled.',
    violation:
      'No 429 although the vendor declared a limit that was exceeded, or a 429 from a service that is declared as unthrottled. If no limit is declared and none is reached, the clause is not-tested.',
    fix: 'Throttle at the declared rate, with 429.',
    applies: (_, operation) => operation.kind === 'command',
    judges: [
      {
        over: 'trace',
        needs: ['pace'],
        *rule(context, trace) {
          const tests = burst(context, trace).filter((one) => one.step.role === 'test');
          for (const sent of byOperation(tests)) yield* reached(context, trace, sent, tests);
        },
      },
      asDeclared('G8', { conclusive: true }),
    ],
  },
  {
    code: 'THR-4',
    level: 'derived',
    text: 'After the guided wait the request is accepted.',
    source: guidance,
    test: 'After a 429 nothing is sent for the guided time and a margin (250 ms or 5%, one second more for a date). Then exactly one request is sent.',
    violation: 'It is throttled again: after two separate waits, or three times in a row.',
    fix: 'Compute the wait until the next request will be accepted, and round it up.',
    applies: everywhere,
    judges: {
      over: 'trace',
      needs: ['pace'],
      *rule(context, trace) {
        const waits = honoured(context, trace);
        const [first] = waits;
        if (first === undefined) return;
        const limited = throttled(context, trace).findLast(
          (one) =>
            one.operation.id === first.operation.id && one.exchange.endedAt <= first.exchange.startedAt,
        );
        if (limited === undefined || guided(context, limited).wait === undefined) {
          yield inconclusive(
            limited === undefined ? [first] : [limited, first],
            'The 429 gives no time that a client could honour, so the wait is untested.',
          );
          return;
        }
        const asked = guided(context, limited).wait ?? 0;
        if (!waited(context, limited, first)) {
          const passed = first.exchange.startedAt - limited.exchange.endedAt;
          const sooner = `The 429 asks to wait ${Math.ceil(asked)} s, and the next request was sent after ${Math.round(passed / 1000)} s.`;
          yield inconclusive(
            [limited, first],
            isAccepted(first.answer) && asked >= likelyMilliseconds && passed >= asked
              ? `${sooner} It was accepted: the time may be in milliseconds. Give Retry-After in seconds.`
              : `${sooner} Raise throttling.maxWaitSeconds, or lower the limit for the test.`,
          );
          return;
        }
        const again = waits.filter(
          (one, index) =>
            isThrottled(one.answer) && (index === 0 || waited(context, waits[index - 1] ?? first, one)),
        );
        const other = seen(context, trace).find(
          (one) =>
            one.operation.id === first.operation.id &&
            one.step.role === 'control' &&
            find(one.step, 'pace') === undefined &&
            one.exchange.startedAt >= first.exchange.endedAt,
        );
        const isServed = other !== undefined && isAccepted(other.exchange.answer);
        const expected = '2xx after the guided wait';
        if (isAccepted(first.answer))
          yield holds([first], { expected, because: 'The request was accepted after the guided wait.' });
        else if (!isThrottled(first.answer))
          yield inconclusive(
            [first],
            'After the guided wait the request was refused or failed, but not with 429.',
          );
        // Only another key that is accepted at once speaks of keys: one that had to wait was throttled as well.
        else if (isServed && !other.exchange.earlier.some(({ answer }) => isThrottled(answer)))
          yield inconclusive(
            [first, other],
            'A request under another key was accepted, so the key was occupied, and the caller was not throttled (IDM-14).',
          );
        else if (
          other !== undefined &&
          !isServed &&
          !isDecided(other.exchange.answer) &&
          !isThrottled(other.exchange.answer)
        )
          yield inconclusive(
            [first, other],
            'The request under another key got no response, or failed, so the key may be occupied (IDM-14).',
          );
        else
          yield violated(waits, {
            expected,
            actual: waits.map((one) => one.answer.status).join(', '),
            because: 'The guided wait was honoured, but the next request was throttled again.',
            conclusive: again.length >= 3,
          });
      },
    },
  },
  {
    code: 'THR-5',
    level: 'derived',
    text: '429 has no effect.',
    source: limits1,
    test: 'An independent read looks for records of the throttled commands.',
    violation: 'A record exists although the response was 429.',
    fix: 'Throttle before the command runs.',
    applies: (_, operation) => operation.kind === 'command',
    judges: throttledWithoutEffect(),
  },
  {
    code: 'THR-6',
    level: 'derived',
    text: 'Throttling is always reported as 429.',
    source: {
      where: 'Errors, rule 1',
      quote:
        'Clients treat authentication, permission, conflict, validation, throttling, and service failures as separate classes.',
    },
    test: 'Requests that are accepted one by one are sent in a burst. If they are refused there, and accepted again after a rest, they were throttled. A list is read before the burst, in it, and after a rest.',
    violation:
      '403, 503 or 200 with an error in place of 429, or an empty page of a list that shows the same record before and after.',
    fix: 'Set the status of the limiter to 429.',
    applies: everywhere,
    judges: [
      {
        over: 'trace',
        needs: ['pace'],
        *rule(context, trace) {
          const tests = burst(context, trace).filter((one) => one.step.role === 'test');
          for (const sent of byOperation(tests)) yield* reportedAs(context, trace, sent, tests);
        },
      },
      { over: 'trace', needs: ['pace'], rule: emptiedLists },
    ],
  },
  {
    code: 'THR-7',
    level: 'advisory',
    text: 'One integration cannot exhaust the rate of another.',
    source: { where: 'Errors table, 429', quote: 'Integration sends too quickly' },
    test: 'While one principal is throttled, another one sends a single request.',
    violation: 'It is throttled as well: the principals share one limit.',
    fix: 'Count requests for each credential.',
    applies: (_, operation) => operation.kind === 'command',
    judges: {
      over: 'trace',
      needs: ['pace'],
      *rule(context, trace) {
        const sent = throttled(context, trace).filter((one) => find(one.step, 'pace') !== undefined);
        for (const [limited] of byOperation(sent))
          for (const one of answered(context, trace)) {
            if (limited === undefined || one.step.role !== 'readback' || one.step.as === limited.step.as)
              continue;
            const operation = limited.operation.id;
            const expected = 'no 429 to another integration';
            const mixed = answered(context, trace).some(
              (other) =>
                other.step.role === 'readback' &&
                other.step.as === one.step.as &&
                isThrottled(other.answer) !== isThrottled(one.answer),
            );
            if (mixed)
              yield inconclusive(
                [one, limited],
                'Only some requests of another credential were throttled. That credential may have reached its own limit.',
              );
            else if (isThrottled(one.answer))
              yield violated([one, limited], {
                operation,
                expected,
                because: 'Another credential was throttled as well.',
              });
            else if (
              isAccepted(one.answer) &&
              !sent.some(
                ({ exchange, step }) =>
                  step.as === limited.step.as && exchange.endedAt >= one.exchange.startedAt,
              )
            )
              yield inconclusive(
                [one, limited],
                'Another credential was served, but only after the last 429: the limit may have recovered.',
              );
            else if (isAccepted(one.answer))
              yield holds([one, limited], {
                operation,
                expected,
                because: 'Another credential was served.',
              });
            else
              yield inconclusive(
                [one, limited],
                'The request of another credential was neither accepted nor throttled.',
              );
          }
      },
    },
  },
];

/** As a number of seconds it is a quarter of an hour, as one of milliseconds a usual wait. */
const likelyMilliseconds = 900;

const neverAccepted =
  'No request of the burst was accepted, nor one after the guided wait, so nothing shows that its pace caused the 429.';

/** Whether the burst was the cause: a request of it was accepted, or the same one after the guided wait. */
function isPace(context: Context, trace: Trace, refusal: Answered, tests: readonly Answered[]): boolean {
  return [...tests, ...honoured(context, trace)].some(
    (one) =>
      isAccepted(one.answer) &&
      (one.step.role === 'test' ||
        (one.operation.id === refusal.operation.id && one.step.as === refusal.step.as)),
  );
}

/** Whether the requests of one operation, among all of the burst, were throttled. */
function* reached(
  context: Context,
  trace: Trace,
  sent: readonly Answered[],
  tests: readonly Answered[],
): Iterable<Ruling> {
  const [first] = sent;
  if (first === undefined) return;
  const refusal = sent.find((one) => isThrottled(one.answer));
  const seconds = (Math.max(...sent.map((one) => one.exchange.endedAt)) - first.exchange.startedAt) / 1000;
  const said = `${sent.length} requests in ${seconds.toFixed(1)} s`;
  if (refusal !== undefined)
    yield isPace(context, trace, refusal, tests)
      ? holds([refusal], {
          expected: '429',
          actual: `429 within ${said}`,
          because: 'The caller was throttled.',
        })
      : inconclusive([refusal], neverAccepted);
  else if (tests.some((one) => !isAccepted(one.answer))) return;
  else if (exceeded(context, sent))
    yield violated([first, ...sent.slice(-1)], {
      expected: `429 beyond ${JSON.stringify(context.declared.written.G8)} (declared)`,
      actual: `${said}, none throttled`,
      because: 'The declared limit was exceeded without a 429.',
    });
  else
    yield notTested(
      [first],
      `The limit was not reached (${said}, none throttled): take a larger budget (quick sends 100 requests at most), raise throttling.maxRequests, or declare the limit (throttling.limit, or G8: unthrottled).`,
    );
}

/** How one operation reported that the pace was too fast, among all requests of the burst. */
function* reportedAs(
  context: Context,
  trace: Trace,
  sent: readonly Answered[],
  tests: readonly Answered[],
): Iterable<Ruling> {
  const odd = sent.filter((one) => !isThrottled(one.answer) && !isDeclared(one.operation, one.answer.status));
  const limited = sent.filter((one) => isThrottled(one.answer));
  const rested = answered(context, trace).some(
    (one) =>
      one.step.role === 'control' &&
      one.operation.id === sent[0]?.operation.id &&
      isDeclared(one.operation, one.answer.status),
  );
  const [first] = odd;
  const expected = '429 to a caller that sends too fast';
  if (first === undefined) {
    const [refusal] = limited;
    if (refusal !== undefined)
      yield isPace(context, trace, refusal, tests)
        ? holds([refusal], { expected, because: 'Throttling is reported as 429.' })
        : inconclusive([refusal], neverAccepted);
    return;
  }
  // A service, or a gateway before it, may fail at any pace.
  const failed = odd.every((one) => isFailed(one.answer));
  if (limited.length > 0 && failed && tests.some((one) => isAccepted(one.answer))) {
    yield holds([first], {
      expected,
      because: 'Throttling is reported as 429.',
      advisory: `${first.answer.status} was returned next to 429 in the burst, perhaps by a gateway`,
    });
    return;
  }
  // A sender that goes too fast is refused more often than not from then on; what passes at that pace was not too fast.
  const after = sent.filter((one) => one.exchange.startedAt > first.exchange.endedAt);
  if (failed && after.filter((one) => isAccepted(one.answer)).length > after.length / 2)
    yield inconclusive(
      [first],
      'Most later requests at the same pace were accepted, so the pace was not the cause.',
    );
  else if (failed && isLostInBurst(context, trace, first)) yield inconclusive([first], lostThere);
  else if (rested && tests.some((one) => isAccepted(one.answer)))
    yield violated(odd.slice(0, 4), {
      expected,
      actual: `${summary(first.exchange)} (${odd.length} of ${sent.length} requests of the burst)`,
      because:
        'Such a request was accepted before the burst and after a rest. So the pace alone caused this refusal, and it is not 429.',
    });
  else yield inconclusive(odd.slice(0, 4), 'Nothing shows that the pace caused this response.');
}

/** True where more requests than the declared limit got a response within its window. */
function exceeded({ declared }: Context, sent: readonly Answered[]): boolean {
  if (declared.G8.rate === undefined) return false;
  const { perSeconds, requests } = declared.G8.rate;
  const starts = sent.map((one) => one.exchange.startedAt).sort((one, other) => one - other);
  return starts.some((start, index) => {
    const last = starts[index + requests];
    return last !== undefined && last - start < perSeconds * 1000;
  });
}
