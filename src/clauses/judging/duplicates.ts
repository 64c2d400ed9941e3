import type { Context, Ruling } from '../../model/clause.ts';
import { creates } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { valueAt } from '../../model/json.ts';
import { bulkOf, listOfMade, makesWithin } from '../../model/listed.ts';
import type { ResponseClass } from '../../model/response.ts';
import { isIdInHeader } from '../../model/result-id.ts';
import { returnedSuccess } from '../../model/returned-form.ts';
import type { KeyReuse, Name, Step } from '../../model/scenario.ts';
import { sameState } from '../../oracle/record-state.ts';
import { countedOnce } from './counted-effects.ts';
import { areSure, type EffectsJudge, effectsOf, idsReturned, unfinishedRead } from './effects.ts';
import { unmoved } from './left-as-read.ts';
import { listedOnce, mostMade } from './listed-effects.ts';
import { overlapped } from './race.ts';
import {
  type Answered,
  answered,
  bodyName,
  doubted,
  faultsOf,
  find,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isControlled,
  jsonOf,
  keyName,
  markerOf,
  notTested,
  only,
  responseClass,
  type Seen,
  sameTarget,
  seen,
  summary,
  unattributed,
  undecided,
  violated,
} from './reading.ts';
import { resultErrors } from './result-errors.ts';
import { mediaTypeProblem, miscoding, missingHeader } from './result-headers.ts';
import { noIdIn } from './results.ts';
import type { TraceJudge } from './rules.ts';
import { likeTwin } from './versions.ts';

export type Difference = KeyReuse['difference'];

/** A step that sends a used key, and the exchange that used it first. */
export type Duplicate = {
  readonly first: Seen;
  readonly again: Seen;
  readonly difference: Difference;
  readonly concurrent: boolean;
};

/** Every step that differs from an accepted or unanswered first one in nothing but the given ways. */
export function duplicates(
  context: Context,
  trace: Trace,
  ...differences: readonly Difference[]
): readonly Duplicate[] {
  const all = seen(context, trace);
  const found: Duplicate[] = [];
  for (const again of all) {
    const reuse = find(again.step, 'key-reuse');
    if (reuse === undefined || !differences.includes(reuse.difference) || faultsOf(again.step).length !== 1)
      continue;
    const first = all.find((one) => one.step.id === reuse.of);
    if (first === undefined) continue;
    const concurrent = together(trace, first.step, again.step);
    found.push({ first, again, difference: reuse.difference, concurrent });
  }
  return found;
}

function together(trace: Trace, one: Step, other: Step): boolean {
  return trace.scenario.waves.some(
    (wave) => 'steps' in wave && wave.steps.includes(one) && wave.steps.includes(other),
  );
}

/** Judges the response to a duplicate of an accepted command: the stored result (2xx, same ID), or 409 (G1). */
export function duplicateAnswer(context: Context, trace: Trace, duplicate: Duplicate): Ruling | undefined {
  const { first, again } = duplicate;
  const original = first.exchange.answer;
  if (original === undefined || !isAccepted(original)) return undefined;
  // What is declared is about equal requests: other bytes may be another request to the service.
  const declared = duplicate.difference === 'form' ? undefined : context.declared.G1;
  const id = idOf(first.operation, original);
  const expected =
    declared === 'replay'
      ? `2xx with ID ${id} (declared, G1)`
      : declared === 'conflict'
        ? '409 (declared, G1)'
        : `2xx with ID ${id}, or 409 (G1)`;
  const on = [again, first];
  const doubt = undecided(again);
  const { answer } = again.exchange;
  if (answer === undefined || doubt !== undefined) return inconclusive(on, doubt ?? '');
  if (isAccepted(answer)) {
    const second = idOf(again.operation, answer);
    // Without an ID in the first result (an empty body, say) there is nothing to compare.
    const nothing = id === undefined || (second === undefined && isIdInHeader(first.operation, original));
    const isShown = original.body !== '' && answer.body !== '';
    if (id === undefined && creates(first.operation) && isShown && !sameState(first, again))
      return inconclusive(on, `The results differ. ${noIdIn(first.operation)}`);
    if (nothing || second === id)
      return declared === 'conflict'
        ? violated(on, { expected, because: 'The vendor declared that duplicates return 409 (G1).' })
        : holds(on, {
            expected,
            because: nothing
              ? 'The duplicate was accepted. The results have no ID to compare.'
              : 'The duplicate got the stored result.',
          });
    return violated(on, {
      expected,
      because: `The duplicate was accepted with ${second === undefined ? 'no ID' : `another ID, ${second}`}: it is not the result of the first command.`,
      conclusive: true,
    });
  }
  if (answer.status === 409)
    return declared === 'replay'
      ? violated(on, {
          expected,
          because: 'The vendor declared that duplicates replay the stored result (G1).',
        })
      : holds(on, {
          expected,
          because: 'The duplicate is refused as a conflict.',
          advisory: mixed(context, trace, duplicate),
        });
  return violated(on, {
    expected,
    because: `The first command was accepted, but its duplicate returned ${answer.status}.`,
  });
}

