import type { Context, Ruling, WrittenClause } from '../model/clause.ts';
import type { Contract, Operation } from '../model/contract.ts';
import type { Trace } from '../model/exchange.ts';
import type { Step } from '../model/scenario.ts';
import { allowed, permits } from '../oracle/allowed.ts';
import { about } from './judging/about.ts';
import { overlapped } from './judging/race.ts';
import {
  type Answered,
  answered,
  faultsOf,
  holds,
  inconclusive,
  isAccepted,
  isFailed,
  isThrottled,
  keyName,
  only,
  type Seen,
  seen,
  undecided,
  violated,
} from './judging/reading.ts';
import { byResponses, refused } from './judging/rules.ts';

const stronger = {
  where: 'What the service does, 4; Authentication, 7',
  quote: 'Some also require a current version of the target or stronger verification.',
};

const verified = (_: Contract, operation: Operation): boolean => operation.verification !== undefined;

const isWithout = (step: Step): boolean =>
  ['absent', 'wrong'].includes(only(step, 'verification')?.how ?? '');

export const verificationClauses: readonly WrittenClause[] = [
  {
    code: 'STV-1',
    level: 'stated',
    text: 'Without the stronger verification the command is refused, without effect.',
    source: stronger,
    test: 'The command is sent without its verification, and with an arbitrary value.',
    violation: 'It is accepted, or the service fails.',
    fix: 'Demand the verification before the command runs (401, 403, 409 or 422: open point G4).',
    applies: verified,
    judges: [
      byResponses(about('verification').refusal(isWithout)),
      about('verification').noEffect(isWithout),
    ],
  },
  {
    code: 'STV-2',
    level: 'derived',
    text: "An altered or expired verification, another caller's, or one for another command is refused.",
    source: stronger,
    test: "The hook issues verifications that are expired, another caller's, or for another command. Each is sent. So are valid ones that were altered in one place, in case or in length.",
    violation: 'The command is accepted.',
    fix: 'Compare the whole verification, and bind it to caller, command and time.',
    applies: verified,
    judges: about('verification').refusal((step) => {
      const how = only(step, 'verification')?.how;
      return how === 'altered' || how === 'expired' || how === 'foreign' || how === 'other-command';
    }),
  },
  {
    code: 'STV-3',
    level: 'derived',
    text: 'With the stronger verification the command succeeds.',
    source: stronger,
    test: 'The hook issues a verification, and the command is sent with it.',
    violation: '403 or 401 to a command whose verification is valid, while another one succeeds.',
    fix: 'Accept every verification that the approved flow issues.',
    applies: verified,
    judges: { over: 'trace', rule: goodVerification },
  },
  {
    code: 'STV-4',
    level: 'derived',
    text: 'A single-use verification is refused for a second, different command.',
    source: stronger,
    test: 'A used verification is sent with another command. Above the quick budget, two commands also share a new one, and are sent at once.',
    violation: 'The command is accepted, or both of the two are.',
    fix: 'Use up the verification with the first command that it allows: check it and mark it as used in one atomic step.',
    applies: (_, operation) => operation.verification?.singleUse === true,
    judges: [
      { over: 'trace', needs: ['verification'], rule: spent },
      { over: 'trace', needs: ['verification'], rule: shared },
    ],
  },
];

/** The record of the accepted command may forbid a second one whatever verification comes with it. */
function* spent(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  for (const [at, one] of all.entries()) {
    if (one.step.role !== 'test' || only(one.step, 'verification')?.how !== 'used') continue;
    const ruling = refused(context, trace, one);
    const before = all
      .slice(0, at)
      .find(
        ({ exchange, operation }) =>
          operation.kind === 'command' &&
          isAccepted(exchange.answer) &&
          exchange.request.path === one.exchange.request.path,
      );
    yield ruling.verdict === 'violated' &&
    before !== undefined &&
    [404, 409, 410].includes(one.exchange.answer?.status ?? 0)
      ? inconclusive(
          [one, before],
          'A command on the same record was accepted before. The state that it left may forbid a second one.',
        )
      : ruling;
  }
}

/** Two commands of one wave with one verification: at most one of them is accepted. */
function* shared(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  for (const wave of trace.scenario.waves) {
    if (!('steps' in wave)) continue;
    const members = all.filter(
      ({ step }) => wave.steps.includes(step) && only(step, 'verification')?.how === 'shared',
    );
    if (members.length < 2) continue;
    const expected = 'one 2xx, the other refused';
    const actual = members.map(({ exchange }) => exchange.answer?.status ?? 'no response').join(', ');
    const accepted = members.filter(({ exchange }) => isAccepted(exchange.answer));
    const others = members.filter((one) => !accepted.includes(one));
    const doubt = doubtOf(context, members, accepted, others);
    if (doubt !== undefined) yield inconclusive(members, doubt);
    else if (accepted.length > 1)
      yield violated(members, {
        expected,
        actual,
        because: 'Two commands that were sent at once were accepted with one single-use verification.',
        conclusive: true,
      });
    // The one that was accepted shows that the verification was good.
    else
      yield holds([...accepted, ...others], {
        expected,
        actual,
        because: 'Of two commands that were sent at once with one verification, one was accepted.',
      });
  }
}

