import type { Json } from '../../model/json.ts';
import type { Deviation } from '../../model/scenario.ts';
import { movedCountCases } from './moved-counts.ts';
import { again, first } from './repeats.ts';
import { says } from './says.ts';
import { type Case, type Line, missing, page, reuse } from './trace.ts';

const pace: Deviation = { kind: 'pace' };
const burst = (status: number | undefined, more: Partial<Line> = {}): Line => ({
  id: 'burst',
  role: 'test',
  key: 'key',
  status,
  deviations: [pace],
  ...more,
});
const honoured = (status: number | undefined, more: Partial<Line> = {}): Line => ({
  id: 'honoured',
  key: 'key',
  status,
  deviations: [pace],
  ...more,
});
const fresh = (status: number | undefined, more: Partial<Line> = {}): Line => ({
  id: 'fresh',
  status,
  ...more,
});

const throttled: readonly Case[] = [
  says('IDM-14', 'the retry is accepted', [burst(429), honoured(201)], 'holds honoured burst'),
  says(
    'IDM-14',
    'the retry is not answered',
    [burst(429), honoured(undefined), fresh(201)],
    'inconclusive honoured burst',
  ),
  says(
    'IDM-14',
    'the retry comes to 409, and a fresh key is accepted',
    [burst(429), honoured(409), fresh(201)],
    'violated honoured burst fresh',
  ),
  says(
    'IDM-14',
    'the retry is throttled again, before and after a fresh key is accepted',
    [burst(429), honoured(429), fresh(201), honoured(429, { id: 'last' })],
    'violated last burst fresh',
  ),
  says(
    'IDM-14',
    'the retry is throttled, and not sent again once a fresh key is accepted',
    [burst(429), honoured(429), fresh(201)],
    'inconclusive honoured burst fresh',
  ),
  says(
    'IDM-14',
    'the retry is throttled, and accepted once a fresh key is',
    [burst(429), honoured(429), fresh(201), honoured(201, { id: 'last' })],
    'holds last burst',
  ),
  ...[502, undefined].map((status) =>
    says(
      'IDM-14',
      `a retry before came to ${status ?? 'nothing'}, and may have been carried out`,
      [burst(429), honoured(409, { earlier: [status] }), fresh(201)],
      'inconclusive honoured burst',
    ),
  ),
  says(
    'IDM-14',
    'a fresh key is refused as well',
    [burst(429), honoured(429), fresh(429)],
    'inconclusive honoured burst',
  ),
  says(
    'IDM-14',
    'a fresh key had to wait',
    [burst(429), honoured(429), fresh(201, { earlier: [429] })],
    'inconclusive honoured burst',
  ),
  says('IDM-14', 'no fresh key', [burst(429), honoured(429)], 'inconclusive honoured burst'),
  says(
    'IDM-14',
    'a fresh key that was accepted before',
    [fresh(201), burst(429), honoured(429)],
    'inconclusive honoured burst',
  ),
  says(
    'IDM-14',
    'what is accepted is no control',
    [burst(429), honoured(429), fresh(201, { role: 'readback' })],
    'inconclusive honoured burst',
  ),
  says(
    'IDM-14',
    'of several retries the last counts',
    [burst(429), honoured(429), honoured(201, { id: 'thrice' })],
    'holds thrice burst',
  ),
  says(
    'IDM-14',
    'what comes after an accepted retry is a duplicate',
    [burst(429), honoured(201), honoured(409, { id: 'thrice' }), fresh(201)],
    'holds honoured burst',
  ),
  says(
    'IDM-14',
    'the throttled request had been lost before',
    [burst(429, { earlier: [undefined] }), honoured(409), fresh(201)],
    'inconclusive honoured burst',
  ),
  says(
    'IDM-14',
    'another request of the burst under its key was accepted',
    [burst(201, { id: 'served' }), burst(429), honoured(409), fresh(201)],
    'inconclusive honoured burst',
  ),
  says(
    'IDM-14',
    'of several throttled ones the one that was sent again',
    [
      burst(201, { id: 'served', key: 'k0' }),
      burst(429, { id: 'other', key: 'k1' }),
      burst(429),
      honoured(201),
    ],
    'holds honoured burst',
  ),
  says(
    'IDM-14',
    'it was sent again as it ended',
    [burst(429, { took: 10 }), honoured(201)],
    'holds honoured burst',
  ),
  says('IDM-14', 'it was sent again before it ended', [burst(429, { took: 11 }), honoured(201)]),
  says('IDM-14', 'it was not sent again', [burst(429), fresh(201)]),
  says('IDM-14', 'only another probe has its key', [burst(429), honoured(409, { role: 'test' }), fresh(201)]),
  says('IDM-14', 'nothing was throttled', [burst(201), honoured(409), fresh(201)]),
  says('IDM-14', 'it was not answered', [burst(undefined), honoured(409), fresh(201)]),
  says('IDM-14', 'throttled by chance', [burst(429, { deviations: [] }), honoured(409), fresh(201)]),
  says('IDM-14', 'no keys', [burst(429, { key: 'none' }), honoured(409, { key: 'none' }), fresh(201)]),
];

