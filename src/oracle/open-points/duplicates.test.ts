import { expect, test } from 'vitest';
import { again, first } from '../../clauses/cases/repeats.ts';
import { type SightCase, sighted } from '../../clauses/cases/sight.ts';
import { type Line, missing, type Part, reuse } from '../../clauses/cases/trace.ts';

const corrected = (status: number): readonly Part[] => [
  { ...first, role: 'test', status: 422, deviations: [missing] },
  again(status, { deviations: [reuse('first', 'correction')] }),
];
const failing: Line = { ...first, status: 500, deviations: [{ kind: 'fault', how: 'before-commit' }] };
const late = (seconds: number, more: Partial<Line> = {}): readonly Part[] => [
  first,
  again(201, { at: 15 + seconds * 1000, deviations: [reuse('first', 'late')], ...more }),
];

const rows: readonly SightCase[] = [
  {
    point: 'G1',
    when: 'a replay',
    trace: [first, again(201)],
    shows: '2xx with the same ID',
    reading: 'replay',
    agrees: ['replay'],
    contradicts: ['conflict'],
  },
  {
    point: 'G1',
    when: 'a conflict',
    trace: [first, again(409)],
    shows: '409',
    reading: 'conflict',
    agrees: ['conflict'],
    contradicts: ['replay'],
  },
  {
    point: 'G1',
    when: 'another ID',
    trace: [first, again(201, { result: 'case_2' })],
    shows: '2xx with another ID',
  },
  {
    point: 'G1',
    when: 'another command came first',
    trace: [{ id: 'other', status: 201, result: 'case_9' }, first, again(201)],
    shows: '2xx with the same ID',
    reading: 'replay',
  },
  { point: 'G1', when: 'a redirection', trace: [first, again(300)], shows: '300' },
  { point: 'G1', when: 'no final answer', trace: [first, again(199)], shows: '199' },
  { point: 'G1', when: 'another class', trace: [first, again(422)], shows: '422' },
  { point: 'G1', when: 'the first was refused', trace: [{ ...first, status: 422 }, again(201)] },
  { point: 'G1', when: 'the first was not answered', trace: [{ ...first, status: undefined }, again(201)] },
  { point: 'G1', when: 'the first had not ended', trace: [{ ...first, took: 11 }, again(201)] },
  {
    point: 'G1',
    when: 'the first ended in the same instant',
    trace: [{ ...first, took: 10 }, again(201)],
    shows: '2xx with the same ID',
    reading: 'replay',
  },
  {
    point: 'G1',
    when: 'another fault as well',
    trace: [first, again(201, { deviations: [reuse('first'), missing] })],
  },
  {
    point: 'G1',
    when: 'another request',
    trace: [first, again(201, { deviations: [reuse('first', 'request')] })],
  },
  { point: 'G1', when: 'a throttled duplicate', trace: [first, again(429)] },
  {
    point: 'G3',
    when: 'a new request ID',
    trace: [first, again(201)],
    shows: 'a new request ID',
    reading: 'new',
    agrees: ['new'],
    contradicts: ['stored'],
  },
  {
    point: 'G3',
    when: 'the stored request ID',
    trace: [{ ...first, requestId: 'req_1' }, again(201, { requestId: 'req_1' })],
    shows: 'the stored request ID',
    reading: 'stored',
    agrees: ['stored'],
    contradicts: ['new'],
  },
  {
    point: 'G3',
    when: 'of two request IDs only one is the stored one',
    trace: [{ ...first, requestId: 'req_1' }, again(201, { requestId: ['req_1', 'req_2'] })],
    shows: 'a new request ID',
    reading: 'new',
  },
  {
    point: 'G3',
    when: 'two IDs that only look the same when joined',
    trace: [{ ...first, requestId: ['req_1', '2'] }, again(201, { requestId: 'req_12' })],
    shows: 'a new request ID',
    reading: 'new',
  },
  { point: 'G3', when: 'no request ID', trace: [first, again(201, { requestId: [] })] },
  { point: 'G3', when: 'a refused duplicate', trace: [first, again(409)] },
  { point: 'G3', when: 'no duplicate', trace: [first] },
  {
    point: 'G5',
    when: 'a corrected body is accepted',
    trace: corrected(201),
    shows: '2xx',
    reading: 'accept',
    agrees: ['accept'],
    contradicts: ['conflict'],
  },
  {
    point: 'G5',
    when: 'a corrected body is a conflict',
    trace: corrected(409),
    shows: '409',
    reading: 'conflict',
    agrees: ['conflict'],
    contradicts: ['accept'],
  },
  { point: 'G5', when: 'the 422 is stale', trace: corrected(422), shows: '422' },
  { point: 'G5', when: 'a plain duplicate', trace: [first, again(201)] },
  {
    point: 'G12',
    when: 'a failure is stored',
    trace: [failing, again(500)],
    shows: '500 to the retry',
    reading: 'stored',
    agrees: ['stored'],
    contradicts: ['released'],
  },
  {
    point: 'G12',
    when: 'a failure is released',
    trace: [failing, again(201)],
    shows: '201 to the retry',
    reading: 'released',
    agrees: ['released'],
    contradicts: ['stored'],
  },
  {
    point: 'G12',
    when: 'the retry is a conflict',
    trace: [failing, again(409)],
    shows: '409 to the retry',
  },
  { point: 'G12', when: 'no failure', trace: [{ ...first, status: 499 }, again(201)] },
  { point: 'G12', when: 'no duplicate', trace: [failing, { id: 'other', status: 201 }] },
  {
    point: 'G12',
    when: 'another request after a failure',
    trace: [failing, again(201, { deviations: [reuse('first', 'request')] })],
  },
  {
    point: 'G13',
    when: 'a key is honoured',
    trace: late(9),
    shows: 'honoured for # s, the longest that was tested (9, largest)',
    agrees: [{ seconds: 1 }, { seconds: 100 }],
  },
  {
    point: 'G13',
    when: 'a key is honoured by a conflict',
    trace: late(9.999, { status: 409 }),
    shows: 'honoured for # s, the longest that was tested (9, largest)',
  },
  {
    point: 'G13',
    when: 'a key is forgotten',
    trace: late(30, { result: 'case_2' }),
    shows: 'not honoured after # s (30, smallest)',
    agrees: [{ seconds: 30 }, { seconds: 5 }, 'for ever'],
    contradicts: [{ seconds: 31 }],
  },
  {
    point: 'G13',
    when: 'a used key is refused',
    trace: late(30, { status: 422 }),
    shows: 'not honoured after # s (30, smallest)',
  },
  { point: 'G13', when: 'an early duplicate', trace: [first, again(201, { at: 30_000 })] },
  {
    point: 'G13',
    when: 'the first was refused',
    trace: [{ ...first, status: 422 }, ...late(30).slice(1)],
  },
];

test.each(rows)('$point: $when', (row) => {
  const { actual, expected } = sighted(row);
  expect(actual).toEqual(expected);
});
