import { describe, expect, test } from 'vitest';
import { contextOf } from '../clauses/cases/judged.ts';
import { again, first } from '../clauses/cases/repeats.ts';
import { type Line, negative, type Part, reuse, trace } from '../clauses/cases/trace.ts';
import type { Declaration, PointCode } from '../model/declaration.ts';
import type { OpenPoint } from '../model/open-point.ts';
import { makeObserving } from './observe.ts';

/** The command of the second request, under a key of its own. */
const control = (status: number): Line => ({
  id: 'control',
  status,
  key: 'new',
  result: 'case_2',
  controls: 'again',
});

/** What the register says of one point after these traces. */
function seen(
  point: PointCode,
  traces: readonly (readonly Part[])[],
  declares: Declaration = {},
): Pick<OpenPoint, 'state' | 'observed' | 'notes'> {
  const observing = makeObserving(contextOf(declares));
  for (const [index, parts] of traces.entries()) observing.see(trace(parts, { id: `t${index}` }));
  const found = observing.finish().find((one) => one.point === point);
  if (found === undefined) throw new Error(`the register lacks ${point}`);
  const { state, observed, notes } = found;
  return { state, observed, notes };
}

test('counts kinds of answers, with exchanges and request IDs that show them', () => {
  expect(
    seen('G1', [
      [first, again(201)],
      [first, again(201)],
    ]),
  ).toEqual({
    state: 'observed',
    observed: [
      {
        text: '2xx with the same ID',
        count: 2,
        exchanges: ['t0-x1', 't1-x1'],
        requestIds: ['req_t0_1', 'req_t1_1'],
      },
    ],
    notes: [],
  });
});

test('mixed responses are noted where nothing is declared', () => {
  const { state, notes } = seen('G1', [
    [first, again(201)],
    [first, again(409)],
  ]);
  expect(state).toBe('mixed');
  expect(notes).toEqual([expect.stringContaining('The responses are mixed.')]);
});

test('nobody is advised to declare a reading that another response contradicts', () => {
  const cut = negative([{ kind: 'body-syntax' }], 400);
  const empty = negative([{ kind: 'body-syntax' }], 422);
  expect(seen('G14', [empty]).notes).toEqual([
    'G14: the responses follow the reading 422, which is allowed. Declare `G14: 422`, and later runs test it.',
  ]);
  expect(seen('G14', [cut, empty]).notes).toEqual([]);
});

test('concurrent, throttled and unfinished duplicates say nothing', () => {
  expect(seen('G1', [[[first, again(201)]], [first, again(429)]]).state).toBe('not observed');
});

test('the longest lifetime of a key that was tested, and the shortest after which it was forgotten', () => {
  const late = (seconds: number, more: Partial<Line> = {}): readonly Part[] => [
    first,
    again(201, { at: 15 + seconds * 1000, deviations: [reuse('first', 'late')], ...more }),
  ];
  expect(seen('G13', [late(6), late(11), late(8)]).observed).toEqual([
    expect.objectContaining({
      text: 'honoured for 11 s, the longest that was tested',
      count: 3,
      exchanges: ['t1-x1', 't0-x1', 't2-x1'],
    }),
  ]);
  expect(seen('G13', [late(9, { result: 'case_2' })]).observed[0]?.text).toBe('not honoured after 9 s');
});

test('how long a record took to be seen', () => {
  const made: Line = { id: 'made', status: 201, result: 'case_1' };
  const poll = (ordinal: number, at: number, status: number): Line => ({
    id: 'poll',
    observes: 'arrival',
    operation: 'getCase',
    role: 'readback',
    on: 'made',
    ordinal,
    at,
    status,
  });
  const parts = [made, poll(0, 20, 404), poll(1, 1515, 404), poll(2, 2015, 200)];
  expect(seen('G15', [parts]).observed.map(({ text }) => text)).toEqual([
    'not yet seen after 1500 ms',
    'seen after 2000 ms',
  ]);
  expect(seen('G15', [parts], { G15: { seconds: 1 } }).state).toBe('contradicts the declaration');
  expect(seen('G15', [parts], { G15: { seconds: 3 } }).state).toBe('as declared');
});

