import type { Context, Ruling, WrittenClause } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { type JsonPointer, valueAt } from '../../model/json.ts';
import { hasMarker, isUsual } from '../../model/marker.ts';
import { sentJson } from '../../model/response.ts';
import { about } from '../judging/about.ts';
import { asDeclared } from '../judging/declared.ts';
import {
  type Answered,
  answered,
  controlOf,
  faultsOf,
  find,
  headerValues,
  holds,
  inconclusive,
  isAccepted,
  isFailed,
  jsonOf,
  markerOf,
  notApplicable,
  only,
  type Seen,
  seen,
  undecided,
  violated,
} from '../judging/reading.ts';
import { byResponses, withBody } from '../judging/rules.ts';
import { hasFields } from './body-faults.ts';
import { type Loss, lossOf, placedTexts, showsAll } from './kept-text.ts';

export const bodyTextClauses: readonly WrittenClause[] = [
  {
    code: 'VAL-13',
    level: 'derived',
    text: 'Malformed JSON is refused with 4xx, without effect.',
    source: {
      where: 'POST /cases, table: Content-Type',
      quote: 'Request header `Content-Type` | `application/json`',
    },
    test: 'Bodies that are cut short, empty, followed by a word, or not JSON at all are sent as application/json.',
    violation: '5xx, or success.',
    fix: 'Catch the error of the parser and return 400 or 422.',
    applies: withBody,
    judges: [
      byResponses(about('body-syntax').refusal((step) => only(step, 'body-syntax') !== undefined)),
      about('body-syntax').noEffect((step) => only(step, 'body-syntax') !== undefined),
    ],
  },
  {
    code: 'VAL-14',
    level: 'derived',
    text: 'Another media type is refused with 4xx or read as JSON, never 5xx.',
    source: {
      where: 'POST /cases, table: Content-Type',
      quote: 'Request header `Content-Type` | `application/json`',
    },
    test: 'A valid body is sent as text/plain, as a form, without a media type, with a charset, and as gzip though it is not compressed.',
    violation: '5xx.',
    fix: 'Return 415 where the media type is not supported.',
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
    test: 'Valid texts of at most 200 characters are sent, among them "null" and "0". Each control has a plain text. U+0000 and very long texts may be refused; lone surrogates and blank texts are left out.',
    violation:
      'A refusal, 5xx, or a text that is not kept whole: cut, with question marks or nothing in place of letters, escaped for HTML or otherwise, or unescaped. Trimmed or collapsed blanks, Unicode normalisation and changed case are not violations.',
    fix: 'Handle text as Unicode from end to end.',
    applies: hasFields,
    judges: [
      about('text-noise').eachAnswer((one, context, trace) => {
        const noise = find(one.step, 'text-noise');
        if (noise === undefined || one.step.role === 'setup' || faultsOf(one.step).length > 0)
          return notApplicable;
        const doubt = undecided(one);
        const expected = '2xx';
        if (isAccepted(one.answer)) return holds([one], { expected, because: 'The text was accepted.' });
        if (doubt !== undefined) return inconclusive([one], doubt);
        if (noise.refusable === true && !isFailed(one.answer)) return notApplicable;
        if (one.answer.status === 409 && !textsOf(trace, one).some((text) => text.isNoise && text.isMarked))
          return inconclusive([one], 'Another record may have this text already.');
        return controlOf(context, trace, one.step.id) === 'accepted'
          ? violated([one], {
              expected,
              because: `The request was accepted with a plain text at ${noise.at}, but not with this text.`,
            })
          : inconclusive([one], 'The control with a plain text was not accepted either.');
      }),
      { over: 'trace', rule: lostTexts },
    ],
  },
];

