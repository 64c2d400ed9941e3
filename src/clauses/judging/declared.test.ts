import { expect, test } from 'vitest';
import { declaresSchema } from '../../config/declares.ts';
import { validator } from '../../generate/index.ts';
import type { PointCode } from '../../model/declaration.ts';
import type { Json } from '../../model/json.ts';
import type { OpenPoint } from '../../model/open-point.ts';
import { makeObserving } from '../../oracle/observe.ts';
import { openPointOf } from '../../oracle/open-points/register.ts';
import { contextOf, judged, stated } from '../cases/judged.ts';
import { again, first } from '../cases/repeats.ts';
import { says } from '../cases/says.ts';
import { type Line, lacking, missing, negative, type Part, reuse, trace } from '../cases/trace.ts';
import { asDeclared } from './declared.ts';

/** One behaviour at an open point, the declaration that it keeps, and one that it breaks. */
type Row = {
  readonly point: PointCode;
  readonly when: string;
  readonly trace: readonly Part[];
  readonly keeps: Json;
  readonly breaks: Json;
  /** The clause that the broken declaration violates. */
  readonly clause: string;
};

/** Another caller or operation with the key; where it is refused, a new key is accepted. */
const borrowed = (difference: 'caller' | 'scope', as: string, more: Partial<Line>): readonly Part[] => [
  first,
  again(201, { deviations: [reuse('first', difference)], as, result: 'case_2', name: 'other', ...more }),
  { id: 'control', controls: 'again', status: 201, as },
];
const failed: Line = { ...first, status: 500, deviations: [{ kind: 'fault', how: 'before-commit' }] };
const strange: Line['deviations'] = [{ kind: 'unknown-member', at: '/strange' }];
const near = (name: string, key: string, status: number): Line => ({
  id: name,
  role: 'test',
  key: { use: 'literal', value: key },
  name,
  status,
  deviations: [{ kind: 'key', how: 'odd' }],
});