test('the smallest number of requests that was throttled', () => {
  const pace: Line['deviations'] = [{ kind: 'pace' }];
  const burst = (accepted: number): readonly Part[] => [
    ...Array.from(
      { length: accepted },
      (_, ordinal): Line => ({ id: 'burst', role: 'test', ordinal, status: 201, deviations: pace }),
    ),
    { id: 'burst', role: 'test', ordinal: accepted, status: 429, deviations: pace },
  ];
  expect(seen('G8', [burst(7), burst(5), burst(6)]).observed).toEqual([
    expect.objectContaining({ text: '429 after 5 requests within 1 s', count: 3 }),
  ]);
});

test('error bodies by media type and members', () => {
  expect(
    seen('G16', [
      negative({ kind: 'key', how: 'absent' }, 422, { key: 'none', body: { title: '', detail: '' } }),
    ]).observed,
  ).toEqual([expect.objectContaining({ text: 'application/json { detail, title }', count: 1 })]);
});

test('says so where the answers are those of the IETF draft', () => {
  const words =
    'Off-the-shelf idempotency middleware follows the IETF draft on Idempotency-Key (400 for a missing key, 422 for another body under the same key)';
  const missing = negative({ kind: 'key', how: 'absent' }, 400, { key: 'none' });
  expect(seen('G2', [missing]).notes).toEqual([
    expect.stringContaining('G2: 400'),
    expect.stringContaining(words),
  ]);
  const other = again(422, { name: 'other', deviations: [reuse('first', 'request')] });
  expect(seen('G1', [[first, other, control(201)]]).notes).toEqual([
    expect.stringContaining('409 (POST /cases, rule 4)'),
  ]);
  expect(seen('G2', [negative({ kind: 'key', how: 'absent' }, 422, { key: 'none' })]).notes).toEqual([]);
});

test('memory stays flat: a dozen kinds of answers, three examples each', () => {
  const shapes = Array.from({ length: 40 }, (_, index) =>
    negative({ kind: 'key', how: 'absent' }, 422, { key: 'none', body: { [`field${index}`]: 1 } }),
  );
  const { observed } = seen('G16', [...shapes, ...shapes, ...shapes, ...shapes]);
  expect(observed).toHaveLength(12);
  expect(Math.max(...observed.map(({ exchanges }) => exchanges.length))).toBe(3);
});

test('what nobody saw, and what says nothing of the declaration', () => {
  expect(seen('G1', [])).toEqual({ state: 'not observed', observed: [], notes: [] });
  expect(seen('G1', [], { G1: 'replay' }).state).toBe('not observed');
  expect(seen('G1', [[first, again(422)]], { G1: 'replay' }).state).toBe('observed');
  // One contradiction weighs more than whatever agrees.
  const mixed = [
    [first, again(201)],
    [first, again(409)],
    [first, again(201)],
  ];
  expect(seen('G1', mixed, { G1: 'replay' }).state).toBe('contradicts the declaration');
  expect(seen('G1', mixed, { G1: 'replay' }).notes).toEqual([]);
  expect(seen('G1', mixed.slice(0, 1), { G1: 'replay' }).state).toBe('as declared');
});

test('no reading is advised that something else contradicts', () => {
  const borrowed = (status: number, result?: string): readonly Part[] => [
    first,
    again(status, {
      as: 'peer',
      deviations: [reuse('first', 'caller')],
      ...(result === undefined ? {} : { result }),
    }),
  ];
  expect(seen('G18', [borrowed(409)]).notes).toEqual([expect.stringContaining('`G18: tenant`')]);
  expect(seen('G18', [borrowed(409), borrowed(201, 'case_2')]).notes).toEqual([]);
});

test('answers that show no reading are not mixed', () => {
  expect(
    seen('G1', [
      [first, again(422)],
      [first, again(201, { result: 'case_2' })],
      [first, again(201)],
    ]),
  ).toMatchObject({ state: 'observed', notes: [] });
});

test('the most frequent answer comes first', () => {
  const all = ['replayed', 409, 409, 422, 422, 422].map((status) => [
    first,
    again(typeof status === 'number' ? status : 201),
  ]);
  expect(seen('G1', all).observed.map(({ text, count }) => [text, count])).toEqual([
    ['422', 3],
    ['409', 2],
    ['2xx with the same ID', 1],
  ]);
});

