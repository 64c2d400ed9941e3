import { expect, test } from 'vitest';
import { again, first } from '../../clauses/cases/repeats.ts';
import { type SightCase, sighted } from '../../clauses/cases/sight.ts';
import { type Line, lacking, missing, negative, type Part, reuse } from '../../clauses/cases/trace.ts';
import type { Json } from '../../model/json.ts';
import { parsedDeclaration } from './declared.ts';

const withdrawn = (status: number): readonly Part[] => [
  first,
  again(status, { deviations: [{ kind: 'permission', how: 'withdrawn' }, reuse('first')] }),
];
const foreign = (status: number): readonly Part[] => [
  first,
  ...negative({ kind: 'scope' }, status, { operation: 'closeCase', on: 'first', as: 'abroad' }),
];
const unpermitted = (status: number, ...more: Exclude<Line['deviations'], undefined>): readonly Part[] =>
  negative([lacking, missing, ...more], status, { as: 'nobody' });
const unverified = (status: number, how: 'absent' | 'wrong' = 'absent'): readonly Part[] =>
  negative({ kind: 'verification', how }, status, { operation: 'approveCase' });
const syntax = (status: number): readonly Part[] => negative({ kind: 'body-syntax' }, status);
const media = (status: number, type?: string): readonly Part[] =>
  negative({ kind: 'media-type' }, status, type === undefined ? {} : { media: type });
const failed = (body: Json, type?: string): readonly Part[] => [
  { id: 'a', status: 404, body, ...(type === undefined ? {} : { type }) },
];

