import type { Context, Ruling, WrittenClause } from '../model/clause.ts';
import type { Trace } from '../model/exchange.ts';
import { excludeEachOther } from '../model/exclusive-commands.ts';
import type { Json } from '../model/json.ts';
import type { Step } from '../model/scenario.ts';
import { about } from './judging/about.ts';
import { commandBefore, notForbidden } from './judging/command-before.ts';
import { overlapped } from './judging/race.ts';
import {
  answered,
  faultsOf,
  holds,
  inconclusive,
  isAccepted,
  isControlled,
  jsonOf,
  notApplicable,
  only,
  type Seen,
  sameTarget,
  seen,
  violated,
} from './judging/reading.ts';
import { unreadable } from './judging/result-headers.ts';
import { eachAnswer, refused, type TraceJudge } from './judging/rules.ts';
import { unread } from './judging/unread.ts';

const rule4 = {
  where: 'POST /cases, rule 4; Errors table, 409',
  quote: 'When the request conflicts with state, version, idempotency, or approval, the result is `409`.',
};

function hasText(value: Json): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return value !== null && Object.values(value).some(hasText);
}

const forbidden: TraceJudge = {
  over: 'trace',
  byResponses: true,
  needs: ['conflict'],
  *rule(context, trace) {
    for (const one of seen(context, trace)) {
      if (one.step.role !== 'test' || only(one.step, 'conflict') === undefined) continue;
      yield withoutTarget(context, trace, one) ??
        beforeItsTime(context, trace, one) ??
        refused(context, trace, one);
    }
  },
};

/** Commands of which each forbids the other were sent at once: in whichever order, the second one conflicts. */
const atOnce: TraceJudge = {
  over: 'trace',
  byResponses: true,
  needs: ['together'],
  *rule(context, trace) {
    for (const wave of trace.scenario.waves) {
      if (!('steps' in wave) || wave.steps.length < 2) continue;
      const valid = answered(context, trace).filter(
        ({ operation, step }) =>
          wave.steps.includes(step) && operation.conflict !== undefined && faultsOf(step).length === 0,
      );
      for (const [index, one] of valid.entries())
        for (const other of valid.slice(index + 1)) {
          if (!excludeEachOther(one.operation, other.operation) || !areApart(one.step, other.step)) continue;
          const both = [other, one];
          const expected = 'one 2xx, the other 409';
          const statuses = both.map(({ answer }) => answer.status);
          const actual = statuses.join(', ');
          // Of a command that is only queued (202), nothing says yet what became of it.
          if (both.every(({ answer }) => isAccepted(answer) && answer.status !== 202))
            yield violated(both, {
              expected,
              actual,
              because: 'Both were accepted. In either order, the state forbids the second one.',
              conclusive: true,
            });
          else if (
            statuses.includes(409) &&
            both.some(({ answer }) => isAccepted(answer)) &&
            overlapped(both)
          )
            yield holds(both, { expected, actual, because: 'One was accepted, the other is a conflict.' });
        }
    }
  },
};

/** Commands of their own on one target. */
function areApart(one: Step, other: Step): boolean {
  return sameTarget(one, other) && JSON.stringify(one.key) !== JSON.stringify(other.key);
}

const isAbsent = (one: Seen): boolean => [404, 410].includes(one.exchange.answer?.status ?? 0);

/** What was to forbid the command may have removed its target: who says that there is none reports no conflict. */
function withoutTarget(context: Context, trace: Trace, one: Seen): Ruling | undefined {
  const unsent = one.exchange.noAnswer?.reason === 'harness';
  if (!isAbsent(one) && !unsent) return undefined;
  const all = seen(context, trace);
  const on = all.filter(({ step }) => sameTarget(step, one.step));
  const provoking = commandBefore(context, trace, one);
  const reads = on.filter(
    (other) =>
      other.operation.kind === 'read' && other.exchange.startedAt >= (provoking?.exchange.endedAt ?? 0),
  );
  if (reads.some(({ exchange }) => isAccepted(exchange.answer))) return undefined;
  const after = one.operation.conflict?.after ?? 'the command before';
  const gone = reads.find(isAbsent);
  if (gone !== undefined || provoking?.operation.method === 'DELETE')
    return inconclusive(
      gone === undefined ? [one] : [one, gone],
      `After ${after} the target record is gone, which is not a conflict of state. Under conflict.after, name a command that leaves the record in place.`,
    );
  return unsent
    ? undefined
    : inconclusive(
        [one],
        `Nothing shows whether the target record is still there after ${after}; name a read of it under effect.read.`,
      );
}

function beforeItsTime(context: Context, trace: Trace, one: Seen): Ruling | undefined {
  const doubt = notForbidden(context, trace, one);
  return doubt === undefined ? undefined : inconclusive(doubt.on, doubt.because);
}

function conflicts(context: Context, trace: Trace): readonly Seen[] {
  return seen(context, trace).filter(({ step }) => only(step, 'conflict') !== undefined);
}

/** Where other values of the same command are a conflict as well, they show whether it wrote. */
const keptOtherwise = about('conflict').noEffect(
  (step, { status }, context, trace) =>
    faultsOf(step).length === 0 && status === 409 && conflicts(context, trace).length > 0,
  (context, trace) => conflicts(context, trace).some((one) => isControlled(context, trace, one)),
);

const saysWhich = 'a body that says which conflict it is';

export const conflictClauses: readonly WrittenClause[] = [
  {
    code: 'CNF-1',
    level: 'stated',
    text: 'A conflict of state or approval returns 409 and has no effect.',
    source: rule4,
    test: 'First, the command that `conflict.after` names puts the record into a state that forbids the command under test. Then that command is sent. Commands that forbid each other are also sent in parallel.',
    violation: 'Another class, or a success that does nothing.',
    fix: 'Check the state in the transaction of the command, and return 409.',
    applies: (_, operation) => operation.conflict !== undefined,
    judges: [
      forbidden,
      atOnce,
      about('conflict').noEffect((step) => only(step, 'conflict') !== undefined),
      keptOtherwise,
    ],
  },
  {
    code: 'CNF-2',
    level: 'derived',
    text: 'A 409 says which conflict it is.',
    source: {
      where: 'Errors table, 409',
      quote: 'Read the conflict and reconcile before sending another command',
    },
    test: 'The body of every 409 of the run must hold at least one text.',
    violation: 'An empty body, or one that is not what its Content-Encoding or its Content-Length says.',
    fix: 'Name the conflict in the body.',
    applies: (_, operation) => operation.kind === 'command',
    judges: [
      {
        over: 'run',
        start: unread({
          isOf: (status, { operation }) => status === 409 && operation.kind === 'command',
          expected: saysWhich,
        }),
      },
      eachAnswer((one) => {
        if (one.answer.status !== 409) return notApplicable;
        const body = jsonOf(one.answer);
        const expected = saysWhich;
        const coded = unreadable(one, expected);
        if (coded !== undefined) return coded;
        return (body === undefined ? one.answer.body.trim() !== '' : hasText(body))
          ? holds([one], { expected, because: 'The conflict is described.' })
          : violated([one], {
              expected,
              because: 'The body has no text, so the client cannot know which conflict it is.',
            });
      }),
    ],
  },
];
