import type { Context, Fold, Ruling, WrittenClause } from '../../model/clause.ts';
import { creates } from '../../model/contract.ts';
import type { Exchange, Trace } from '../../model/exchange.ts';
import { makesWithin } from '../../model/listed.ts';
import { chosenIdAt, isIdInHeader } from '../../model/result-id.ts';
import type { KeyEdit, Name, Step } from '../../model/scenario.ts';
import { about } from '../judging/about.ts';
import { asDeclared } from '../judging/declared.ts';
import { areSure, type EffectsJudge, effectsOf } from '../judging/effects.ts';
import { inHistories } from '../judging/histories.ts';
import { isOneResult } from '../judging/one-result.ts';
import {
  type Answered,
  answered,
  bodyName,
  controlOf,
  find,
  headerValues,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isControlled,
  isFailed,
  isThrottled,
  markerOf,
  notApplicable,
  only,
  type Seen,
  seen,
  unattributed,
  undecided,
  violated,
} from '../judging/reading.ts';
import { commands, distinguishable } from '../judging/rules.ts';
import { limits2 } from './sources.ts';

export const keyFormClauses: readonly WrittenClause[] = [
  {
    code: 'IDM-11',
    level: 'derived',
    text: 'Keys are compared exactly, including case, last character, long common beginnings and inner spaces.',
    source: limits2,
    test: 'Pairs of keys that differ in one detail are sent with different bodies, or on different records.',
    violation:
      'The second key is taken for the first: keys are compared case-insensitively, cut off, or hashed to too few bits.',
    fix: 'Store the whole key and compare it byte by byte. Return 422 if a key is too long.',
    applies: distinguishable,
    judges: [
      { over: 'trace', needs: ['near-key'], rule: nearKeys },
      { over: 'run', start: collisions },
      inHistories('IDM-11'),
      asDeclared('G17'),
    ],
  },
  {
    code: 'IDM-22',
    level: 'derived',
    text: 'A request with two keys is refused, or has one effect.',
    source: limits2,
    test: 'Requests are sent with two Idempotency-Key header lines, and with one line of two values. An accepted request is sent again unchanged. An independent read counts the records.',
    violation: '5xx, or a second effect, at once or on the retry.',
    fix: 'Return 422 to a request with two keys.',
    applies: commands,
    judges: [
      {
        over: 'trace',
        byResponses: true,
        needs: ['key'],
        *rule(context, trace) {
          const doubled = answered(context, trace).filter(
            (one) => find(one.step, 'key')?.how === 'doubled' && find(one.step, 'credential') === undefined,
          );
          for (const one of doubled) {
            if (isThrottled(one.answer)) continue;
            const expected = 'a refusal, or one effect';
            const reuse = find(one.step, 'key-reuse');
            const first =
              reuse === undefined ? undefined : doubled.find((other) => other.step.id === reuse.of);
            if (isFailed(one.answer))
              yield seen(context, trace).some(
                (other) => other.step.controls === one.step.id && isAccepted(other.exchange.answer),
              )
                ? violated([one], {
                    expected,
                    because: 'The service failed on two keys, but accepted the same command with one.',
                  })
                : inconclusive(
                    [one],
                    'The service failed, and did not accept the command with one key either.',
                  );
            else if (
              first !== undefined &&
              isAccepted(first.answer) &&
              isAccepted(one.answer) &&
              differ(first, one) &&
              (creates(one.operation) || makesWithin(context.contract, one.operation))
            )
              yield violated([one, first], {
                expected,
                because: 'The same command with the same two keys ran twice.',
                conclusive: true,
              });
            else if (isAccepted(one.answer))
              yield holds([one], { expected, because: 'Accepted under one key.' });
            else
              yield isControlled(context, trace, one)
                ? holds([one], { expected, because: 'Refused.' })
                : inconclusive([one], unattributed);
          }
        },
      },
      doubledOnce(),
    ],
  },
  {
    code: 'IDM-23',
    level: 'advisory',
    text: 'Unusual keys never cause 5xx.',
    source: { where: 'good practice', quote: 'unique string per command' },
    test: 'Keys of one character, of 1,024 characters, and with quotes or other scripts are sent.',
    violation: '5xx.',
    fix: 'Return 422 if you cannot store the key.',
    applies: commands,
    judges: about('key').eachAnswer((one, context, trace) => {
      if (only(one.step, 'key')?.how !== 'odd' || isThrottled(one.answer)) return notApplicable;
      const expected = 'success or 4xx';
      if (isFailed(one.answer)) return failedOn(context, trace, one, expected);
      if (isAccepted(one.answer)) return holds([one], { expected, because: 'The key was accepted.' });
      return isControlled(context, trace, one)
        ? holds([one], { expected, because: 'The key was refused.' })
        : inconclusive([one], unattributed);
    }),
  },
];

