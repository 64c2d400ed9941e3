import type { Clause, Context } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { guidanceOf } from '../../oracle/guidance.ts';
import { type Answered, answered, ruling, summary } from '../judging/reading.ts';
import { everywhere } from '../judging/rules.ts';

export const guidance = {
  where: 'Errors table, 429',
  quote: 'Honor the supplied wait guidance and apply backoff',
};

/** What a 429 says about how long to wait. */
export const waitGuidanceClauses: readonly Clause[] = [
  {
    code: 'THR-2',
    level: 'stated',
    text: '429 supplies wait guidance.',
    source: guidance,
    explain: {
      test: 'Every 429 of the run is searched for Retry-After, RateLimit and its older forms, X-RateLimit-Reset, and a field of the body.',
      violation: 'Nothing says how long to wait.',
      fix: 'Send Retry-After with every 429.',
    },
    applies: everywhere,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          for (const one of throttled(context, trace)) {
            const { found } = guided(one);
            yield ruling([one], {
              verdict: found.length > 0 ? 'holds' : 'violated',
              expected: 'wait guidance',
              actual:
                found.length > 0
                  ? found.map((each) => `${each.source}: ${each.seconds} s`).join(', ')
                  : `${summary(one.exchange)}, without wait guidance`,
              because:
                found.length > 0
                  ? 'The answer says how long to wait.'
                  : 'Neither a header nor a field of the body says how long to wait.',
            });
          }
        },
      },
    ],
  },
  {
    code: 'THR-3',
    level: 'derived',
    text: 'The guidance is a time that can be honoured.',
    source: guidance,
    explain: {
      test: 'The guidance of every 429 is parsed.',
      violation: 'NaN, words, negative numbers, an epoch in Retry-After, a date in the past.',
      fix: 'Send whole seconds, rounded up.',
    },
    applies: everywhere,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          for (const one of throttled(context, trace)) {
            const { found } = guided(one);
            if (found.length === 0) continue;
            const notes = found.flatMap((each) => (each.advisory === undefined ? [] : [each.advisory]));
            const fine = found.every((each) => each.rejected === undefined);
            yield ruling([one], {
              verdict: fine ? 'holds' : 'violated',
              expected: 'a wait that can be honoured',
              actual: found
                .map((each) => `${each.source}: ${each.rejected ?? `${each.seconds} s`}`)
                .join(', '),
              because: fine ? 'The guidance can be honoured.' : 'The guidance cannot be honoured.',
              ...(notes.length > 0 ? { advisory: notes.join('; ') } : {}),
            });
          }
        },
      },
    ],
  },
  {
    code: 'THR-8',
    level: 'advisory',
    text: 'Several pieces of guidance agree within a second.',
    source: {
      where: 'RateLimit header fields for HTTP (draft)',
      quote: 'Retry-After should not be earlier than the reset of the window',
    },
    explain: {
      test: 'All guidance of one 429 is compared.',
      violation: 'They name different times.',
      fix: 'Compute them from one value.',
    },
    applies: everywhere,
    judges: [
      {
        over: 'trace',
        *rule(context, trace) {
          for (const one of throttled(context, trace)) {
            const { found, disagree } = guided(one);
            if (found.filter((each) => each.rejected === undefined).length < 2) continue;
            yield ruling([one], {
              verdict: disagree ? 'violated' : 'holds',
              expected: 'guidance that agrees within 1 s',
              actual: found.map((each) => `${each.source}: ${each.seconds} s`).join(', '),
              because: disagree
                ? 'The client must guess which one is meant; the largest was honoured.'
                : 'They agree.',
            });
          }
        },
      },
    ],
  },
];

export function throttled(context: Context, trace: Trace): readonly Answered[] {
  return answered(context, trace).filter((one) => one.answer.status === 429);
}

function guided(one: Answered): ReturnType<typeof guidanceOf> {
  return guidanceOf(
    one.answer,
    Date.parse(one.exchange.time) + (one.exchange.endedAt - one.exchange.startedAt),
  );
}
