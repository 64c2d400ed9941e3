import { expect, test } from 'vitest';
import { clauses } from '../clauses/catalogue.ts';
import { contextOf, type Line, negative, type Part, reuse, trace } from '../clauses/literal/trace.ts';
import type { Declaration, PointCode } from '../model/declaration.ts';
import type { OpenPoint } from '../model/open-point.ts';
import { makeObserving } from './observe.ts';
import { openPoints } from './open-points/register.ts';

test('nineteen points, with clauses that there are', () => {
  expect(openPoints.map((entry) => entry.point)).toEqual(
    Array.from({ length: 19 }, (_, index) => `G${index + 1}`),
  );
  const known = new Set(clauses.map((clause) => clause.code));
  expect(openPoints.flatMap((entry) => entry.clauses.filter((code) => !known.has(code)))).toEqual([]);
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

const first: Line = { id: 'first', status: 201, key: 'key', result: 'case_1' };
const again = (more: Partial<Line> = {}): Line => ({
  id: 'again',
  role: 'probe',
  status: 201,
  key: 'key',
  result: 'case_1',
  deviations: [reuse('first')],
  ...more,
});

test('counts kinds of answers, with exchanges and request ids that show them', () => {
  expect(
    seen('G1', [
      [first, again()],
      [first, again()],
    ]),
  ).toEqual({
    state: 'observed',
    observed: [
      {
        text: '2xx with the same id',
        count: 2,
        exchanges: ['t0-x1', 't1-x1'],
        requestIds: ['req_t0_1', 'req_t1_1'],
      },
    ],
    notes: [],
  });
});

test('mixed answers are told where nothing is declared', () => {
  const { state, notes } = seen('G1', [
    [first, again()],
    [first, again({ status: 409 })],
  ]);
  expect(state).toBe('mixed');
  expect(notes).toEqual([expect.stringContaining('The answers are mixed.')]);
});

test('concurrent, throttled and unfinished duplicates say nothing', () => {
  expect(seen('G1', [[[first, again()]], [first, again({ status: 429 })]]).state).toBe('not observed');
});

test('the longest lifetime of a key that was tested, and the shortest after which it was forgotten', () => {
  const late = (seconds: number, more: Partial<Line> = {}): readonly Part[] => [
    first,
    again({ at: 15 + seconds * 1000, deviations: [reuse('first', 'late')], ...more }),
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
      (_, ordinal): Line => ({ id: 'burst', role: 'probe', ordinal, status: 201, deviations: pace }),
    ),
    { id: 'burst', role: 'probe', ordinal: accepted, status: 429, deviations: pace },
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
  expect(seen('G2', [missing]).notes).toEqual([expect.stringContaining(words)]);
  const other = [first, again({ status: 422, name: 'other', deviations: [reuse('first', 'request')] })];
  expect(seen('G1', [other]).notes).toEqual([expect.stringContaining('409 (POST /cases, rule 4)')]);
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