/** Nothing repeats what is only advised, and one failure may be passing: another key of that form must fail as well. */
function failedOn(context: Context, trace: Trace, one: Answered, expected: string): Ruling | undefined {
  const alike = answered(context, trace).filter(
    (other) => only(other.step, 'key')?.how === 'odd' && formOf(other) === formOf(one),
  );
  if (alike.find(({ answer }) => isFailed(answer))?.exchange.id !== one.exchange.id) return notApplicable;
  if (!alike.some((each) => isControlled(context, trace, each))) return inconclusive([one], unattributed);
  return alike.length > 1 && alike.every(({ answer }) => isFailed(answer))
    ? violated(alike, {
        expected,
        because: `The service failed on ${alike.length} keys of this form, which are legal header values.`,
      })
    : inconclusive([one], 'The service failed once on a key of this form, so the failure may be temporary.');
}

/** A key with all letters alike. */
function formOf({ step: { key } }: Answered): string | undefined {
  return key.use === 'literal' ? key.value.replaceAll(/[a-z]/g, 'a') : undefined;
}

/** What a request with two keys, and the same one again, made: a service that runs it once for each key returns one result. */
function doubledOnce(): EffectsJudge {
  return {
    over: 'effects',
    needs: ['key'],
    *rule(context, trace) {
      const all = answered(context, trace);
      for (const first of all) {
        const name = bodyName(first.step);
        if (only(first.step, 'key')?.how !== 'doubled' || name === undefined || !creates(first.operation))
          continue;
        const sent = seen(context, trace).filter(({ step }) => bodyName(step) === name);
        const { ids, idsOnly } = effectsOf(context, trace, name);
        if (idsOnly || ids.length < 2 || !sent.every(({ step }) => find(step, 'key')?.how === 'doubled'))
          continue;
        yield violated(sent, {
          expected: 'a refusal, or one effect',
          actual: `${ids.length} records: ${ids.join(', ')}`,
          because: 'An independent read shows more than one record for one command with two keys.',
          seenIn: trace.effects?.seenIn.slice(0, 3) ?? [],
          conclusive: areSure(trace, name),
        });
      }
    },
  };
}

/** The name that a key has, or from which it was made by an edit. */
function originOf({ key }: Step): Name | undefined {
  return key.use === 'near' || key.use === 'named' ? key.name : undefined;
}

const ofUuids: ReadonlySet<KeyEdit['kind']> = new Set(['upper-case', 'without-dashes']);

