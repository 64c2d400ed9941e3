import type { Context, WrittenClause } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { unkept } from '../../model/undecided.ts';
import { type GuidanceFound, guidanceOf } from '../../oracle/guidance.ts';
import {
  type Answered,
  answered,
  find,
  holds,
  inconclusive,
  isThrottled,
  seen,
  summary,
  violated,
} from '../judging/reading.ts';
import { everywhere } from '../judging/rules.ts';

export const guidance = {
  where: 'Errors table, 429',
  quote: 'Honor the supplied wait guidance and apply backoff',
};

export const waitGuidanceClauses: readonly WrittenClause[] = [
  {
    code: 'THR-2',
    level: 'stated',
    text: '429 supplies wait guidance.',
    source: guidance,
    test: 'Every 429 of the run is searched for Retry-After, RateLimit and X-RateLimit-Reset. Other headers and body fields count if their name suggests a wait and their value is a time. A time that only a sentence mentions is inconclusive.',
    violation: 'Nothing says how long to wait.',
    fix: 'Send Retry-After with every 429.',
    applies: everywhere,
    judges: {
      over: 'trace',
      needs: ['throttled'],
      *rule(context, trace) {
        for (const one of throttled(context, trace)) {
          const { found, doubts } = guided(context, one);
          const expected = 'wait guidance';
          if (found.length > 0)
            yield holds([one], {
              expected,
              actual: found.map((each) => `${each.source}: ${each.seconds} s`).join(', '),
              because: 'The response says how long to wait.',
            });
          else if (doubts.length > 0)
            yield inconclusive(
              [one],
              `This may be wait guidance or not: ${doubts.slice(0, 3).join(', ')}. Send Retry-After, or declare the carrier (G8: { guidance: { name: ... } }).`,
            );
          else if (one.answer.truncated) yield inconclusive([one], unkept);
          else
            yield violated([one], {
              expected,
              actual: `${summary(one.exchange)}, without wait guidance`,
              because: 'Neither a header nor a field of the body says how long to wait.',
            });
        }
      },
    },
  },
  {
    code: 'THR-3',
    level: 'derived',
    text: 'The guidance is a time that can be honoured.',
    source: guidance,
    test: 'The guidance of every 429 is parsed.',
    violation: 'NaN, words, negative numbers, an epoch in Retry-After, a date in the past.',
    fix: 'Send whole seconds, rounded up.',
    applies: everywhere,
    judges: {
      over: 'trace',
      needs: ['throttled'],
      *rule(context, trace) {
        for (const one of throttled(context, trace)) {
          const { found } = guided(context, one);
          if (found.length === 0) continue;
          const retryAfter = found.filter((each) => each.source.startsWith('Retry-After'));
          const supplied = retryAfter.length > 0 && retryAfter.every((each) => each.rejected === undefined);
          const notes = found.flatMap((each) => [
            ...(each.advisory === undefined ? [] : [each.advisory]),
            ...(supplied && each.rejected !== undefined ? [`${each.source}: ${each.rejected}`] : []),
            ...(each.byForm === true && !supplied
              ? [`${each.source} is recognised by its form alone: send Retry-After, or declare it (G8)`]
              : []),
          ]);
          const made = {
            expected: 'a wait that can be honoured',
            actual: found.map((each) => `${each.source}: ${each.rejected ?? `${each.seconds} s`}`).join(', '),
            advisory: notes.length > 0 ? notes.join('; ') : undefined,
          };
          // A client that honours a correct Retry-After needs no other field.
          yield supplied || found.every((each) => each.rejected === undefined)
            ? holds([one], { ...made, because: 'The guidance can be honoured.' })
            : violated([one], { ...made, because: 'The guidance cannot be honoured.' });
        }
      },
    },
  },
  {
    code: 'THR-8',
    level: 'advisory',
    text: 'All wait guidance in one response agrees to within a second.',
    source: {
      where: 'RateLimit header fields for HTTP (draft)',
      quote: 'Retry-After should not be earlier than the reset of the window',
    },
    test: 'All guidance of one 429 is compared.',
    violation: 'The times differ.',
    fix: 'Compute them from one value.',
    applies: everywhere,
    judges: {
      over: 'trace',
      needs: ['throttled'],
      *rule(context, trace) {
        for (const one of throttled(context, trace)) {
          const { found, disagree } = guided(context, one);
          const usable = found.filter((each) => each.rejected === undefined && each.unitless !== true);
          if (usable.length < 2) continue;
          const made = {
            expected: 'guidance that agrees within 1 s',
            actual: found.map((each) => `${each.source}: ${each.seconds} s`).join(', '),
          };
          yield disagree
            ? violated([one], {
                ...made,
                because: 'The client must guess which guidance is right. Assay honoured the longest wait.',
              })
            : holds([one], { ...made, because: 'They agree.' });
        }
      },
    },
  },
];

export function throttled(context: Context, trace: Trace): readonly Answered[] {
  return answered(context, trace).filter((one) => isThrottled(one.answer));
}

export const lostThere =
  'A request of the burst got no response. It may have been the 429 that others saw only as a failure of a gateway.';

/** Whether a request of a burst got no response to an operation: it may have been the only 429. */
export function isLostInBurst(context: Context, trace: Trace, { operation }: Answered): boolean {
  return seen(context, trace).some(
    (one) =>
      one.operation.id === operation.id &&
      one.step.role === 'test' &&
      find(one.step, 'pace') !== undefined &&
      one.exchange.answer === undefined,
  );
}

/** What a 429 says about how long to wait. */
export function guided({ declared }: Context, one: Answered): GuidanceFound {
  return guidanceOf(
    one.answer,
    Date.parse(one.exchange.time) + (one.exchange.endedAt - one.exchange.startedAt),
    declared.G8.guidance,
  );
}