const fault = (how: 'before-commit' | 'after-commit' | 'slow', status = 503): Line => ({
  ...first,
  status,
  deviations: [{ kind: 'fault', how }],
});
const ids = 'holds again first (ids only)';
/** The same command under a fresh key. */
const valid: Line = { id: 'fresh', controls: '*', key: 'k', name: 'valid', status: 201, result: 'case_9' };

const failures: readonly Case[] = [
  ...[201, 409, 503].map((status) =>
    says(
      'IDM-15',
      `the retry comes to ${status}`,
      [fault('before-commit'), again(status), valid],
      'holds again first',
      ids,
    ),
  ),
  ...[409, 503].map((status) =>
    says(
      'IDM-15',
      `the retry comes to ${status}, and nothing is accepted`,
      [fault('before-commit'), again(status)],
      'inconclusive again first',
      'inconclusive again first',
    ),
  ),
  ...[422].map((status) =>
    says(
      'IDM-15',
      `the retry comes to ${status}`,
      [fault('after-commit'), again(status), valid],
      'violated again first',
      ids,
    ),
  ),
  ...[undefined, 422].map((status) =>
    says(
      'IDM-15',
      `the retry comes to 422, and a fresh command to ${status}`,
      [fault('after-commit'), again(422), { ...valid, status }],
      'inconclusive again first',
      'inconclusive again first',
    ),
  ),
  ...[429, undefined].map((status) =>
    says(
      'IDM-15',
      `the retry comes to ${status}`,
      [fault('after-commit'), again(status)],
      'inconclusive again first',
      'inconclusive again first',
    ),
  ),
  says(
    'IDM-15',
    '500 is a failure',
    [fault('before-commit', 500), again(422), valid],
    'violated again first',
    ids,
  ),
  ...[201, undefined].map((status) =>
    says(
      'IDM-15',
      `the command was to fail, and came to ${status}`,
      [{ ...fault('after-commit'), status }, again(422)],
      status === 201 ? ids : 'inconclusive again first',
    ),
  ),
  says(
    'IDM-15',
    'the retry fails in another way',
    [fault('before-commit'), again(502), valid],
    'inconclusive again first',
    ids,
  ),
  says('IDM-15', 'it was only slow', [fault('slow'), again(422)]),
  says('IDM-15', 'nothing made it fail', [{ ...first, status: 503 }, again(422)]),
  says('IDM-15', 'the retry has a fault', [fault('before-commit'), again(422, { deviations: [missing] })]),
  {
    ...says(
      'IDM-15',
      'the failure had been committed, and the retry was as well',
      [fault('after-commit'), again(201)],
      'holds again first',
      'violated again first read-1 read-2 read-3 (conclusive)',
    ),
    shows: { body: ['case_1', 'case_2'] },
  },
];

const lost: Line = { ...first, status: undefined, deviations: [{ kind: 'lost-response' }] };
const later = (status: number | undefined): Line => again(status, { id: 'later' });

function wedged(
  clause: 'IDM-15' | 'IDM-16',
  broken: Line,
  what: string,
  subject: string,
  ...rulings: readonly string[]
): Case {
  const read: Line = {
    id: 'before',
    operation: 'getCase',
    status: 200,
    body: { id: 'case_7', subject: 'a' },
  };
  const on = (line: Line): Line => ({ ...line, operation: 'updateCase' });
  const after: Line = { ...read, id: 'after', body: { id: 'case_7', subject } };
  const trace = [read, on(broken), on(again(409)), after, on(valid)];
  return says(clause, `a conflict, and a read ${what}`, trace, ...rulings);
}

