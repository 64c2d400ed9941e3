import type { Context, Judge, Ruling } from '../../model/clause.ts';
import type { Contract, Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import type { Step, StepId } from '../../model/scenario.ts';
import { allowed, permits } from '../../oracle/allowed.ts';
import {
  type Answered,
  answered,
  controlOf,
  find,
  headerValues,
  holds,
  inconclusive,
  isAccepted,
  isControlled,
  isFailed,
  keyName,
  responseClass,
  type Seen,
  seen,
  unattributed,
  undecided,
  violated,
} from './reading.ts';

export type TraceJudge = Extract<Judge, { over: 'trace' }>;

/** A judge of a clause about effects that sees nothing but responses. */
export function byResponses<Kind extends Judge>(judge: Kind): Kind {
  return { ...judge, byResponses: true };
}

export const everywhere = (): boolean => true;
export const commands = (_: Contract, operation: Operation): boolean => operation.kind === 'command';
export const reads = (_: Contract, operation: Operation): boolean => operation.kind === 'read';
/** Operations that need a bearer token. The specification asks for a permission too, even where the document names none. */
export const guarded = (_: Contract, operation: Operation): boolean => operation.permissions !== undefined;
export const withBody = (_: Contract, operation: Operation): boolean =>
  operation.kind === 'command' && operation.body !== undefined;

/** Commands of which two requests can differ: by the body, or by the target. */
export const distinguishable = (_: Contract, operation: Operation): boolean =>
  operation.kind === 'command' && (operation.body !== undefined || operation.pathFields.length > 0);

export function eachAnswer(
  rule: (one: Answered, context: Context, trace: Trace) => Ruling | undefined,
): TraceJudge {
  return {
    over: 'trace',
    // Most of what is judged is judged here, and most of it has nothing to say: a list costs less than a generator.
    rule(context, trace) {
      const found: Ruling[] = [];
      for (const one of answered(context, trace)) {
        const ruling = rule(one, context, trace);
        if (ruling !== undefined) found.push(ruling);
      }
      return found;
    },
  };
}

/** Why a response in another class may have a cause besides the deviation; undefined where it has none. */
type OtherCause = (context: Context, trace: Trace, one: Answered) => string | undefined;

/** A success proves a violation; a wrong class needs a control, so that only the deviation can have caused it. */
export function refusal(
  matches: (step: Step, context: Context, trace: Trace) => boolean,
  otherCause?: OtherCause,
): TraceJudge {
  return {
    over: 'trace',
    rule(context, trace) {
      const found: Ruling[] = [];
      for (const one of seen(context, trace))
        if (one.step.role === 'test' && matches(one.step, context, trace))
          found.push(refused(context, trace, one, otherCause));
      return found;
    },
  };
}

export function refused(context: Context, trace: Trace, one: Seen, otherCause?: OtherCause): Ruling {
  const rule = allowed(context, one.step);
  const expected = rule.words;
  const { answer } = one.exchange;
  const doubt = undecided(one);
  if (answer === undefined || doubt !== undefined) return inconclusive([one], doubt ?? '');
  const permitted = permits(rule, answer.status);
  // A service that refuses everything refuses this as well.
  if (permitted !== 'no' && !isAccepted(answer) && !isControlled(context, trace, one))
    return inconclusive([one], unattributed);
  if (permitted === 'yes')
    return holds([one], { expected, because: 'The response is one that the contract allows.' });
  if (permitted === 'tolerated')
    return holds([one], {
      expected,
      because: isAccepted(answer)
        ? 'The request was accepted, which is tolerated.'
        : 'The response is a refusal in another class than the expected one, which is tolerated.',
      advisory: `returned ${answer.status} where ${expected} is expected`,
    });
  if (isAccepted(answer) && tookForHead(one))
    return holds([one], {
      expected,
      because: 'The service took the request for HEAD, as a header asked, and its response shows nothing.',
      advisory: `returned ${answer.status} without a body where ${expected} is expected`,
    });
  if (isAccepted(answer))
    return violated([one], {
      expected,
      because: 'The request must be refused, but it was accepted.',
      conclusive: true,
    });
  // A 401 to a fault of the credential was allowed above.
  if (answer.status === 401 && !context.proven.has(one.step.as))
    return inconclusive(
      [one],
      `The token of principal '${one.step.as}' was accepted nowhere, so its 401 may mean that the token is not valid; give it a permission that some operation of the contract needs, and declare it.`,
    );
  const cause = isFailed(answer) ? undefined : otherCause?.(context, trace, { ...one, answer });
  if (cause !== undefined) return inconclusive([one], cause);
  if (controlOf(context, trace, one.step.id) === 'accepted')
    return violated([one], {
      expected,
      because:
        'The same request without the client error was accepted. So the error alone caused this response, and the contract asks for another status.',
    });
  return inconclusive([one], unattributed);
}

/** Whether a read asked for another method in a header, and got the empty response to HEAD: some routers send it by themselves. */
export function tookForHead({ exchange: { answer, request }, operation, step }: Seen): boolean {
  const noise = find(step, 'header-noise');
  return (
    noise !== undefined &&
    operation.method === 'GET' &&
    headerValues(request.headers, noise.header).includes('HEAD') &&
    answer?.bodyBytes === 0
  );
}

const isFor = ({ step }: Seen, test: StepId): boolean => step.controls === test || step.controls === '*';

/** The request made valid is accepted under the key of the refused one: where only a new key helps, it was occupied. */
export function leavesKeyFree(matches: (step: Step) => boolean): TraceJudge {
  return {
    over: 'trace',
    *rule(context, trace) {
      const all = seen(context, trace);
      for (const test of all) {
        const name = keyName(test.step);
        if (test.step.role !== 'test' || name === undefined || !matches(test.step)) continue;
        if (responseClass(test.exchange.answer) !== 'refused') continue;
        const later = all.slice(all.indexOf(test) + 1);
        // Sent again after the one under another key, it shows that time alone did not help that one.
        const same = later.findLast((one) => isFor(one, test.step.id) && keyName(one.step) === name);
        if (same === undefined) continue;
        // An accepted request uses up the key as well.
        const before = all.slice(0, all.indexOf(same)).filter((one) => keyName(one.step) === name);
        if (before.some((one) => responseClass(one.exchange.answer) !== 'refused')) continue;
        const other = later.find(
          (one) =>
            (isFor(one, test.step.id) || one.step.controls === same.step.id) &&
            ![name, undefined].includes(keyName(one.step)),
        );
        const on = [same, test];
        const expected = '2xx to the valid request under the same key';
        const doubt = undecided(same);
        if (isAccepted(same.exchange.answer))
          // Of an effect the key says nothing.
          yield holds(on, { expected, because: 'The refused request left its key free.', idsOnly: true });
        else if (doubt !== undefined) yield inconclusive(on, doubt);
        else if (same.exchange.earlier.length > 0)
          yield inconclusive(
            on,
            'The valid request had to be sent again, and its first attempt may have occupied the key.',
          );
        else if (other !== undefined && isAccepted(other.exchange.answer))
          yield violated([...on, other], {
            expected,
            because:
              'The valid request was refused under the key of the refused one, but accepted under another key. So the refused request had used up its key.',
          });
        else
          yield inconclusive(
            on,
            'The valid request was not accepted under the key of the refused attempt, nor under another one.',
          );
      }
    },
  };
}