test('of several request IDs of one response the first is shown', () => {
  const two = { requestId: ['req_1', 'req_2'] };
  expect(seen('G1', [[first, again(201, two)]]).observed[0]?.requestIds).toEqual(['req_1']);
  const late = again(201, { at: 9015, deviations: [reuse('first', 'late')], ...two });
  expect(seen('G13', [[first, late]]).observed[0]?.requestIds).toEqual(['req_1']);
});

test('three examples, the extreme one first; an equal one is no more extreme', () => {
  const late = (seconds: number): readonly Part[] => [
    first,
    again(201, { at: 15 + seconds * 1000, deviations: [reuse('first', 'late')] }),
  ];
  expect(seen('G13', [late(1), late(2), late(3), late(4), late(4), late(2)]).observed).toEqual([
    {
      text: 'honoured for 4 s, the longest that was tested',
      count: 6,
      exchanges: ['t3-x1', 't2-x1', 't1-x1'],
      requestIds: ['req_t3_1', 'req_t2_1', 'req_t1_1'],
    },
  ]);
  expect(seen('G13', [late(5), late(5)]).observed[0]?.exchanges).toEqual(['t0-x1', 't1-x1']);
  const forgotten = (seconds: number): readonly Part[] => [
    first,
    again(201, { at: 15 + seconds * 1000, deviations: [reuse('first', 'late')], result: 'case_2' }),
  ];
  expect(seen('G13', [forgotten(9), forgotten(7), forgotten(7), forgotten(8)]).observed[0]).toMatchObject({
    text: 'not honoured after 7 s',
    exchanges: ['t1-x1', 't0-x1', 't2-x1'],
  });
});

describe('the draft of the IETF is spoken of', () => {
  const other = (status: number, ...more: Exclude<Line['deviations'], undefined>): readonly Part[] => [
    first,
    again(status, { name: 'other', deviations: [reuse('first', 'request'), ...more] }),
    control(201),
  ];
  const notesOf = (point: PointCode, ...traces: readonly (readonly Part[])[]) =>
    seen(point, traces).notes.length;

  test('where another body under a used key was 422', () => {
    expect(notesOf('G1', other(422))).toBe(1);
    expect(notesOf('G3', other(422))).toBe(0);
  });
  test('not where it was 409', () => expect(notesOf('G1', other(409))).toBe(0));
  test('not where that body, or the first, was refused by itself', () => {
    const [, wrong] = other(422);
    const judged = (one: Part, own: number) =>
      notesOf('G1', [one, ...(wrong === undefined ? [] : [wrong]), control(own)]);
    expect(judged(first, 201)).toBe(1);
    expect(judged(first, 422)).toBe(0);
    expect(judged({ ...first, status: 422 }, 201)).toBe(0);
  });
  test('not where it had another fault as well', () =>
    expect(notesOf('G1', other(422, { kind: 'body', at: '/subject', keyword: 'required' }))).toBe(0));
  test('not where the same body was 422', () => expect(notesOf('G1', [first, again(422)])).toBe(0));
  test('not where a valid command, or another fault, was 422', () => {
    expect(notesOf('G1', [{ id: 'a', status: 422 }])).toBe(0);
    expect(notesOf('G1', negative({ kind: 'body', at: '/subject', keyword: 'required' }, 422))).toBe(0);
  });
  test('where a missing key was 400, whatever else it was', () => {
    const keyless = (status: number) => negative({ kind: 'key', how: 'absent' }, status, { key: 'none' });
    expect(seen('G2', [keyless(400), keyless(422)])).toMatchObject({
      state: 'mixed',
      notes: [expect.stringContaining('mixed'), expect.stringContaining('400 for a missing key')],
    });
    expect(notesOf('G14', negative({ kind: 'body-syntax' }, 400))).toBe(0);
    expect(
      notesOf('G4', negative({ kind: 'verification', how: 'absent' }, 400, { operation: 'approveCase' })),
    ).toBe(0);
  });
});