const rows: readonly Row[] = [
  {
    point: 'G1',
    when: 'a duplicate is replayed',
    trace: [first, again(201)],
    keeps: 'replay',
    breaks: 'conflict',
    clause: 'IDM-5',
  },
  {
    point: 'G1',
    when: 'a duplicate is a conflict',
    trace: [first, again(409)],
    keeps: 'conflict',
    breaks: 'replay',
    clause: 'IDM-5',
  },
  {
    point: 'G2',
    when: 'a missing key is 400',
    trace: negative({ kind: 'key', how: 'absent' }, 400, { key: 'none' }),
    keeps: 400,
    breaks: 422,
    clause: 'IDM-2',
  },
  {
    point: 'G3',
    when: 'a replay has a unique request ID',
    trace: [first, again(201, { requestId: 'req_other' })],
    keeps: 'new',
    breaks: 'stored',
    clause: 'IDM-25',
  },
  {
    point: 'G3',
    when: 'a replay has the stored request ID',
    trace: [{ ...first, requestId: 'req_1' }, again(201, { requestId: 'req_1' })],
    keeps: 'stored',
    breaks: 'new',
    clause: 'RID-4',
  },
  {
    point: 'G4',
    when: 'a missing verification is 401',
    trace: negative({ kind: 'verification', how: 'absent' }, 401, { operation: 'approveCase' }),
    keeps: 401,
    breaks: 403,
    clause: 'STV-1',
  },
  {
    point: 'G5',
    when: 'a corrected body is accepted under the key of the 422',
    trace: [
      { ...first, status: 422, role: 'test', deviations: [missing] },
      again(201, { deviations: [reuse('first', 'correction')] }),
    ],
    keeps: 'accept',
    breaks: 'conflict',
    clause: 'VAL-9',
  },
  {
    point: 'G7',
    when: 'an unknown member is ignored',
    trace: negative(strange, 201),
    keeps: 'ignore',
    breaks: 'refuse',
    clause: 'ERR-1',
  },
  {
    point: 'G7',
    when: 'an unknown member is refused',
    trace: negative(strange, 422),
    keeps: 'refuse',
    breaks: 'ignore',
    clause: 'ERR-1',
  },
  {
    point: 'G9',
    when: 'the record of another scope is 404',
    trace: [
      { id: 'made', status: 201 },
      ...negative({ kind: 'scope' }, 404, { operation: 'closeCase', on: 'made', as: 'abroad' }),
    ],
    keeps: 404,
    breaks: 403,
    clause: 'PRM-5',
  },
  {
    point: 'G10',
    when: 'a duplicate is replayed after the permission was withdrawn',
    trace: [first, again(201, { deviations: [{ kind: 'permission', how: 'withdrawn' }, reuse('first')] })],
    keeps: 'replay',
    breaks: 403,
    clause: 'PRM-10',
  },
  {
    point: 'G11',
    when: 'a faulty body without permission is 422',
    trace: negative([lacking, missing], 422, { as: 'nobody' }),
    keeps: 'lenient',
    breaks: 403,
    clause: 'PRE-2',
  },
  {
    point: 'G12',
    when: 'a failure is stored',
    trace: [failed, again(500)],
    keeps: 'stored',
    breaks: 'released',
    clause: 'IDM-15',
  },
  {
    point: 'G12',
    when: 'a failure is released',
    trace: [failed, again(201)],
    keeps: 'released',
    breaks: 'stored',
    clause: 'IDM-15',
  },
  {
    point: 'G13',
    when: 'a key is forgotten after a minute',
    trace: [first, again(201, { deviations: [reuse('first', 'late')], at: 60_100, result: 'case_2' })],
    keeps: { seconds: 30 },
    breaks: { seconds: 120 },
    clause: 'IDM-19',
  },
  {
    point: 'G14',
    when: 'malformed JSON is 400',
    trace: negative({ kind: 'body-syntax' }, 400),
    keeps: { malformed: 400 },
    breaks: 422,
    clause: 'VAL-13',
  },
  {
    point: 'G14',
    when: 'text/plain is 415',
    trace: negative({ kind: 'media-type' }, 415, { media: 'text/plain' }),
    keeps: { malformed: 400, mediaType: 415 },
    breaks: { mediaType: 422 },
    clause: 'VAL-14',
  },
  {
    point: 'G17',
    when: 'short keys are taken',
    trace: [near('one', 'k', 201)],
    keeps: { maxLength: 64 },
    breaks: 'uuid',
    clause: 'IDM-11',
  },
  {
    point: 'G17',
    when: 'a key of the declared form is refused',
    trace: [near('one', 'a'.repeat(20), 201), near('two', 'a'.repeat(60), 422)],
    keeps: { maxLength: 36 },
    breaks: { maxLength: 64 },
    clause: 'IDM-11',
  },
  {
    point: 'G18',
    when: 'the key of a colleague is free',
    trace: borrowed('caller', 'peer', {}),
    keeps: 'caller',
    breaks: 'tenant',
    clause: 'IDM-12',
  },
  {
    point: 'G18',
    when: 'the key of a colleague is taken',
    trace: borrowed('caller', 'peer', { status: 409 }),
    keeps: 'tenant',
    breaks: 'caller',
    clause: 'IDM-12',
  },
  {
    point: 'G18',
    when: 'the key of another tenant is taken',
    trace: borrowed('scope', 'abroad', { status: 409 }),
    keeps: 'global',
    breaks: 'tenant',
    clause: 'IDM-12',
  },
  {
    point: 'G19',
    when: 'an equal body under another key is a conflict',
    trace: [first, { id: 'second', role: 'test', status: 409 }],
    keeps: 'conflict',
    breaks: 'none',
    clause: 'IDM-10',
  },
];

function stateOf(point: PointCode, declared: Json, parts: readonly Part[]): OpenPoint['state'] | undefined {
  const observing = makeObserving(contextOf({ [point]: declared }));
  observing.see(trace(parts));
  return observing.finish().find((one) => one.point === point)?.state;
}