/** Keys that differ in a detail are different keys (IDM-11). */
function nearKeys(context: Context, trace: Trace): readonly Ruling[] {
  const all = seen(context, trace);
  return all.flatMap((again, index): readonly Ruling[] => {
    if (again.step.key.use !== 'near' || again.step.role !== 'test') return [];
    const name = originOf(again.step);
    const first = all.slice(0, index).find((one) => originOf(one.step) === name);
    const original = first?.exchange.answer;
    const { answer } = again.exchange;
    if (first === undefined || original === undefined || !isAccepted(original)) return [];
    // RFC 9562, section 4: a UUID is one value, in capitals as well, and databases read it without dashes too.
    if (context.declared.written.G17 === 'uuid' && ofUuids.has(again.step.key.edit.kind)) return [];
    const expected = 'its own result, or a 4xx that refuses the key as such';
    const on = [again, first] as const;
    const doubt = undecided(again);
    if (answer === undefined || doubt !== undefined) return [inconclusive(on, doubt ?? '')];
    if (isFailed(answer))
      return [inconclusive(on, 'The service failed, so nothing shows how it compares keys.')];
    if (answer.status === 409) return [conflict(context, trace, on, expected)];
    const isOne = isAccepted(answer) ? isOneResult(context, trace, first, again) : false;
    if (isOne === undefined)
      return [
        inconclusive(
          on,
          'Both results have the same ID, but each target record may have its own record with that ID.',
        ),
      ];
    if (isOne)
      return [
        violated(on, {
          expected,
          because: `Two different keys are taken for one: ${on
            .map((one) => headerValues(one.exchange.request.headers, 'idempotency-key').join())
            .map((key) =>
              key.length > 48 ? `${key.slice(0, 20)}...${key.slice(-12)} (${key.length} characters)` : key,
            )
            .join(' and ')}.`,
          conclusive: true,
        }),
      ];
    if (isAccepted(answer))
      return [holds(on, { expected, because: 'The second command got its own result.' })];
    if (controlOf(context, trace, again.step.id) !== 'accepted') return [inconclusive(on, unattributed)];
    return [
      ofItsForm(context, trace, again) === 'accepted'
        ? inconclusive(on, 'The second key is refused, but another one of its form is accepted.')
        : holds(on, { expected, because: 'The second key is refused as such.' }),
    ];
  });
}

/** What a key got that has the form of this one, and is like no other: a service may refuse a form. No response is no success. */
function ofItsForm(context: Context, trace: Trace, { step }: Seen): 'accepted' | 'refused' | 'none' {
  const alike = seen(context, trace).filter(
    (one) =>
      one.step.controls === step.id && one.step.key.use === 'near' && originOf(one.step) !== originOf(step),
  );
  if (alike.length === 0) return 'none';
  return alike.some(({ exchange }) => isAccepted(exchange.answer)) ? 'accepted' : 'refused';
}

/** A conflict that stays under its key, while another key is accepted; any other may be one of state that passes. */
function conflict(
  context: Context,
  trace: Trace,
  on: readonly [again: Seen, first: Seen],
  expected: string,
): Ruling {
  const [again] = on;
  if (again.exchange.earlier.length > 0)
    return inconclusive(on, 'An earlier attempt may have been accepted, or may have used up its key.');
  if (controlOf(context, trace, again.step.id) !== 'accepted') return inconclusive(on, unattributed);
  if (ofItsForm(context, trace, again) === 'refused')
    return inconclusive(
      on,
      'Another key of this form, which is like no other, is refused as well: the service may refuse the form.',
    );
  const later = seen(context, trace).findLast(
    ({ exchange, step }) => exchange.startedAt >= again.exchange.endedAt && isSameRequest(step, again.step),
  );
  return later?.exchange.answer?.status === 409
    ? violated([...on, later], {
        expected,
        because:
          'A new key is refused as a conflict and stays so, though another one is accepted. A similar key was used before.',
      })
    : inconclusive(
        on,
        'Nothing shows that the conflict stays, so it may have been one of state that passes.',
      );
}

function isSameRequest(one: Step, other: Step): boolean {
  return JSON.stringify([one.key, one.body]) === JSON.stringify([other.key, other.body]);
}

/** So many commands with keys of their own were accepted before one, and again after it, before it is called a collision. */
const enough = 20;

/** So many contents of bodies are kept for each operation: nearly all commands have one of the first few. */
const mostContents = 100;

/** A refusal that may be a collision, and whether its content was accepted after it as well. */
type Suspect = { readonly one: Answered; readonly within: Trace; readonly content: string; again: boolean };

