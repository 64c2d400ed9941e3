import type { Json } from '../../model/json.ts';
import { says } from './says.ts';
import { type Case, type Line, record } from './trace.ts';

const [own, other] = ['case_b5d1c7', 'case_a4f0e6'];
const made = (id: string, result: string): Line => ({ id, role: 'setup', status: 201, result });
const read = (observes: 'before' | 'after', status: string): Line => ({
  id: observes,
  observes,
  operation: 'getCase',
  on: 'a',
  role: 'readback',
  status: 200,
  body: { id: own, status },
});
const command = (more: Partial<Line>): Line => ({
  id: 'command',
  operation: 'updateCase',
  on: 'a',
  role: 'test',
  status: 200,
  body: { id: other, status: 'open' },
  ...more,
});

/** A record is made, then one more, on which a command is run. */
const on = (when: string, more: Partial<Line>, ...rulings: readonly string[]): Case =>
  says('CMD-6', when, [made('other', other), made('a', own), command(more)], ...rulings);
const action = (when: string, left: string, ...rulings: readonly string[]): Case =>
  says(
    'CMD-6',
    when,
    [
      made('other', other),
      made('a', own),
      read('before', 'open'),
      command({ operation: 'closeCase' }),
      read('after', left),
    ],
    ...rulings,
  );

/** A record is made, then one more, which is read. */
const readIs = (
  shows: string,
  more: Partial<Line>,
  between: readonly Line[],
  ...rulings: readonly string[]
): Case =>
  says(
    'RDS-1',
    `a read of a record shows ${shows}`,
    [
      made('other', other),
      made('a', own),
      ...between,
      { id: 'read', operation: 'getCase', on: 'a', role: 'test', status: 200, body: record(other), ...more },
    ],
    ...rulings,
  );

/** The text of a body whose letters are written as `\\u0063`. */
const escaped = (body: Json): string => JSON.stringify(body).replaceAll('c', '\\u0063');

/** CMD-6 and RDS-1: results that show another record than the one that the request names. */
export const anotherRecordCases: readonly Case[] = [
  on('a change shows another record', {}, 'violated command (conclusive)'),
  on('a change shows its own record', { body: { id: own, status: 'open' } }),
  on('a change shows its own record, written in escapes', {
    body: escaped({ id: own, status: 'open' }),
  }),
  on('a change shows a record that nobody has made', { body: { id: 'case_c6e2d8', status: 'open' } }),
  on('a change shows another record, which it came from', { body: { id: other, of: own } }),
  on('a change shows another record, which the request names', { sent: JSON.stringify({ into: other }) }),
  on('a change of another record is refused', { status: 409 }),
  action(
    'an action shows another record, and leaves its own',
    'open',
    'inconclusive command before after',
    'violated command (conclusive)',
  ),
  action('an action shows the next record', 'closed', 'holds command before after'),
  says('CMD-6', 'an action shows another record, and its own was not read', [
    made('other', other),
    made('a', own),
    command({ operation: 'closeCase' }),
  ]),
  {
    ...says(
      'CMD-6',
      'the other record is made meanwhile, by a scenario that ends later',
      [{ ...made('other', other), at: 90, took: 30 }],
      'violated command (conclusive)',
    ),
    after: [[{ ...made('a', own), at: 5 }, command({ at: 100 })]],
  },
  readIs('another record', {}, [], 'holds read', 'violated read (conclusive)'),
  readIs(
    'a record for an ID that none has',
    { given: 'case_none', deviations: [{ kind: 'target', how: 'absent' }] },
    [],
    'violated read (conclusive)',
  ),
  readIs('its own record', { body: record(own) }, [], 'holds read'),
  readIs('its own record, written in escapes', { body: escaped(record(own)) }, [], 'holds read'),
  readIs('another record, which names its own', { body: record(other, { of: own }) }, [], 'holds read'),
  readIs('a record that nobody has made', { body: record('case_c6e2d8') }, [], 'holds read'),
  readIs('another record, and a command came before', {}, [command({ body: record(own) })], 'holds read'),
  readIs(
    'another record, and a command named it',
    {},
    [{ ...made('merged', 'case_d7b1f2'), sent: JSON.stringify({ from: own }) }],
    'holds read',
  ),
];