/** Mixed responses to byte-identical, finished, sequential duplicates of one caller are worth a word (G1). */
function mixed(context: Context, trace: Trace, duplicate: Duplicate): string | undefined {
  if (duplicate.difference !== 'none') return undefined;
  const others = duplicates(context, trace, 'none').filter(
    (other) => other.first === duplicate.first && !other.concurrent,
  );
  return others.some((other) => isAccepted(other.again.exchange.answer))
    ? 'some duplicates of finished commands return the stored result, others 409'
    : undefined;
}

/** Whether duplicates had an effect of their own, as far as their responses show it. */
export function duplicateRule(...differences: readonly Difference[]): TraceJudge {
  return {
    byResponses: true,
    over: 'trace',
    needs: differences.map((difference) => `again-${difference}` as const),
    *rule(context, trace) {
      for (const duplicate of duplicates(context, trace, ...differences)) {
        if (duplicate.concurrent) continue;
        const found = duplicateAnswer(context, trace, duplicate);
        if (found !== undefined) yield found;
      }
    },
  };
}

/** At most one effect of all steps that share a key and a request. */
export function singleEffect(
  matches: (duplicate: Duplicate, context: Context, trace: Trace) => boolean,
  ...differences: readonly Difference[]
): EffectsJudge {
  return {
    over: 'effects',
    needs: differences.map((difference) => `again-${difference}` as const),
    *rule(context, trace) {
      const done = new Set<Name | undefined>();
      const all = duplicates(context, trace, ...differences).filter((one) => matches(one, context, trace));
      const tried = (found: Ruling, duplicate: Duplicate): Ruling =>
        found.verdict === 'holds' && !isTried(all, duplicate) ? doubted(found, neverTwice) : found;
      for (const duplicate of all) {
        const name = bodyName(duplicate.first.step);
        if (!creates(duplicate.first.operation)) {
          const found =
            listedOnce(context, trace, duplicate) ??
            listedByMarker(context, trace, duplicate) ??
            countedOnce(context, trace) ??
            likeTwin(context, trace, duplicate) ??
            unmoved(context, trace, duplicate);
          const twice = found?.verdict === 'violated' ? undefined : acknowledgedTwice(context, duplicate);
          if (twice !== undefined) yield twice;
          else if (found !== undefined) yield tried(found, duplicate);
          continue;
        }
        const group = name ?? keyName(duplicate.first.step);
        if (done.has(group)) continue;
        done.add(group);
        yield tried(countOfEffects(context, trace, name, duplicate), duplicate);
      }
    },
  };
}

const neverTwice =
  'The service may never have had a duplicate of a command that it ran: a request was refused, throttled or lost, or did not overlap with another.';

