import type { Clause, Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isArray, isObject, type Json, parseJson, pointerTokens, valueAt } from '../../model/json.ts';
import { about } from '../judging/about.ts';
import { asDeclared } from '../judging/declared.ts';
import {
  answered,
  controlOf,
  faultsOf,
  find,
  holds,
  inconclusive,
  isAccepted,
  isFailed,
  jsonOf,
  notApplicable,
  only,
  seen,
  undecided,
  violated,
} from '../judging/reading.ts';
import { withBody } from '../judging/rules.ts';
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
      about('body-syntax').refusal((step) => only(step, 'body-syntax') !== undefined),
      about('body-syntax').noEffect((step) => only(step, 'body-syntax') !== undefined),
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
      test: 'A valid body is sent as text/plain, as a form, without a media type, and with a charset.',
      violation: '5xx.',
      fix: 'Return 415 where the media type is not supported.',
    },
    applies: withBody,
    judges: [
      about('media-type').refusal((step) => only(step, 'media-type') !== undefined),
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
      violation: 'A refusal, 5xx, or a text of which only a part is stored.',
      fix: 'Handle text as Unicode from end to end.',
    },
    applies: hasFields,
    judges: [
      about('text-noise').eachAnswer((one, context, trace) => {
        const noise = find(one.step, 'text-noise');
        if (noise === undefined || one.step.role !== 'test' || faultsOf(one.step).length > 0)
          return notApplicable;
        const doubt = undecided(one);
        const expected = '2xx';
        if (isAccepted(one.answer)) return holds([one], { expected, because: 'The text was accepted.' });
        if (doubt !== undefined) return inconclusive([one], doubt);
        if (noise.refusable === true && !isFailed(one.answer)) return notApplicable;
        return controlOf(context, trace, one.step.id) === 'accepted'
          ? violated([one], {
              expected,
              because: `The request was accepted with a plain text at ${noise.at}, but not with this text.`,
            })
          : inconclusive([one], 'The control with a plain text was not accepted either.');
      }),
      { over: 'trace', needs: ['text-noise'], rule: cutTexts },
    ],
  },
];

/** An accepted text that the result, or a read of its record, shows without its end. */
function* cutTexts(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  for (const one of answered(context, trace)) {
    const noise = find(one.step, 'text-noise');
    if (noise === undefined || faultsOf(one.step).length > 0 || !isAccepted(one.answer)) continue;
    const sent = valueAt(parseJson(one.exchange.request.body ?? ''), noise.at);
    if (typeof sent !== 'string' || sent.length < longText) continue;
    const at = all.findIndex(({ exchange }) => exchange === one.exchange);
    const next = all.slice(at + 1).find(({ operation }) => operation.kind === 'command');
    const reads = all
      .slice(at + 1, next === undefined ? undefined : all.indexOf(next))
      .filter(({ exchange, step }) => step.role === 'readback' && isAccepted(exchange.answer));
    for (const shown of [one, ...reads]) {
      const { answer } = shown.exchange;
      const cut =
        answer === undefined || answer.truncated
          ? undefined
          : beginningOf(sent, jsonOf(answer), pointerTokens(noise.at).at(-1) ?? '');
      if (cut !== undefined)
        yield violated(shown === one ? [one] : [one, shown], {
          expected: 'the whole text, or 422',
          because: `The text at ${noise.at} was accepted with ${sent.length} characters, and the response shows ${cut} of them.`,
        });
    }
  }
}

/** Shorter texts may be the beginning of another by chance. */
const longText = 200;

/** How much of a text the members of its name show, where none shows all of it. */
function beginningOf(sent: string, shown: Json | undefined, name: string): number | undefined {
  const texts = textsUnder(shown ?? null, name, false);
  if (texts.some((text) => text.includes(sent))) return undefined;
  const beginning = texts.find((text) => text.length >= longText / 10 && sent.startsWith(text));
  return beginning?.length;
}

function textsUnder(value: Json, name: string, within: boolean): readonly string[] {
  if (typeof value === 'string') return within ? [value] : [];
  if (isArray(value)) return value.flatMap((item) => textsUnder(item, name, within));
  return isObject(value)
    ? Object.entries(value).flatMap(([key, member]) => textsUnder(member, name, within || key === name))
    : [];
}
