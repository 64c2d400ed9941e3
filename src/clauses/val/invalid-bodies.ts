import type { WrittenClause } from '../../model/clause.ts';
import { about } from '../judging/about.ts';
import { leftBehind } from '../judging/left-behind.ts';
import {
  answered,
  controlOf,
  find,
  holds,
  inconclusive,
  isAccepted,
  isFailed,
  isThrottled,
  notApplicable,
  only,
  seen,
  unattributed,
  undecided,
  violated,
} from '../judging/reading.ts';
import { withBody } from '../judging/rules.ts';
import { bodyFault, hasFields, memberFault, row422, rule3 } from './body-faults.ts';
import { otherDoubts } from './shown-fine.ts';

export const invalidBodyClauses: readonly WrittenClause[] = [
  {
    code: 'VAL-1',
    level: 'stated',
    text: 'A body without a required member returns 422.',
    source: rule3,
    test: 'Each required member is left out of a valid body, one at a time; the whole body is sent as a control.',
    violation: 'Another class (400 is the default of many validators), or success.',
    fix: "Set the validator's failure status to 422.",
    applies: hasFields,
    judges: about('body').refusal((step) => memberFault(step)?.keyword === 'required', otherDoubts),
  },
  {
    code: 'VAL-2',
    level: 'stated',
    text: 'A member that breaks its type or another keyword of the schema returns 422.',
    source: rule3,
    test: 'One member at a time is made wrong: an object first, which no coercion hides, then the other types and each further keyword.',
    violation: 'The value is coerced and accepted, or another class is returned, or the service fails.',
    fix: 'Validate without coercion, before anything is done with the value.',
    applies: hasFields,
    judges: about('body').refusal((step) => {
      const fault = only(step, 'body');
      return (
        fault !== undefined && !['required', ...(fault.at === '' ? ['type'] : [])].includes(fault.keyword)
      );
    }, otherDoubts),
  },
  {
    code: 'VAL-6',
    level: 'derived',
    text: 'A JSON body that is not an object returns 422.',
    source: rule3,
    test: 'An array, a string, a number, a boolean and null are sent as the whole body.',
    violation: 'Success, or another class (400 is tolerated if G14 declares it).',
    fix: 'Validate the root like every other value.',
    applies: hasFields,
    judges: about('body').refusal((step) => {
      const fault = only(step, 'body');
      return fault?.at === '' && fault.keyword === 'type';
    }),
  },
  {
    code: 'VAL-7',
    level: 'derived',
    text: '422 has no effect.',
    source: row422,
    test: 'An independent read looks for a record of the refused request, and at the records that the request names.',
    violation: 'A record exists, or was changed, although the response was 422.',
    fix: 'Validate before anything is written, or undo all that was written.',
    applies: withBody,
    judges: [about('body').noEffect(bodyFault), leftBehind((status) => status === 422)],
  },
  {
    code: 'VAL-8',
    level: 'derived',
    text: 'The corrected body succeeds under a new key.',
    source: { where: 'Errors table, 422', quote: 'Correct the named fields; do not retry unchanged' },
    test: 'After each 422 the corrected body is sent under a new key.',
    violation: 'It is refused, but accepted a moment later under another key: the refusal was remembered.',
    fix: 'Keep no state about refused requests.',
    applies: withBody,
    judges: {
      over: 'trace',
      needs: ['body'],
      *rule(context, trace) {
        const all = seen(context, trace);
        for (const test of all) {
          if (test.step.role !== 'test' || !bodyFault(test.step) || test.exchange.answer?.status !== 422)
            continue;
          const controls = all.filter(
            (one) =>
              (one.step.controls === test.step.id || one.step.controls === '*') &&
              one.step.key.use === 'named' &&
              test.step.key.use === 'named' &&
              one.step.key.name !== test.step.key.name,
          );
          const [first, ...later] = controls;
          if (first === undefined) continue;
          const on = [first, test];
          const expected = '2xx to the corrected body under a new key';
          const doubt = undecided(first);
          if (isAccepted(first.exchange.answer))
            yield holds(on, { expected, because: 'The corrected body was accepted.' });
          else if (doubt !== undefined) yield inconclusive(on, doubt);
          else if (isFailed(first.exchange.answer))
            yield inconclusive(
              on,
              'The service failed on the corrected body, but it may fail on any request.',
            );
          else if (later.some((one) => isAccepted(one.exchange.answer)))
            yield violated(on, {
              expected,
              because:
                'The corrected body was refused at first and accepted later, so the refusal was remembered.',
            });
          else
            yield inconclusive(
              on,
              'The corrected body was never accepted, so its refusal has another cause.',
            );
        }
      },
    },
  },
  {
    code: 'VAL-9',
    level: 'derived',
    text: 'The corrected body under the key of a 422 gets 2xx or 409, never the old 422.',
    source: {
      where: 'POST /cases, rule 3; Limits, 2',
      quote: 'Correct the named fields; do not retry unchanged',
    },
    test: 'An invalid body is refused; then the corrected one is sent under the same key (open point G5).',
    violation: '422 again: the refusal was stored under the key and replayed to a valid body.',
    fix: 'Do not store a 422 under its key, or return 409 to the corrected body.',
    applies: withBody,
    judges: about('again-correction').eachAnswer((one, context, trace) => {
      const reuse = find(one.step, 'key-reuse');
      if (reuse?.difference !== 'correction' || one.step.role !== 'test') return notApplicable;
      const first = answered(context, trace).find((other) => other.step.id === reuse.of);
      if (
        first === undefined ||
        !bodyFault(first.step) ||
        first.answer.status !== 422 ||
        find(one.step, 'body') !== undefined ||
        isThrottled(one.answer)
      )
        return notApplicable;
      const declared = context.declared.G5;
      const on = [one, first];
      const expected =
        declared === 'accept'
          ? '2xx (declared, G5)'
          : declared === 'conflict'
            ? '409 (declared, G5)'
            : '2xx or 409 (G5)';
      if (isAccepted(one.answer))
        return declared === 'conflict'
          ? violated(on, {
              expected,
              because: 'The corrected body was accepted under the key of the 422, but 409 is declared (G5).',
            })
          : holds(on, { expected, because: 'The corrected body was accepted.' });
      // A refusal may have another cause.
      if (controlOf(context, trace, one.step.id) !== 'accepted')
        return inconclusive(
          on,
          'The corrected body was not accepted under another key either, so the refused attempt need not be the cause.',
        );
      if (one.answer.status === 409 && declared !== 'accept')
        return holds(on, { expected, because: 'The corrected body is refused as a conflict of keys.' });
      return violated(on, {
        expected,
        because:
          one.answer.status === 409
            ? 'The corrected body is refused under the key of the 422, but accepted under another one. Acceptance is declared (G5).'
            : `The corrected body returned ${one.answer.status} under the key of the 422, but was accepted under another key.`,
      });
    }),
  },
  {
    code: 'VAL-10',
    level: 'derived',
    text: 'The same invalid request sent again returns 422 again (or 409).',
    source: row422,
    test: 'An invalid request is sent twice under one key.',
    violation: 'The second one succeeds, fails with 5xx, or gets another status.',
    fix: 'Validate every attempt, whatever its key.',
    applies: withBody,
    judges: about('again-none').eachAnswer((one, context, trace) => {
      const reuse = find(one.step, 'key-reuse');
      if (reuse?.difference !== 'none' || find(one.step, 'body') === undefined || isThrottled(one.answer))
        return notApplicable;
      const first = answered(context, trace).find((other) => other.step.id === reuse.of);
      if (first === undefined || first.answer.status !== 422) return notApplicable;
      const expected = '422 or 409';
      if (one.answer.status === 422 || one.answer.status === 409)
        return controlOf(context, trace, one.step.id) === 'accepted'
          ? holds([one, first], {
              expected,
              because: 'The class is that of the first refusal, or a conflict.',
            })
          : inconclusive([one, first], unattributed);
      return violated([one, first], {
        expected,
        because: `The same invalid request returned 422 at first, and ${one.answer.status} the second time.`,
        conclusive: isAccepted(one.answer),
      });
    }),
  },
];