const losses: readonly Case[] = [
  says('IDM-16', 'the retry gets the result', [lost, again(201)], 'holds again first', ids),
  says('IDM-16', 'a conflict', [lost, again(409), valid], 'holds again first', ids),
  {
    ...says(
      'IDM-16',
      'a conflict, and a read shows no record',
      [lost, again(409), valid],
      'holds again first',
      'holds again first read-1 read-2 read-3',
      'holds again first (advisory)',
    ),
    shows: { body: [] },
  },
  // A body without room for a marker: the list may have the record, and shows no marker either way.
  {
    ...says(
      'IDM-16',
      'a conflict, and a read cannot tell whether there is a record',
      [{ ...lost, sent: '{"amount":1}' }, again(409, { sent: '{"amount":1}' }), valid],
      'holds again first',
      'holds again first read-1 read-2 read-3',
    ),
    shows: { body: [] },
  },
  wedged('IDM-16', lost, 'shows no change', 'a', 'holds again first', 'holds again first (advisory)'),
  wedged('IDM-16', lost, 'shows a change', 'b', 'holds again first'),
  says(
    'IDM-16',
    'a conflict, and nothing is accepted',
    [lost, again(409)],
    'inconclusive again first',
    'inconclusive again first',
  ),
  ...[422, 500].map((status) =>
    says('IDM-16', `the retry comes to ${status}`, [lost, again(status), valid], 'violated again first', ids),
  ),
  says(
    'IDM-16',
    'the retry comes to 422, and a fresh command as well',
    [lost, again(422), { ...valid, status: 422 }],
    'inconclusive again first',
    'inconclusive again first',
  ),
  ...[429, undefined].map((status) =>
    says(
      'IDM-16',
      `the retry comes to ${status}`,
      [lost, again(status)],
      'inconclusive again first',
      'inconclusive again first',
    ),
  ),
  says(
    'IDM-16',
    'the last retry counts',
    [lost, again(409), later(201)],
    'holds later first',
    'holds again first later (ids only)',
  ),
  says('IDM-16', 'nothing was lost', [first, again(422)]),
  says('IDM-16', 'it was not sent again', [lost]),
  {
    ...says(
      'IDM-16',
      'both were carried out',
      [lost, again(201)],
      'holds again first',
      'violated again first read-1 read-2 read-3 (conclusive)',
    ),
    shows: { body: ['case_1', 'case_2'] },
  },
];

/** A lock that outlives a failure: the key is refused, or gets no response, each time. */
const locked: readonly Case[] = [
  {
    ...says(
      'IDM-15',
      'a conflict, and a read shows no record',
      [fault('before-commit'), again(409), later(409), valid],
      'holds again first',
      'holds later first',
      'holds again first later read-1 read-2 read-3',
      'holds later first (advisory)',
    ),
    shows: { body: [] },
  },
  {
    ...says(
      'IDM-15',
      'a conflict at first, and then the command runs',
      [fault('before-commit'), again(409), later(201), valid],
      'holds again first',
      'holds later first',
      'holds again first later read-1 read-2 read-3',
    ),
    shows: { body: ['case_1'] },
  },
  {
    ...says(
      'IDM-15',
      'a conflict, and a read shows the record of the failed command',
      [fault('after-commit'), again(409), later(409), valid],
      'holds again first',
      'holds later first',
      'holds again first later read-1 read-2 read-3',
    ),
    shows: { body: ['case_1'] },
  },
  wedged(
    'IDM-15',
    { ...lost, status: 503, deviations: [{ kind: 'fault', how: 'before-commit' }] },
    'shows no change',
    'a',
    'holds again first',
    'holds again first (advisory)',
  ),
  says(
    'IDM-15',
    'two retries get no response, and another key is served',
    [fault('before-commit'), again(undefined), later(undefined), valid],
    'inconclusive again first',
    'inconclusive later first (advisory)',
    'inconclusive again first later',
  ),
  says(
    'IDM-15',
    'one retry gets no response, and another key is served',
    [fault('before-commit'), again(undefined), valid],
    'inconclusive again first',
    'inconclusive again first',
  ),
  says(
    'IDM-15',
    'two retries get no response, and nor does another key',
    [fault('before-commit'), again(undefined), later(undefined), { ...valid, status: undefined }],
    'inconclusive again first',
    'inconclusive later first',
    'inconclusive again first later',
  ),
];