/** A new key with a new body is a conflict, while others like it are accepted, and no conflict passes: it was taken for another key. */
function collisions(): Fold {
  const seenOf = new Map<
    string,
    { inRow: number; readonly contents: Set<string>; passes: boolean; suspect?: Suspect | undefined }
  >();
  return {
    *see(context, trace) {
      // A value that may exist once is refused whatever its key.
      if (context.declared.G19 === 'conflict') return;
      let uses: ReadonlyMap<string, readonly Exchange[]> | undefined;
      for (const one of answered(context, trace)) {
        const { body, deviations, key } = one.step;
        if (deviations.length > 0 || key.use !== 'named' || body.use !== 'named') continue;
        const isConflict = one.answer.status === 409;
        if ((!isConflict && !isAccepted(one.answer)) || !creates(one.operation)) continue;
        if (chosenIdAt(one.operation) !== undefined) continue;
        const marker = markerOf(trace, one);
        const usedBefore = (name: string): boolean => {
          uses ??= firstUses(seen(context, trace));
          return (uses.get(name) ?? []).some(
            (exchange) => exchange !== one.exchange && exchange.startedAt < one.exchange.endedAt,
          );
        };
        if (
          one.operation.version !== undefined ||
          one.operation.verification !== undefined ||
          one.operation.conflict !== undefined ||
          // An earlier attempt may have been accepted, or may have used up its key.
          one.exchange.earlier.length > 0 ||
          marker === undefined ||
          usedBefore(`key ${key.name}`) ||
          usedBefore(`body ${body.name}`)
        )
          continue;
        // What one caller may name in a body, another one may not.
        const content = (): string =>
          `${one.step.as} ${(one.exchange.request.body ?? '').replaceAll(marker, '')}`;
        const so = seenOf.get(one.operation.id) ?? { inRow: 0, contents: new Set(), passes: false };
        seenOf.set(one.operation.id, so);
        if (isConflict) {
          so.passes ||= hasPassed(context, trace, one);
          if (!so.contents.has(content())) continue;
          so.suspect =
            so.inRow >= enough && !so.passes
              ? { one, within: trace, content: content(), again: false }
              : undefined;
          so.inRow = 0;
          continue;
        }
        so.inRow += 1;
        if (so.contents.size < mostContents) so.contents.add(content());
        const { suspect } = so;
        if (suspect === undefined) continue;
        suspect.again ||= suspect.content === content();
        if (so.inRow < enough || !suspect.again) continue;
        so.suspect = undefined;
        yield violated([suspect.one], {
          expected: 'its own result, because its key and its body are new',
          because: `A new key is refused as a conflict, but similar commands were accepted, ${enough} before it and ${so.inRow} after it. The key was taken for another one.`,
          conclusive: true,
          within: suspect.within,
        });
      }
    },
  };
}

/** Whether a command that was refused is accepted under its key later: then another command was in its way. */
function hasPassed(context: Context, trace: Trace, one: Answered): boolean {
  return answered(context, trace).some(
    ({ answer, exchange, step }) =>
      isAccepted(answer) && exchange.startedAt >= one.exchange.endedAt && isSameRequest(step, one.step),
  );
}

/** The two first requests with each key and each body of a trace: one of them is not the request in question. */
function firstUses(all: readonly Seen[]): ReadonlyMap<string, readonly Exchange[]> {
  const uses = new Map<string, readonly Exchange[]>();
  const add = (name: string, exchange: Exchange): void => {
    const [one, other] = uses.get(name) ?? [];
    if (one === undefined) uses.set(name, [exchange]);
    else if (exchange.startedAt < one.startedAt) uses.set(name, [exchange, one]);
    else if (other === undefined || exchange.startedAt < other.startedAt) uses.set(name, [one, exchange]);
  };
  for (const { exchange, step } of all) {
    if ('name' in step.key) add(`key ${step.key.name}`, exchange);
    const body = bodyName(step);
    if (body !== undefined) add(`body ${body}`, exchange);
  }
  return uses;
}

/** Whether two results are of different records; a header that names the record may be missing in one of them. */
function differ(one: Answered, other: Answered): boolean {
  const ids = [idOf(one.operation, one.answer), idOf(other.operation, other.answer)];
  return (
    ids[0] !== ids[1] &&
    !(
      ids.includes(undefined) && [one, other].some(({ answer, operation }) => isIdInHeader(operation, answer))
    )
  );
}
