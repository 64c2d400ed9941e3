import type { Deviation } from '../../model/scenario.ts';
import { says } from './says.ts';
import { type Case, type Line, lacking, negative, page, record } from './trace.ts';

const list = { operation: 'listCases', role: 'test' } as const;
const one = (id: string, more: Partial<Line> = {}): Line => ({
  id,
  status: 201,
  result: `case_${id}`,
  ...more,
});
const three = ['a', 'b', 'c'].map((id) => one(id, { role: 'setup' }));
const queued = three.map((line): Line => ({ ...line, status: 202 }));
const pages = (...bodies: readonly Line['body'][]): readonly Line[] =>
  bodies.map((body, index) => ({
    id: `page-${index}`,
    observes: 'page' as const,
    ...list,
    status: 200,
    ...(body === undefined ? {} : { body }),
  }));
const filtered = (...statuses: readonly string[]): Case['trace'] => [
  {
    id: 'read',
    ...list,
    status: 200,
    query: 'status=open',
    body: { items: statuses.map((status) => record('case_a', { status })), nextCursor: null },
  },
];
const cursor = (how: 'tampered' | 'foreign', status: number, ids: readonly string[] = []): Case['trace'] => [
  one('theirs', { as: 'abroad' }),
  {
    id: 'read',
    ...list,
    status,
    query: 'cursor=x',
    deviations: [{ kind: 'cursor', how }],
    ...(status < 300 ? { body: page(ids) } : {}),
  },
];
const plain: Line = { id: 'plain', ...list, role: 'control', controls: 'read', status: 200 };
/** A record of another scope is there for that scope. */
export const near: Line = {
  id: 'near',
  operation: 'getCase',
  on: 'theirs',
  as: 'abroad',
  controls: 'read',
  status: 200,
};
const scope: Deviation = { kind: 'scope' };
const foreign = (status: number, more: Partial<Line> = {}): Case['trace'] => [
  one('theirs', { as: 'abroad' }),
  { id: 'read', operation: 'getCase', role: 'test', on: 'theirs', status, deviations: [scope], ...more },
];
const keyed = (status: number, fresh?: number): Case['trace'] => [
  { id: 'read', ...list, status: 200, key: 'k' },
  { id: 'command', role: 'test', status, key: 'k' },
  ...(fresh === undefined ? [] : [{ id: 'fresh', controls: 'command', status: fresh }]),
];

/** A record that nobody has made is read. */
const nothing = (status: number, body: Line['body']): Case['trace'] => [
  {
    id: 'read',
    operation: 'getCase',
    role: 'test',
    status,
    deviations: [{ kind: 'target', how: 'absent' }],
    ...(body === undefined ? {} : { body }),
  },
];

