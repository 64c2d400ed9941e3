import type { Deviation } from '../../model/scenario.ts';
import { type Case, type Line, negative, record, reuse } from './trace.ts';

const made: Line = { id: 'made', role: 'setup', status: 201, result: 'case_7' };
const on = { operation: 'updateCase', on: 'made' } as const;
const version = (how: Extract<Deviation, { kind: 'version' }>['how']): Deviation => ({
  kind: 'version',
  how,
});
/** A read of the target before and after. */
const read = (id: string, value: string): Line => ({
  id,
  role: 'readback',
  operation: 'getCase',
  on: 'made',
  status: 200,
  body: record('case_7', { version: value }),
});
const current = (step: string): Pick<Line, 'version'> => ({
  version: { use: 'of', ref: { step, at: '/version' } },
});
/** A change with the version that `step` showed. */
const change = (id: string, step: string, status: number, more: Partial<Line> = {}): Line => ({
  id,
  ...on,
  status,
  ...current(step),
  ...more,
});
const race = (one: number, other: number, more: Partial<Line> = {}): Case['trace'] => [
  made,
  read('seen', '1'),
  [change('one', 'seen', one), change('two', 'seen', other, more)],
];
const again = (status: number, more: Partial<Line> = {}): Line =>
  change('again', 'seen', status, { role: 'probe', key: 'first', deviations: [reuse('first')], ...more });
const before = read('before', '2');

export const versionCases: readonly Case[] = [
  {
    clause: 'VER-1',
    kind: 'holds',
    when: 'the old version is a conflict',
    trace: [made, ...negative(version('stale'), 409, on)],
  },
  {
    clause: 'VER-1',
    kind: 'violates',
    when: 'it is answered 412, as RFC 9110 has it for If-Match',
    trace: [made, ...negative(version('stale'), 412, on)],
  },
  {
    clause: 'VER-1',
    kind: 'violates',
    when: 'the version of another record is accepted',
    trace: [made, ...negative(version('foreign'), 200, on)],
  },
  {
    clause: 'VER-1',
    kind: 'violates',
    when: 'the refused command changed the target',
    trace: [made, before, ...negative(version('stale'), 409, on).slice(0, 1), read('after', '3')],
  },
  {
    clause: 'VER-1',
    kind: 'silent',
    when: 'no version is accepted',
    trace: [made, ...negative(version('stale'), 412, on, { status: 412 })],
  },
  {
    clause: 'VER-2',
    kind: 'holds',
    when: 'the version that was read is accepted',
    trace: [made, read('seen', '1'), change('a', 'seen', 200)],
  },
  {
    clause: 'VER-2',
    kind: 'violates',
    when: 'it is refused although nothing came between',
    trace: [made, read('seen', '1'), change('a', 'seen', 200), read('moved', '2'), change('b', 'moved', 409)],
  },
  {
    clause: 'VER-2',
    kind: 'violates',
    when: 'a precondition is said to fail',
    trace: [made, read('seen', '1'), change('a', 'seen', 412)],
  },
  {
    clause: 'VER-2',
    kind: 'holds',
    when: 'another command came between the read and the refused one',
    trace: [
      made,
      read('seen', '1'),
      change('a', 'seen', 200),
      read('moved', '2'),
      { id: 'close', operation: 'closeCase', on: 'made', status: 200 },
      change('b', 'moved', 409),
    ],
  },
  {
    clause: 'VER-2',
    kind: 'silent',
    when: 'it is throttled',
    trace: [made, read('seen', '1'), change('a', 'seen', 429)],
  },
  {
    clause: 'VER-3',
    kind: 'holds',
    when: 'a missing version is answered 422',
    trace: [made, ...negative(version('absent'), 422, on)],
  },
  {
    clause: 'VER-3',
    kind: 'holds',
    when: 'it is answered 428',
    advisory: true,
    trace: [made, ...negative(version('absent'), 428, on)],
  },
  {
    clause: 'VER-3',
    kind: 'violates',
    when: 'the last write wins',
    trace: [made, ...negative(version('absent'), 200, on)],
  },
  {
    clause: 'VER-4',
    kind: 'holds',
    when: 'a version that never was is a conflict',
    trace: [made, ...negative(version('garbage'), 409, on)],
  },
  {
    clause: 'VER-4',
    kind: 'holds',
    when: 'it does not match the schema',
    trace: [made, ...negative(version('garbage'), 422, on)],
  },
  {
    clause: 'VER-4',
    kind: 'violates',
    when: '* is taken for any version',
    trace: [made, ...negative(version('garbage'), 200, on)],
  },
  { clause: 'VER-5', kind: 'holds', when: 'one wins, the other is a conflict', trace: race(200, 409) },
  {
    clause: 'VER-5',
    kind: 'silent',
    when: 'the other is throttled, so there was no race',
    trace: race(200, 429),
  },
  { clause: 'VER-5', kind: 'violates', when: 'both win', trace: race(200, 200) },
  {
    clause: 'VER-5',
    kind: 'violates',
    when: 'the loser is answered in another class',
    trace: race(200, 412),
  },
  { clause: 'VER-5', kind: 'silent', when: 'nobody wins', trace: race(409, 409) },
  {
    clause: 'VER-5',
    kind: 'silent',
    when: 'the second was sent when the first had ended',
    trace: race(200, 409, { at: 100 }),
  },
  {
    clause: 'VER-5',
    kind: 'silent',
    when: 'two commands at once on targets of their own',
    trace: [
      made,
      { ...made, id: 'second', result: 'case_8' },
      read('seen', '1'),
      [change('one', 'seen', 200), change('two', 'seen', 200, { on: 'second' })],
    ],
  },
  {
    clause: 'VER-6',
    kind: 'holds',
    when: 'the old version is refused after a success',
    trace: [
      made,
      change('a', 'made', 200),
      change('b', 'made', 409, { role: 'probe', deviations: [version('stale')] }),
    ],
  },
  {
    clause: 'VER-6',
    kind: 'violates',
    when: 'the old version is accepted after a success',
    trace: [
      made,
      change('a', 'made', 200),
      change('b', 'made', 200, { role: 'probe', deviations: [version('stale')] }),
    ],
  },
  {
    clause: 'VER-6',
    kind: 'silent',
    when: 'the success was on another target',
    trace: [
      made,
      { ...made, id: 'second', result: 'case_8' },
      change('a', 'second', 200, { on: 'second' }),
      change('b', 'made', 200, { role: 'probe', deviations: [version('stale')] }),
    ],
  },
  {
    clause: 'VER-6',
    kind: 'silent',
    when: 'the command that was to move it on was refused',
    trace: [
      made,
      change('a', 'made', 409),
      change('b', 'made', 200, { role: 'probe', deviations: [version('stale')] }),
    ],
  },
  {
    clause: 'VER-7',
    kind: 'holds',
    when: 'the stored result is replayed',
    trace: [made, read('seen', '1'), change('first', 'seen', 200), before, again(200), read('after', '2')],
  },
  {
    clause: 'VER-7',
    kind: 'holds',
    when: 'the retry is a conflict',
    trace: [made, read('seen', '1'), change('first', 'seen', 200), before, again(409), read('after', '2')],
  },
  {
    clause: 'VER-7',
    kind: 'violates',
    when: 'the retry changes the target again',
    trace: [made, read('seen', '1'), change('first', 'seen', 200), before, again(200), read('after', '3')],
  },
  {
    clause: 'VER-7',
    kind: 'violates',
    when: 'the old version of the retry is told in a class of its own',
    trace: [made, read('seen', '1'), change('first', 'seen', 200), again(412)],
  },
];
