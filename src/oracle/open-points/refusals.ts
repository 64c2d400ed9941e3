import type { Answered } from '../../model/clause.ts';
import { headerOf } from '../../model/exchange.ts';
import { isObject } from '../../model/json.ts';
import { jsonOf } from '../../model/response.ts';
import { parsedDeclaration } from './declared.ts';
import { accepted, only, type PointEntry, silent, statusReading } from './point.ts';

function mediaTypeOf(headers: Answered['answer']['headers']): string | undefined {
  return headerOf(headers, 'content-type')?.split(';')[0]?.trim();
}

/** A charset makes no other media type of it. */
function isJson(mediaType: string): boolean {
  return /^application\/(.+\+)?json$/i.test(mediaType);
}

/** `application/json { detail, title }`: the media type and the members of the first level. */
function shapeOf({ answer }: Answered): string {
  const type = mediaTypeOf(answer.headers) ?? 'no media type';
  const body = jsonOf(answer);
  if (isObject(body)) return `${type} { ${Object.keys(body).sort().slice(0, 8).join(', ')} }`;
  return `${type}${answer.body === '' ? ', empty' : ''}`;
}

export const refusalPoints: readonly PointEntry[] = [
  {
    point: 'G4',
    standard: '401',
    title: 'Class of a missing stronger verification',
    quote: 'The form of the stronger verification that some commands may require: not shown.',
    readings: ['401', '403', '409', '422'],
    always: 'Refused without effect.',
    byDefault: 'Any of them.',
    clauses: ['STV-1', 'STV-2'],
    declares: {
      enum: [401, 403, 409, 422],
      description: 'write the status of the response to a missing stronger verification',
    },
    needs: ['verification'],
    *sights({ one }) {
      if (only(one, 'verification')?.how === 'absent')
        yield accepted(one) ? { text: 'accepted' } : statusReading(one);
    },
  },
  {
    point: 'G9',
    standard: '403',
    title: 'Record of another scope',
    quote: 'The identity must hold the exact permission and scope; otherwise the result is `403`.',
    readings: ['403', '404, as for an absent record'],
    always: 'Nothing of the record is shown or changed.',
    byDefault: 'Either.',
    clauses: ['PRM-5', 'RDS-7'],
    declares: {
      enum: [403, 404],
      description: 'write the status of the response for a record of another scope',
    },
    needs: ['scope'],
    *sights({ one }) {
      if (only(one, 'scope') !== undefined && !accepted(one)) yield statusReading(one);
    },
  },
  {
    point: 'G10',
    title: 'Replay after the permission was withdrawn',
    quote: silent,
    readings: ['403', 'replay: 2xx'],
    always: 'No second effect.',
    byDefault: '403.',
    clauses: ['PRM-10'],
    declares: {
      enum: [403, 'replay'],
      description: 'write 403, or replay if a duplicate may get 2xx after the permission was withdrawn',
    },
    needs: ['permission'],
    *sights({ one }) {
      const withdrawn = one.step.deviations.some(
        (each) => each.kind === 'permission' && each.how === 'withdrawn',
      );
      if (!withdrawn || !one.step.deviations.some(({ kind }) => kind === 'key-reuse')) return;
      if (accepted(one))
        yield { text: 'replayed', reading: 'replay', against: (declared) => declared !== 'replay' };
      else yield { text: String(one.answer.status), reading: '403', against: () => false };
    },
  },
  {
    point: 'G11',
    standard: '403',
    title: '403 or 422 if both errors are present',
    quote: silent,
    readings: [
      '403',
      '422, if the body or the query is also wrong, or a key, a version or a verification is missing',
      'lenient: either',
    ],
    always: 'Refused without effect.',
    byDefault:
      '403; 422 adds a note if the body or the query is also wrong, or a key, a version or a verification is missing.',
    clauses: ['PRE-2'],
    declares: {
      enum: [403, 422, 'lenient'],
      description:
        'write the status that a wrong body without permission returns, or lenient if it may be either',
    },
    needs: ['permission'],
    *sights({ one }) {
      const kinds = new Set(one.step.deviations.map(({ kind }) => kind));
      if (kinds.size !== 2 || !kinds.has('permission') || !kinds.has('body') || accepted(one)) return;
      const { status } = one.answer;
      yield {
        text: String(status),
        reading: String(status),
        against: (declared) =>
          declared === 'lenient' ? status !== 403 && status !== 422 : status !== declared,
      };
    },
  },
  {
    point: 'G14',
    standard: '400',
    title: 'Malformed JSON or another media type',
    quote: silent,
    readings: ['400', '415', '422'],
    always: 'Never a failure of the service; malformed JSON is refused without effect.',
    byDefault: 'Any 4xx; another media type may also be read as JSON.',
    clauses: ['VAL-13', 'VAL-14', 'VAL-6'],
    declares: {
      description:
        'write the status of the response to malformed JSON, or { malformed: 400, mediaType: 415 } to declare that of another media type too',
      anyOf: [
        { enum: [400, 415, 422] },
        {
          type: 'object',
          properties: {
            malformed: {
              enum: [400, 415, 422],
              description: 'write the status of the response to malformed JSON',
            },
            mediaType: {
              enum: [400, 415, 422],
              description: 'write the status of the response to another media type than application/json',
            },
          },
          minProperties: 1,
          additionalProperties: false,
        },
      ],
    },
    needs: ['body-syntax', 'media-type'],
    *sights({ one }) {
      const syntax = only(one, 'body-syntax');
      if (syntax?.how !== undefined) return;
      const malformed = syntax !== undefined;
      // Without any media type a body may be taken for what the contract demands (RFC 9110, 8.3).
      const other = only(one, 'media-type') !== undefined && mediaTypeOf(one.exchange.request.headers);
      if (!malformed && (other === false || other === undefined || other === '' || isJson(other))) return;
      const of = malformed ? 'malformed' : 'mediaType';
      const said = accepted(one) ? 'accepted' : String(one.answer.status);
      yield {
        text: malformed ? `malformed: ${said}` : `another media type: ${said}`,
        ...(malformed && (said === '415' || said === '422') ? { departs: said } : {}),
        against: (declared) => {
          const status = parsedDeclaration({ G14: declared }).G14[of];
          return status !== undefined && status !== one.answer.status;
        },
      };
    },
  },
  {
    point: 'G16',
    title: 'Shape of the error body',
    quote: 'Shape of the error body: not shown.',
    readings: ['any'],
    always: 'A 422 names the fields at fault.',
    byDefault: 'Any shape; a field may be named by the last name of its path.',
    clauses: ['VAL-3', 'VAL-11'],
    declares: {
      description:
        'describe the shape of the error body in words, or write { naming: exact } if it names fields by their full path',
      anyOf: [
        { type: 'string', minLength: 1 },
        {
          type: 'object',
          properties: {
            naming: {
              enum: ['exact', 'leaf'],
              description: 'write exact for full paths in exact case, or leaf for the last name of the path',
            },
            shape: { type: 'string', minLength: 1, description: 'describe the shape in words' },
          },
          minProperties: 1,
          additionalProperties: false,
        },
      ],
    },
    *sights({ one }) {
      if (one.answer.status >= 400) yield { text: shapeOf(one) };
    },
  },
];