export const readCases: readonly Case[] = [
  says(
    'RDS-1',
    'a required header is missing',
    [{ id: 'a', operation: 'findNotes', status: 200 }],
    'violated a',
  ),
  says(
    'RDS-1',
    'the required header is there, in another case',
    [{ id: 'a', operation: 'findNotes', status: 200, headers: [['etag', '"1"']] }],
    'holds a',
  ),
  {
    ...says(
      'RDS-1',
      'a list that was there is not found',
      [{ id: 'a', ...list, status: 404 }],
      'holds b',
      'violated a',
    ),
    after: [[{ id: 'b', ...list, status: 200, body: page([]) }]],
  },
  {
    ...says(
      'RDS-1',
      'a list is there that was not found',
      [{ id: 'b', ...list, status: 200, body: page([]) }],
      'holds b',
      'violated a (conclusive)',
    ),
    after: [[{ id: 'a', ...list, status: 404 }]],
  },
  {
    ...says(
      'RDS-1',
      'what a filter names is not found',
      [{ id: 'a', ...list, status: 404, query: 'status=open' }],
      'holds b',
    ),
    after: [[{ id: 'b', ...list, status: 200, body: page([]) }]],
  },
  {
    ...says(
      'RDS-1',
      'what a required field names is not found',
      [{ id: 'a', operation: 'listEntries', role: 'test', status: 404, query: 'day=1' }],
      'holds b',
    ),
    after: [
      [{ id: 'b', operation: 'listEntries', role: 'test', status: 200, query: 'day=2', body: page([]) }],
    ],
  },
  {
    ...says(
      'RDS-1',
      'a list is found at another size of its page alone',
      [{ id: 'a', operation: 'listEntries', role: 'test', status: 404, query: 'day=1&limit=5' }],
      'holds b',
      'violated a',
    ),
    after: [
      [{ id: 'b', operation: 'listEntries', role: 'test', status: 200, query: 'day=1', body: page([]) }],
    ],
  },
  {
    ...says(
      'RDS-1',
      'another caller finds nothing',
      [{ id: 'a', ...list, as: 'abroad', status: 404 }],
      'holds b',
    ),
    after: [[{ id: 'b', ...list, status: 200, body: page([]) }]],
  },
  says('RDS-1', 'the service fails on a valid read', [{ id: 'a', ...list, status: 500 }], 'violated a'),
  says('RDS-1', 'it fails on a read that is wrong, or while a hook makes it fail', [
    { id: 'a', ...list, status: 500, deviations: [lacking] },
    { id: 'b', ...list, status: 503, deviations: [{ kind: 'fault', how: 'before-commit' }] },
  ]),
  says('RDS-1', 'it is too busy in a burst', [
    { id: 'a', ...list, status: 503, deviations: [{ kind: 'pace' }] },
  ]),
  says('RDS-1', 'what is not there has another shape', nothing(200, { id: null }), 'violated read'),
  says('RDS-1', 'what is not there has the declared shape', nothing(200, record('case_0'))),
  ...['text/plain', 'text/html; charset=utf-8', 'text/json', 'application/problem+json', null].map((type) =>
    says(
      'RDS-1',
      `JSON, as ${type ?? 'no media type'}`,
      [{ id: 'a', operation: 'getCase', status: 200, type }],
      'violated a',
    ),
  ),
  ...['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.case+json'].map((type) =>
    says('RDS-1', `JSON, as ${type}`, [{ id: 'a', operation: 'getCase', status: 200, type }], 'holds a'),
  ),
  ...['Text/Plain; charset=utf-8', 'audio/ogg'].map((type) =>
    says(
      'RDS-1',
      `${type}, which the contract declares as well`,
      [{ id: 'a', operation: 'listNotes', status: 200, type }],
      'holds a',
    ),
  ),
  says(
    'RDS-1',
    'a media type of no declared range',
    [{ id: 'a', operation: 'listNotes', status: 200, type: 'image/png' }],
    'violated a',
  ),
  says('RDS-1', 'what is not there is refused', nothing(404, {})),
  says('RDS-1', 'what is not there is nothing', nothing(204, undefined)),
  {
    clause: 'RDS-1',
    kind: 'holds',
    when: 'the declared shape',
    trace: [{ id: 'a', operation: 'getCase', status: 200 }],
  },
  {
    clause: 'RDS-1',
    kind: 'violates',
    when: 'another status',
    trace: [{ id: 'a', operation: 'getCase', status: 203 }],
  },
  {
    clause: 'RDS-1',
    kind: 'violates',
    when: 'a member of another type',
    trace: [{ id: 'a', operation: 'getCase', status: 200, body: record('case_0', { version: 7 }) }],
  },
  {
    clause: 'RDS-1',
    kind: 'violates',
    when: 'no JSON',
    trace: [{ id: 'a', operation: 'getCase', status: 200, body: 'a case' }],
  },
  {
    clause: 'RDS-1',
    kind: 'violates',
    when: 'a body that is not what Content-Encoding says',
    trace: [{ id: 'a', operation: 'getCase', status: 200, miscoded: true }],
  },
  {
    clause: 'RDS-1',
    kind: 'holds',
    when: 'a body longer than the harness keeps',
    trace: [{ id: 'a', operation: 'listCases', status: 200, body: '{"items":[', truncated: true }],
  },
  {
    clause: 'RDS-1',
    kind: 'silent',
    when: 'a refusal',
    trace: [{ id: 'a', operation: 'getCase', status: 404 }],
  },
  {
    clause: 'RDS-2',
    kind: 'holds',
    when: 'it gets 403',
    trace: negative(lacking, 403, { ...list, as: 'nobody' }),
  },
  {
    clause: 'RDS-2',
    kind: 'violates',
    when: 'it is served',
    trace: negative(lacking, 200, { ...list, as: 'nobody' }),
  },
  {
    clause: 'RDS-2',
    kind: 'violates',
    when: 'the 403 shows a record',
    trace: negative(lacking, 403, { ...list, as: 'nobody', body: { items: ['asy-00000000000000aa'] } }),
  },
  {
    clause: 'RDS-2',
    kind: 'violates',
    when: 'it is hidden as absent',
    trace: negative(lacking, 404, { ...list, as: 'nobody' }),
  },
  {
    clause: 'RDS-2',
    kind: 'silent',
    when: 'a command, which PRM-1 judges',
    trace: negative(lacking, 201, { as: 'nobody' }),
  },
  {
    clause: 'RDS-3',
    kind: 'holds',
    when: 'all records match, and one was made that does not',
    trace: [one('shut', { body: record('case_shut', { status: 'closed' }) }), ...filtered('open', 'open')],
  },
  { clause: 'RDS-3', kind: 'silent', when: 'no record is there yet', trace: filtered() },
  {
    clause: 'RDS-3',
    kind: 'violates',
    when: 'one does not match',
    trace: filtered('open', 'closed'),
    declares: { G15: { seconds: 0 } },
  },
  {
    clause: 'RDS-3',
    kind: 'silent',
    when: 'no filter was sent',
    trace: [{ id: 'read', ...list, status: 200, body: page(['case_a']) }],
  },
  {
    clause: 'RDS-4',
    kind: 'holds',
    when: 'each record once, over two pages',
    trace: [...three, ...pages(page(['case_a', 'case_b'], 'next'), page(['case_c']))],
  },
  {
    clause: 'RDS-4',
    kind: 'holds',
    when: "others' records come twice, since they were made meanwhile",
    trace: [...three, ...pages(page(['case_a', 'case_x', 'case_b'], 'next'), page(['case_x', 'case_c']))],
  },
  {
    clause: 'RDS-4',
    kind: 'violates',
    when: 'a record on two pages',
    trace: [...three, ...pages(page(['case_a', 'case_b'], 'next'), page(['case_b', 'case_c']))],
  },
  {
    clause: 'RDS-4',
    kind: 'violates',
    when: 'a record on no page',
    trace: [...three, ...pages(page(['case_a', 'case_b'], 'next'), page([]))],
  },
  {
    clause: 'RDS-4',
    kind: 'silent',
    when: 'no record of queued commands is on a page',
    trace: [...queued, ...pages(page([]))],
  },
  {
    clause: 'RDS-4',
    kind: 'violates',
    when: 'no record of queued commands is on a page, though reads are declared to show them',
    trace: [...queued, ...pages(page([]))],
    declares: { G15: { seconds: 0 } },
  },
  {
    clause: 'RDS-4',
    kind: 'violates',
    when: 'only some records of queued commands are on a page',
    trace: [...queued, ...pages(page(['case_a', 'case_b']))],
  },
  {
    clause: 'RDS-4',
    kind: 'violates',
    when: 'the cursor leads in a circle',
    trace: [...three, ...pages(page(['case_x'], 'next'), page(['case_x'], 'next'))],
  },
  {
    clause: 'RDS-4',
    kind: 'silent',
    when: 'the budget ended before the pages',
    trace: [...three, ...pages(page(['case_a'], 'next'))],
  },
  {
    clause: 'RDS-4',
    kind: 'silent',
    when: 'a page could not be read',
    trace: [
      ...three,
      ...pages(page(['case_a'], 'next')),
      { id: 'page-2', observes: 'page', ...list, status: 503 },
    ],
  },
  {
    clause: 'RDS-5',
    kind: 'holds',
    when: 'as many as were asked for',
    trace: [{ id: 'a', ...list, status: 200, query: 'limit=2', body: page(['case_a', 'case_b']) }],
  },
  {
    clause: 'RDS-5',
    kind: 'holds',
    when: 'the service caps lower',
    trace: [{ id: 'a', ...list, status: 200, query: 'limit=100', body: page(['case_a'], 'next') }],
  },
  {
    clause: 'RDS-5',
    kind: 'violates',
    when: 'one more than was asked for',
    trace: [{ id: 'a', ...list, status: 200, query: 'limit=1', body: page(['case_a', 'case_b']) }],
  },
  {
    clause: 'RDS-6',
    kind: 'holds',
    when: 'the cursor is refused',
    trace: [...cursor('tampered', 400), plain],
  },
  {
    clause: 'RDS-6',
    kind: 'holds',
    when: "it opens the caller's own data",
    trace: cursor('foreign', 200, ['case_x']),
  },
  { clause: 'RDS-6', kind: 'violates', when: 'the service fails', trace: cursor('tampered', 500) },
  {
    clause: 'RDS-6',
    kind: 'violates',
    when: 'it opens data of another scope',
    trace: cursor('foreign', 200, ['case_theirs']),
  },
  { clause: 'RDS-6', kind: 'silent', when: 'it is throttled', trace: cursor('foreign', 429) },
  { clause: 'RDS-7', kind: 'holds', when: 'the record is forbidden', trace: [...foreign(403), near] },
  { clause: 'RDS-7', kind: 'holds', when: 'the record is absent (G9)', trace: [...foreign(404), near] },
  { clause: 'RDS-7', kind: 'violates', when: 'the record is read', trace: foreign(200) },
  {
    clause: 'RDS-7',
    kind: 'violates',
    when: 'the record is listed',
    trace: [
      one('theirs', { as: 'abroad' }),
      { id: 'read', ...list, status: 200, body: page(['case_theirs']) },
    ],
  },
  {
    clause: 'RDS-7',
    kind: 'holds',
    when: 'own records alone are listed, one with an ID that begins alike',
    trace: [one('7', { as: 'abroad' }), { id: 'read', ...list, status: 200, body: page(['case_70']) }],
  },
  {
    clause: 'RDS-7',
    kind: 'holds',
    when: 'each scope counts its own records',
    trace: [
      one('theirs', { as: 'abroad', body: { id: 17 } }),
      { id: 'read', ...list, status: 200, body: { items: [{ id: 17 }], nextCursor: null } },
    ],
  },
  {
    clause: 'RDS-7',
    kind: 'silent',
    when: 'the other record is of the same scope',
    trace: [one('ours', { as: 'peer' }), { id: 'read', ...list, status: 200, body: page(['case_ours']) }],
  },
  { clause: 'RDS-8', kind: 'holds', when: 'the read leaves the key free', trace: keyed(201) },
  { clause: 'RDS-8', kind: 'violates', when: 'the read used up the key', trace: keyed(409, 201) },
  { clause: 'RDS-8', kind: 'silent', when: 'a fresh key is refused as well', trace: keyed(409, 409) },
  { clause: 'RDS-8', kind: 'silent', when: 'the command is throttled', trace: keyed(429, 201) },
];