/** Whether a duplicate reached the service after a command that may have run: in a race any of them may be the first. */
function isTried(all: readonly Duplicate[], { concurrent, first }: Duplicate): boolean {
  const sent = [first, ...all.filter((one) => one.first === first).map((one) => one.again)];
  if (concurrent) return overlapped(sent);
  const ran = sent.findIndex(({ exchange }) => mayHaveRun.has(responseClass(exchange.answer)));
  return ran >= 0 && sent.slice(ran + 1).some((one) => undecided(one) === undefined);
}

const mayHaveRun: ReadonlySet<ResponseClass> = new Set(['accepted', 'failed', 'no-response']);

/** The same of what is made within a target and shown by a list of its own, where all that was sent is one request. */
function listedByMarker(context: Context, trace: Trace, duplicate: Duplicate): Ruling | undefined {
  const { first } = duplicate;
  const name = bodyName(first.step);
  const marker = markerOf(trace, first);
  if (
    name === undefined ||
    marker === undefined ||
    listOfMade(context.contract, first.operation) === undefined
  )
    return undefined;
  const sent = seen(context, trace).filter(({ step }) => bodyName(step) === name);
  const isOne = ({ step }: Seen): boolean =>
    keyName(step) === keyName(first.step) && sameTarget(step, first.step);
  // Where the list shows none, it may show no marker.
  return sent.every(isOne) && (trace.effects?.byMarker[marker] ?? []).length > 0
    ? countOfEffects(context, trace, name, duplicate)
    : undefined;
}

const moreThanOne = 'The responses acknowledge more than one record for one command.';

/** Accepted responses to one command on a target that name different ids: of records, where it makes some. */
function acknowledgedTwice(context: Context, { again, first }: Duplicate): Ruling | undefined {
  const [one, other] = [first, again].map(({ exchange: { answer }, operation }) =>
    answer !== undefined && isAccepted(answer) ? idOf(operation, answer) : undefined,
  );
  if (one === undefined || other === undefined || one === other) return undefined;
  return makesWithin(context.contract, first.operation)
    ? violated([again, first], {
        expected: 'at most one effect',
        actual: `2 records: ${one}, ${other}`,
        because: moreThanOne,
        conclusive: true,
        idsOnly: true,
      })
    : inconclusive(
        [again, first],
        'The responses name different IDs, but nothing shows whether the command made those records.',
      );
}

/** Of all that was sent with one body; or, where the command has none, of a command and its duplicates of one caller. */
function countOfEffects(
  context: Context,
  trace: Trace,
  name: Name | undefined,
  { first, again, difference }: Duplicate,
): Ruling {
  const isSent = ({ step }: Seen): boolean => {
    if (name !== undefined) return bodyName(step) === name;
    const reuse = find(step, 'key-reuse');
    return step.id === first.step.id || (reuse?.of === first.step.id && reuse.difference === difference);
  };
  const { ids, idsOnly, complete } =
    name === undefined
      ? { ids: idsReturned(context, trace, isSent), idsOnly: true, complete: true }
      : effectsOf(context, trace, name);
  const sent = seen(context, trace).filter(isSent);
  const on = [again, first, ...sent.filter((one) => one !== again && one !== first)].slice(0, 12);
  const said = {
    expected: 'at most one effect',
    actual:
      ids.length === 0
        ? 'no effect seen'
        : `${ids.length} ${ids.length === 1 ? 'record' : 'records'}: ${ids.join(', ')}`,
    idsOnly,
    seenIn: trace.effects?.seenIn.slice(0, 3) ?? [],
  };
  if (idsOnly && ids.length === 0 && sent.some((one) => isAccepted(one.exchange.answer)))
    return notTested(on, noIdIn(first.operation));
  // A duplicate names no more records than its command, whatever it made again.
  const most = idsOnly ? 1 : Math.max(mostMade(sent), itemsSent(trace, first));
  if (ids.length > most)
    return violated(on, {
      ...said,
      because: idsOnly ? moreThanOne : 'An independent read shows more than one record for one command.',
      conclusive: name === undefined || idsOnly || areSure(trace, name),
    });
  if (!complete) return inconclusive(on, unfinishedRead);
  if (ids.length > 0)
    return holds(on, {
      ...said,
      because: most === 1 ? 'One command had one effect.' : 'The records of one command are there once.',
    });
  const isDone = sent.some((one) => isAccepted(one.exchange.answer));
  // A read that does not show the record of an accepted command would not show a second one.
  return isDone || isControlled(context, trace, again)
    ? holds(on, {
        ...said,
        because: 'No read shows an effect, so there was no second one.',
        idsOnly: isDone || idsOnly,
      })
    : inconclusive(on, unattributed);
}