/** What keeps such a race from being judged, if anything does. */
function doubtOf(
  context: Context,
  members: readonly Seen[],
  accepted: readonly Seen[],
  others: readonly Seen[],
): string | undefined {
  const unclear = others.map(undecided).find((doubt) => doubt !== undefined);
  if (unclear !== undefined) return unclear;
  if (others.some(({ exchange }) => isFailed(exchange.answer)))
    return 'The service failed, which says nothing about the verification.';
  if (accepted.length === 0) return 'No command was accepted, so there was no winner.';
  if (!overlapped(members)) return 'The responses did not overlap in time, so there was no race.';
  if (accepted.length > 1)
    return accepted.some(({ exchange }) => exchange.answer?.status === 202)
      ? 'A command was only queued (202): its verification may be checked later.'
      : undefined;
  // A client that loses a race gets 409, in whatever class a used verification is refused.
  const used = (step: Step): Step => ({ ...step, deviations: [{ kind: 'verification', how: 'used' }] });
  return others.every(
    ({ exchange: { answer }, step }) =>
      answer?.status === 409 ||
      (answer !== undefined && permits(allowed(context, used(step)), answer.status) === 'yes'),
  )
    ? undefined
    : 'The other command was refused, but not as one whose verification is used up.';
}

/** Every valid command with a verification that the hook issued for it. */
function* goodVerification(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  const valid = answered(context, trace).filter(
    (one) =>
      one.operation.verification !== undefined && faultsOf(one.step).length === 0 && !isThrottled(one.answer),
  );
  for (const one of valid) {
    const { verification } = one.step;
    const alone =
      valid.every(
        (other) =>
          other === one ||
          (verification?.use === 'hook' &&
            other.step.verification?.use === 'hook' &&
            other.step.verification.step !== verification.step),
      ) &&
      // One that a refused command presented may be used up as well.
      all.every(
        (other) =>
          other.step.id === one.step.id ||
          JSON.stringify(other.step.verification) !== JSON.stringify(verification),
      );
    const other = valid.find(
      (each) =>
        each.operation.id === one.operation.id &&
        // Another caller may have no part in the target, or one that forbids the command.
        each.step.as === one.step.as &&
        isAccepted(each.answer) &&
        // Another body may name what is not there, or break a rule of the business.
        plainBody(trace, each) === plainBody(trace, one) &&
        JSON.stringify(each.step.target) !== JSON.stringify(one.step.target),
    );
    const expected = '2xx';
    if (isAccepted(one.answer)) yield holds([one], { expected, because: 'The verification is accepted.' });
    else if (isFailed(one.answer))
      yield inconclusive([one], 'The service failed, which says nothing about the verification.');
    else if (alone && other !== undefined && all.some((each) => mayHaveRun(each, one)))
      yield inconclusive(
        [one],
        'The same command may have run on this record before, or another one under this key. Its effect may forbid a second one.',
      );
    else if (alone && other !== undefined)
      yield violated([one, other], {
        expected,
        because:
          'The hook issued a verification for each of two commands on different target records. One was accepted, the other was refused.',
      });
    else
      yield inconclusive(
        [one],
        'The command was refused with an issued verification, but nothing shows that the verification is the reason.',
      );
  }
}

/** What a request has for a body, before a marker makes it one of its own. */
function plainBody({ scenario }: Trace, { step: { body } }: Seen): string {
  return JSON.stringify(
    body.use === 'named' ? [scenario.bodies[body.name] ?? body.name, body.edit ?? null] : body,
  );
}

/** Whether a request for the same command, on the same record or under the same key, sent before this one ended, was not refused, whatever was wrong with it. */
function mayHaveRun({ exchange, operation, step }: Seen, one: Answered): boolean {
  const { answer } = exchange;
  const key = keyName(one.step);
  return (
    exchange.id !== one.exchange.id &&
    exchange.startedAt < one.exchange.endedAt &&
    ((key !== undefined && keyName(step) === key) ||
      (operation.id === one.operation.id &&
        exchange.request.path.split('?')[0] === one.exchange.request.path.split('?')[0])) &&
    (answer === undefined || isAccepted(answer) || isFailed(answer))
  );
}