test.each(rows)('$point: $when, as $keeps declares and $breaks does not', (row) => {
  const says = (declared: Json): string =>
    judged({
      clause: row.clause,
      kind: 'violates',
      when: row.when,
      trace: row.trace,
      declares: { [row.point]: declared },
    }).outcome.kind;
  expect([says(row.breaks), stateOf(row.point, row.breaks, row.trace)]).toEqual([
    'violates',
    'contradicts the declaration',
  ]);
  expect(says(row.keeps)).not.toBe('violates');
  expect(stateOf(row.point, row.keeps, row.trace)).toBe('as declared');
  expect(openPointOf(row.point)?.clauses).toContain(row.clause);
});

test('every one of these can be declared', () => {
  const check = validator(declaresSchema);
  for (const { point, keeps, breaks } of rows)
    expect([...check({ [point]: keeps }), ...check({ [point]: breaks })]).toEqual([]);
});

test('a declared absence of limits is contradicted by any 429', () => {
  const throttled = judged({
    clause: 'THR-1',
    kind: 'violates',
    when: 'a plain command was throttled once',
    trace: [{ id: 'command', status: 201, earlier: [429] }],
    declares: { G8: 'unthrottled' },
  });
  expect(throttled.outcome.kind).toBe('violates');
  expect(stateOf('G8', 'unthrottled', [{ id: 'command', status: 201, earlier: [429] }])).toBe(
    'contradicts the declaration',
  );
});

test('nothing is contradicted where the valid request was refused as well', () => {
  const [probe, control] = negative(strange, 422, {}, { status: 422 });
  const parts = [probe, control].filter((line) => line !== undefined);
  expect(stateOf('G7', 'ignore', parts)).toBe('observed');
});

const keyOfPeer = borrowed('caller', 'peer', { status: 409 });
test.each([
  {
    ...says(
      'IDM-25',
      'a replay, and the command that it repeats',
      [first, { id: 'second', status: 201 }, again(201, { requestId: 'req_2' })],
      'holds again',
      'violated again first',
    ),
    declares: { G3: 'stored' },
  },
  {
    ...says(
      'IDM-12',
      'the key of a colleague is taken',
      keyOfPeer,
      'holds again first',
      'violated again first',
    ),
    declares: { G18: 'caller' },
  },
  { ...says('IDM-12', 'nothing is declared', keyOfPeer, 'holds again first') },
  {
    ...says(
      'ERR-1',
      'an unknown member is refused, and no key came twice',
      negative(strange, 422),
      'violated probe',
    ),
    declares: { G7: 'ignore' },
  },
  {
    ...says(
      'VAL-14',
      'a body that is not JSON is not another media type',
      negative({ kind: 'body-syntax' }, 400),
    ),
    declares: { G14: 422 },
  },
  {
    ...says(
      'THR-1',
      'one 429',
      [{ id: 'command', status: 201, earlier: [429] }],
      'violated command (conclusive)',
    ),
    declares: { G8: 'unthrottled' },
  },
])('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

test.each<readonly [PointCode, Json, string, readonly Part[]]>([
  ['G18', 'caller', 'caller (declared, G18)', keyOfPeer],
  [
    'G14',
    { mediaType: 422 },
    '{"mediaType":422} (declared, G14)',
    negative({ kind: 'media-type' }, 415, { media: 'text/plain' }),
  ],
])('what is expected at %s is what was declared', (point, declared, expected, parts) => {
  const rulings = [...asDeclared(point).rule(contextOf({ [point]: declared }), trace(parts))];
  expect(rulings.map((ruling) => 'expected' in ruling && ruling.expected)).toEqual([expected]);
});

test('a point that is none has nothing to say', () => {
  expect([...asDeclared('G99').rule(contextOf({ G99: 'replay' }), trace([first, again(201)]))]).toEqual([]);
});