/** How many records a command asked for at once: each of its items has the marker. */
function itemsSent(trace: Trace, first: Seen): number {
  const marker = markerOf(trace, first);
  if (bulkOf(first.operation.effect) === undefined || marker === undefined) return 1;
  return (first.exchange.request.body ?? '').split(marker).length - 1;
}

/** A replay is a typed result with a request ID like any other (IDM-25). */
export function typedReplay(one: Answered, context: Context, trace: Trace): Ruling | undefined {
  const reuse = find(one.step, 'key-reuse');
  if (reuse === undefined || !isAccepted(one.answer)) return undefined;
  const body = jsonOf(one.answer);
  const errors = resultErrors(context, one.operation, body, one.answer);
  // A replay may show the record as it is now, in another state than when it was made.
  const later = errors.fixed.find(({ pointer }) => typeof valueAt(body, pointer) === 'string');
  const fixed = errors.fixed.filter(({ pointer }) => typeof valueAt(body, pointer) !== 'string');
  const problems = [
    ...(one.exchange.requestIds.length === 0 ? ['there is no X-Request-Id'] : []),
    ...(returnedSuccess(one.operation, one.answer).schema === undefined
      ? []
      : [
          miscoding(one.answer) ??
            mediaTypeProblem(one) ??
            (body === undefined && !one.answer.truncated ? 'the body is not JSON' : undefined),
        ]),
    lostHeader(context, trace, one, reuse),
    ...[...errors.id, ...fixed, ...errors.other].map(
      (error) => `${error.pointer === '' ? 'the body' : error.pointer} ${error.message}`,
    ),
  ].filter((problem) => problem !== undefined);
  const expected = 'the declared result with X-Request-Id';
  if (problems.length === 0 && later !== undefined)
    return inconclusive(
      [one],
      `The replay may show the record as it is now: ${later.pointer} ${later.message}.`,
    );
  return problems.length === 0
    ? holds([one], { expected, because: 'The replay is typed and can be traced.' })
    : violated([one], {
        expected,
        actual: `${summary(one.exchange)}${one.exchange.requestIds.length === 0 ? ', without X-Request-Id' : ''}`,
        because: `In the replay, ${problems.join('; ')}.`,
      });
}

/** A required header that the first response had under the same status: what another one must have is open (G1). */
function lostHeader(context: Context, trace: Trace, one: Answered, { of }: KeyReuse): string | undefined {
  const first = answered(context, trace).find(({ step }) => step.id === of);
  return first?.answer.status === one.answer.status && missingHeader(first) === undefined
    ? missingHeader(one)
    : undefined;
}

/** Another request under a key that an accepted command used. */
export function isMismatch(step: Step): boolean {
  return only(step, 'key-reuse')?.difference === 'request';
}

const others: ReadonlySet<Difference | undefined> = new Set(['request', 'target', 'parameter'] as const);

/** Another body, another target, or another value of a parameter. */
export function isOtherRequest(step: Step): boolean {
  return others.has(only(step, 'key-reuse')?.difference);
}

/** True where the key was sent with another request between its first use and this duplicate. */
export function afterMismatch(again: Step, steps: readonly Step[]): boolean {
  const at = steps.indexOf(again);
  const of = find(again, 'key-reuse')?.of;
  return steps.slice(0, at).some((step) => isOtherRequest(step) && find(step, 'key-reuse')?.of === of);
}