const within: Line = { id: 'made', role: 'setup', status: 201, result: 'case_7' };
const look = (when: 'before' | 'after', ...ids: readonly string[]): Line => ({
  id: `listed-${when}`,
  observes: `list-${when}`,
  operation: 'listCases',
  role: 'readback',
  on: 'made',
  status: 200,
  body: page(ids),
});
const close: Partial<Line> = { operation: 'closeCase', on: 'made', key: 'key', role: 'test' };
/** A command that makes something within a case fails after its commit, and is sent again. */
const within2 = (found: readonly string[], more: Partial<Line> = {}): Case['trace'] => [
  within,
  look('before', 'case_1'),
  { id: 'failed', status: 503, ...close, deviations: [{ kind: 'fault', how: 'after-commit' }] },
  { id: 'retry', status: 200, ...close, deviations: [reuse('failed')], ...more },
  look('after', 'case_1', ...found),
];
const listedEffects: readonly Case[] = [
  says(
    'IDM-15',
    'the list within a target shows one record',
    within2(['case_2']),
    'holds retry failed',
    'holds retry failed listed-before listed-after',
  ),
  says(
    'IDM-15',
    'the list within a target shows two',
    within2(['case_2', 'case_3']),
    'holds retry failed',
    'violated retry failed listed-before listed-after',
  ),
  says(
    'IDM-15',
    'the list within a target shows two of two keys',
    [
      ...within2(['case_2', 'case_3']).slice(0, -1),
      { id: 'fresh', status: 200, ...close, key: 'other', role: 'control' },
      look('after', 'case_1', 'case_2', 'case_3'),
    ],
    'holds retry failed',
  ),
  says(
    'IDM-15',
    'the list within a target shows none',
    within2([]),
    'holds retry failed',
    'holds retry failed listed-before listed-after (ids only)',
  ),
  says('IDM-15', 'no list was read', within2(['case_2', 'case_3']).slice(0, -1), 'holds retry failed'),
];

/** A race of commands that make something within a case. */
const raced = (after: Json, found: Json, list: string): Case['trace'] => [
  within,
  { ...look('before'), operation: list, body: found },
  { id: 'one', status: 200, ...close },
  { id: 'two', status: 200, ...close, deviations: [reuse('one')] },
  { ...look('after'), operation: list, body: after },
];
const racedWithin: readonly Case[] = [
  says(
    'IDM-4',
    'both were accepted, and the list within the target shows two records',
    raced(page(['case_2', 'case_3']), page(), 'listCases'),
    'violated two one listed-before listed-after',
  ),
  says(
    'IDM-4',
    'the same in a list without pages',
    raced([{ id: 'case_2' }, { id: 'case_3' }], [], 'getCase'),
    'violated two one listed-before listed-after',
  ),
  says(
    'IDM-4',
    'the list within the target shows one record',
    raced({ rows: [{ id: 'case_2' }] }, { rows: [] }, 'getCase'),
    'holds two one listed-before listed-after',
  ),
];

/** What is made within a case, and shown by a list of its own: a command that failed, and its retry. */
const tasks = (retry: Partial<Line>, records: readonly string[], ...rulings: readonly string[]): Case => {
  const add: Partial<Line> = { operation: 'addTask', on: 'made', key: 'key', name: 'task', role: 'test' };
  return {
    ...says(
      'IDM-15',
      `a list of tasks shows ${records.length}, and the retry is of ${Object.keys(retry).join() || 'the same'}`,
      [
        { id: 'made', role: 'setup', status: 201, result: 'case_7' },
        { id: 'other', role: 'setup', status: 201, result: 'case_8', name: 'other' },
        { id: 'failed', status: 503, ...add, deviations: [{ kind: 'fault', how: 'after-commit' }] },
        { id: 'retry', status: 201, ...add, deviations: [reuse('failed')], ...retry },
      ],
      'holds retry failed',
      ...rulings,
    ),
    shows: { task: records },
  };
};
const found = 'retry failed read-1 read-2 read-3';
const tasksListed: readonly Case[] = [
  tasks({}, ['1', '2'], `violated ${found} (conclusive)`),
  tasks({}, ['1'], `holds ${found}`),
  tasks({}, []),
  tasks({ on: 'other' }, ['1', '2']),
];

export const failedAttemptCases: readonly Case[] = [
  ...throttled,
  ...failures,
  ...losses,
  ...locked,
  ...listedEffects,
  ...racedWithin,
  ...movedCountCases,
  ...tasksListed,
];
