import type { Deviation } from '../../model/scenario.ts';
import { says } from './says.ts';
import { type Case, type Line, negative, record } from './trace.ts';

const absentRecord: Deviation = { kind: 'target', how: 'absent' };
const left = 'violated probe read-1 read-2 read-3 (conclusive)';
const refused = (status: number, deviation: Deviation = absentRecord, more: Partial<Line> = {}) =>
  negative(deviation, status, { name: 'wrong', ...more });
const wrongQuery: Deviation = { kind: 'query', field: 'notify', keyword: 'type' };

/** A refused command whose record an independent read shows, or not. */
const shows = (
  clause: string,
  when: string,
  trace: Case['trace'],
  records: readonly string[],
  ...rulings: readonly string[]
): Case => ({ ...says(clause, when, trace, ...rulings), shows: { wrong: records, body: ['case_1'] } });

/** A command names two cases: one in its path that is read, and one in its body that is read as well. */
const partly = (
  status: number,
  after: Readonly<Record<string, string>>,
  more: Partial<Line> = {},
): Case['trace'] => {
  const look = (of: string, observes: 'before' | 'after', subject: string): Line => ({
    ...{ id: `${of}-${observes}`, role: 'readback', operation: 'getCase', on: of, observes, status: 200 },
    body: record(of === 'first' ? 'case_7' : 'case_8', { subject }),
  });
  const escalating: Partial<Line> = { operation: 'escalate', on: 'first', sent: '{"case":"case_7"}' };
  return [
    { id: 'first', role: 'setup', status: 201, result: 'case_7', name: 'made' },
    { id: 'second', role: 'setup', status: 201, result: 'case_8', name: 'made' },
    look('first', 'before', 'a'),
    look('second', 'before', 'b'),
    { id: 'probe', role: 'test', status, deviations: [absentRecord], ...escalating, ...more },
    look('first', 'after', after['first'] ?? 'a'),
    look('second', 'after', after['second'] ?? 'b'),
    { id: 'control', controls: 'probe', status: 201, ...escalating },
  ];
};

/** Refused commands that leave their record, or change another. */
export const leftBehindCases: readonly Case[] = [
  shows('VAL-7', 'a wrong reference gets 422, and leaves a record', refused(422), ['case_9'], left),
  shows('VAL-7', 'a wrong reference gets 422, and leaves none', refused(422), []),
  shows('VAL-7', 'a wrong reference gets 409: that is of ERR-1', refused(409), ['case_9']),
  shows(
    'VAL-7',
    'a wrong query field gets 422, and leaves a record',
    refused(422, wrongQuery),
    ['case_9'],
    left,
  ),
  ...[403, 404, 409, 410].map((status) =>
    shows(
      'ERR-1',
      `a wrong reference gets ${status}, and leaves a record`,
      refused(status),
      ['case_9'],
      'holds probe',
      left,
    ),
  ),
  shows('ERR-1', 'a wrong reference gets 404, and leaves none', refused(404), [], 'holds probe'),
  shows('ERR-1', 'a wrong reference gets 422: that is of VAL-7', refused(422), ['case_9'], 'holds probe'),
  shows('ERR-1', 'a wrong reference is accepted', refused(201), ['case_9']),
  shows('ERR-1', 'the service gave up waiting for the request', refused(408), ['case_9'], 'holds probe'),
  shows('ERR-1', 'the service failed on a wrong reference', refused(500), ['case_9'], 'violated probe'),
  shows('ERR-1', 'it was throttled', refused(429), ['case_9']),
  shows(
    'ERR-1',
    'a lost attempt may have made the record',
    refused(404, absentRecord, { earlier: [undefined] }),
    ['case_9'],
    'holds probe',
  ),
  shows(
    'ERR-1',
    'another media type is refused, and leaves a record',
    refused(415, { kind: 'media-type' }),
    ['case_9'],
    left,
  ),
  shows(
    'ERR-1',
    'two keys are refused, and leave a record',
    refused(400, { kind: 'key', how: 'doubled' }),
    ['case_9'],
    left,
  ),
  // A service may keep what it has to look through.
  shows(
    'ERR-1',
    'an unusual text is refused, and kept',
    refused(403, { kind: 'text-noise', at: '/subject', refusable: true }),
    ['case_9'],
  ),
  says('VAL-7', 'neither of two records that a refused command names has changed', partly(422, {})),
  says(
    'VAL-7',
    'the first of two records that a refused command names has changed',
    partly(422, { first: 'c' }),
    'violated probe first-before first-after',
  ),
  says(
    'VAL-7',
    'the second of two records that a refused command names has changed',
    partly(422, { second: 'c' }),
    'violated probe second-before second-after',
  ),
  says(
    'ERR-1',
    'a record that a refused command names has changed',
    partly(404, { second: 'c' }),
    'holds probe',
    'violated probe second-before second-after',
  ),
];