/** An accepted text of which the result, or a read of its record, shows only a part. */
function* lostTexts(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  for (const one of answered(context, trace)) {
    if (one.operation.kind !== 'command' || faultsOf(one.step).length > 0 || !isAccepted(one.answer))
      continue;
    const texts = textsOf(trace, one);
    if (texts.length === 0) continue;
    const sentReads = readsBehind(all, one);
    const reads = sentReads.filter(({ exchange }) => isAccepted(exchange.answer));
    const unread = sentReads.find(
      ({ exchange: { answer } }) => !isAccepted(answer) || answer?.truncated === true,
    );
    for (const { at, isNoise, text: sent } of texts) {
      // A result may be a summary of what is kept.
      if (reads.some(({ exchange }) => showsAll(sent, jsonOf(exchange.answer) ?? null))) continue;
      // So may a list be.
      const records = reads.filter(({ operation }) => isNoise || operation.id === one.operation.effect?.read);
      for (const shown of [one, ...records]) {
        const loss = lossIn(trace, one, shown.exchange.answer, sent, at, shown === one);
        if (loss !== undefined && shown === one && unread !== undefined)
          yield inconclusive(
            [one, unread],
            'The result shows a part of the text, and a read that may show all of it was not answered.',
          );
        else if (loss !== undefined)
          yield violated(shown === one ? [one] : [one, shown], {
            expected: 'the whole text, or 422',
            because: `The text at ${at} was accepted, and the response ${describe(loss, sent)}.`,
          });
      }
    }
  }
}

/** Reads of what a command left, before the next one. */
function readsBehind(all: readonly Seen[], { exchange: { id } }: Answered): readonly Seen[] {
  const from = all.findIndex(({ exchange }) => exchange.id === id) + 1;
  const next = all.findIndex(({ operation }, at) => at >= from && operation.kind === 'command');
  return all.slice(from, next < 0 ? undefined : next).filter(({ step }) => step.role === 'readback');
}

type SentText = {
  readonly at: JsonPointer;
  readonly text: string;
  readonly isNoise: boolean;
  readonly isMarked: boolean;
};

/** The text that a command is about, and those that carry its marker. */
function textsOf(trace: Trace, one: Answered): readonly SentText[] {
  const noise = find(one.step, 'text-noise')?.at;
  const marker = markerOf(trace, one);
  if (noise === undefined && (marker === undefined || !isUsual(marker))) return [];
  const isMarked = (text: string): boolean =>
    marker !== undefined && isUsual(marker) && hasMarker(text, marker);
  return placedTexts(sentJson(one.exchange.request) ?? null, (text) => noise !== undefined || isMarked(text))
    .filter(({ at, text }) => at === noise || isMarked(text))
    .map(({ at, text }) => ({ at, text, isNoise: at === noise, isMarked: isMarked(text) }));
}

function lossIn(
  trace: Trace,
  one: Answered,
  answer: Answered['answer'] | undefined,
  sent: string,
  at: JsonPointer,
  isResult: boolean,
): Loss | undefined {
  const body = answer === undefined || answer.truncated ? undefined : jsonOf(answer);
  if (answer === undefined || body === undefined || isOtherCharset(answer)) return undefined;
  const loss = lossOf(sent, body, at);
  if (loss === undefined || !loss.maybeEarlier) return loss;
  // What a shorter text shows may be the state before: that it is not is shown by the result, or by the marker.
  const marker = markerOf(trace, one);
  const isNew =
    (isResult && answer.status !== 202) || (marker !== undefined && hasMarker(JSON.stringify(body), marker));
  const isAnother = trace.exchanges.some(
    ({ request }) => valueAt(sentJson(request) ?? null, at) === loss.shown,
  );
  return isNew && !isAnother ? loss : undefined;
}

/** JSON is UTF-8, and is read as such; what says that it is something else is not judged. */
function isOtherCharset(answer: Answered['answer']): boolean {
  return headerValues(answer.headers, 'content-type').some(
    (type) => /charset/i.test(type) && !/charset\s*=\s*"?(?:utf-?8|us-ascii)\b/i.test(type),
  );
}

function describe(loss: Loss, sent: string): string {
  switch (loss.kind) {
    case 'cut':
      return `shows ${loss.shown.length} of its ${sent.length} characters`;
    case 'letters':
      return 'shows question marks in place of its letters';
    case 'markup':
      return 'shows it with characters escaped for HTML';
    case 'escaped':
      return 'shows it escaped twice';
    case 'unescaped':
      return 'shows it without its backslashes, or with its %-codes decoded';
    case 'encoding':
      return 'shows its UTF-8 bytes as Latin-1';
    case 'omitted':
      return 'shows it without some of its letters or emoji';
  }
}
