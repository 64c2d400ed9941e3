import type { Clause } from '../../model/clause.ts';
import { asDeclared } from '../judging/declared.ts';
import { noEffect } from '../judging/effects.ts';
import {
  controlOf,
  faultsOf,
  find,
  holds,
  inconclusive,
  isAccepted,
  notApplicable,
  only,
  undecided,
  violated,
} from '../judging/reading.ts';
import { eachAnswer, refusal, withBody } from '../judging/rules.ts';
import { hasFields } from './body-faults.ts';

/** Bodies as text: malformed ones, other media types, and any characters in free text. */
export const bodyTextClauses: readonly Clause[] = [
  {
    code: 'VAL-13',
    level: 'derived',
    text: 'Malformed JSON is refused with 4xx, without effect.',
    source: {
      where: 'POST /cases, table: Content-Type',
      quote: 'Request header `Content-Type` | `application/json`',
    },
    explain: {
      test: 'Bodies that are cut short, empty, or not JSON at all are sent as application/json.',
      violation: '5xx, or success.',
      fix: 'Catch the error of the parser and return 400 or 422.',
    },
    applies: withBody,
    judges: [
      refusal((step) => only(step, 'body-syntax') !== undefined),
      noEffect((step) => only(step, 'body-syntax') !== undefined),
    ],
  },
  {
    code: 'VAL-14',
    level: 'derived',
    text: 'Another media type is refused with 4xx, or read as JSON; never 5xx.',
    source: {
      where: 'POST /cases, table: Content-Type',
      quote: 'Request header `Content-Type` | `application/json`',
    },
    explain: {
      test: 'A valid body is sent as text/plain, as a form, and without a media type.',
      violation: '5xx.',
      fix: 'Return 415 where the media type is not supported.',
    },
    applies: withBody,
    judges: [
      refusal((step) => only(step, 'media-type') !== undefined),
      asDeclared('G14', { of: ({ step }) => only(step, 'media-type') !== undefined }),
    ],
  },
  {
    code: 'VAL-15',
    level: 'derived',
    text: 'Free text may hold any characters: other scripts, emoji, quotes, markup, line breaks.',
    source: { where: 'Case, subject', quote: 'Free text supplied by the caller' },
    explain: {
      test: 'Legal texts of at most 200 characters are sent, each with a plain one as its control. U+0000, lone surrogates and blank texts are left out.',
      violation: 'A refusal, or 5xx.',
      fix: 'Handle text as Unicode from end to end.',
    },
    applies: hasFields,
    judges: [
      eachAnswer((one, context, trace) => {
        const noise = find(one.step, 'text-noise');
        if (noise === undefined || one.step.role !== 'probe' || faultsOf(one.step).length > 0)
          return notApplicable;
        const doubt = undecided(one);
        const expected = '2xx';
        if (isAccepted(one.answer)) return holds([one], { expected, because: 'The text was accepted.' });
        if (doubt !== undefined) return inconclusive([one], doubt);
        return controlOf(context, trace, one.step.id) === 'accepted'
          ? violated([one], {
              expected,
              because: `The request was accepted with a plain text at ${noise.at}, and not with this one.`,
            })
          : inconclusive([one], 'The control with a plain text was not accepted either.');
      }),
    ],
  },
];