const rows: readonly SightCase[] = [
  {
    point: 'G4',
    when: 'no stronger verification',
    trace: unverified(403),
    shows: '403',
    reading: '403',
    agrees: [403],
    contradicts: [401, 409, 422],
  },
  { point: 'G4', when: 'it runs without', trace: unverified(200), shows: 'accepted' },
  { point: 'G4', when: 'a wrong one', trace: unverified(403, 'wrong') },
  {
    point: 'G9',
    when: 'another scope is forbidden',
    trace: foreign(403),
    shows: '403',
    reading: '403',
    agrees: [403],
    contradicts: [404],
  },
  { point: 'G9', when: 'another scope is served', trace: foreign(200) },
  {
    point: 'G9',
    when: 'the owner is refused as well',
    trace: [
      first,
      ...negative({ kind: 'scope' }, 404, { operation: 'closeCase', on: 'first' }, { status: 404 }),
    ],
    shows: '404',
  },
  {
    point: 'G9',
    when: 'no control was sent',
    trace: [
      first,
      { id: 'probe', operation: 'closeCase', on: 'first', status: 404, deviations: [{ kind: 'scope' }] },
    ],
    shows: '404',
    reading: '404',
    agrees: [404],
    contradicts: [403],
  },
  {
    point: 'G9',
    when: 'one control of several succeeded',
    trace: [
      first,
      ...negative({ kind: 'scope' }, 404, { operation: 'closeCase', on: 'first' }, { status: 404 }),
      { id: 'wide', controls: '*', operation: 'closeCase', on: 'first', status: 299 },
    ],
    shows: '404',
    reading: '404',
    agrees: [404],
    contradicts: [403],
  },
  {
    point: 'G9',
    when: 'the control was redirected, another probe has one that succeeded',
    trace: [
      first,
      ...negative({ kind: 'scope' }, 404, { operation: 'closeCase', on: 'first' }, { status: 300 }),
      { id: 'other', controls: 'first', status: 201 },
    ],
    shows: '404',
  },
  {
    point: 'G10',
    when: 'a replay after the permission was withdrawn',
    trace: withdrawn(201),
    shows: 'replayed',
    reading: 'replay',
    agrees: ['replay'],
    contradicts: [403],
  },
  {
    point: 'G10',
    when: 'a refusal after the permission was withdrawn',
    trace: withdrawn(403),
    shows: '403',
    reading: '403',
    agrees: ['replay', 403],
  },
  {
    point: 'G10',
    when: 'a first use after the permission was withdrawn',
    trace: negative({ kind: 'permission', how: 'withdrawn' }, 403),
  },
  {
    point: 'G10',
    when: 'a replay of one who never had the permission',
    trace: [first, again(201, { deviations: [lacking, reuse('first')] })],
  },
  {
    point: 'G11',
    when: 'both faults are 422',
    trace: unpermitted(422),
    shows: '422',
    reading: '422',
    agrees: ['lenient'],
    contradicts: [403],
  },
  {
    point: 'G11',
    when: 'both faults are 403',
    trace: unpermitted(403),
    shows: '403',
    reading: '403',
    agrees: ['lenient', 403],
  },
  {
    point: 'G11',
    when: 'both faults are of another class',
    trace: unpermitted(400),
    shows: '400',
    reading: '400',
    contradicts: ['lenient', 403],
  },
  { point: 'G11', when: 'both faults are accepted', trace: unpermitted(201) },
  { point: 'G11', when: 'a third fault', trace: unpermitted(422, reuse('a')) },
  { point: 'G11', when: 'the permission alone', trace: negative(lacking, 403, { as: 'nobody' }) },
  { point: 'G11', when: 'the permission and a used key', trace: negative([lacking, reuse('a')], 403) },
  { point: 'G11', when: 'a body and a used key', trace: negative([missing, reuse('a')], 422) },
  {
    point: 'G14',
    when: 'malformed JSON',
    trace: syntax(400),
    shows: 'malformed: 400',
    agrees: [400, { malformed: 400 }, { mediaType: 415 }],
    contradicts: [422, { malformed: 422 }],
  },
  {
    point: 'G14',
    when: 'malformed JSON is accepted',
    trace: syntax(201),
    shows: 'malformed: accepted',
    contradicts: [400],
  },
  {
    point: 'G14',
    when: 'another media type',
    trace: media(415, 'text/plain'),
    shows: 'another media type: 415',
    agrees: [400, { malformed: 400 }, { mediaType: 415 }],
    contradicts: [{ mediaType: 422 }],
  },
  {
    point: 'G14',
    when: 'another media type is read as JSON',
    trace: media(201, 'text/plain; charset=utf-8'),
    shows: 'another media type: accepted',
    contradicts: [{ mediaType: 415 }],
  },
  { point: 'G14', when: 'no media type', trace: media(201) },
  { point: 'G14', when: 'JSON with a charset', trace: media(201, 'application/json;charset=utf-8') },
  { point: 'G14', when: 'an empty media type', trace: media(201, ' ; charset=utf-8') },
  { point: 'G14', when: 'a valid body', trace: [{ id: 'a', status: 201, media: 'text/plain' }] },
  {
    point: 'G16',
    when: 'JSON, its members in order',
    trace: failed({ title: '', code: 7, detail: '' }),
    shows: 'application/json { code, detail, title }',
  },
  {
    point: 'G16',
    when: 'no more than eight members',
    trace: failed({ i: 1, h: 1, g: 1, f: 1, e: 1, d: 1, c: 1, b: 1, a: 1 }),
    shows: 'application/json { a, b, c, d, e, f, g, h }',
  },
  { point: 'G16', when: 'text', trace: failed('no', 'text/plain; charset=utf-8'), shows: 'text/plain' },
  { point: 'G16', when: 'nothing', trace: failed('', 'text/plain'), shows: 'text/plain, empty' },
  {
    point: 'G16',
    when: 'the first failure',
    trace: [{ id: 'a', status: 400, body: [] }],
    shows: 'application/json',
  },
  { point: 'G16', when: 'no failure', trace: [{ id: 'a', status: 399, body: {} }] },
];

test.each(rows)('$point: $when', (row) => {
  const { actual, expected } = sighted(row);
  expect(actual).toEqual(expected);
});

test.each<readonly [Json | undefined, 'malformed' | 'mediaType', number | undefined]>([
  [undefined, 'malformed', undefined],
  [400, 'malformed', 400],
  [400, 'mediaType', undefined],
  [{ malformed: 400 }, 'malformed', 400],
  [{ malformed: 400 }, 'mediaType', undefined],
  [{ mediaType: 415 }, 'mediaType', 415],
  [{ mediaType: 415 }, 'malformed', undefined],
  [{ malformed: '400' }, 'malformed', undefined],
  ['400', 'malformed', undefined],
])('declared %j, for %s: %s', (declared, of, status) => {
  expect(parsedDeclaration({ G14: declared }).G14[of]).toBe(status);
});
