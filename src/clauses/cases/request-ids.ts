import { distinctRequestIdCases, one, otherNoise, read, sent, twice, two } from './distinct-request-ids.ts';
import { says } from './says.ts';
import { absent, type Case, negative, reuse } from './trace.ts';

export const requestIdCases: readonly Case[] = [
  says(
    'RID-3',
    'an answer without a media type is no page',
    [one({ status: 503, requestId: [], type: null })],
    'violated a',
  ),
  says('RID-1', 'the success has the header', [one()], 'holds a'),
  says('RID-1', 'the success has none', [one({ requestId: [] })], 'violated a'),
  says('RID-1', 'the header is blank', [one({ requestId: ' ' })], 'violated a'),
  says('RID-1', 'any success of the command counts', [one({ status: 204, requestId: [] })], 'violated a'),
  says('RID-1', 'refusals, reads and replays are for other clauses', [
    { id: 'first', status: 422, requestId: [] },
    { id: 'read', ...read, requestId: [] },
    two({ role: 'test', requestId: [], deviations: [reuse('first')] }),
  ]),

  says('RID-2', 'prefix and remainder', [one({ requestId: 'req_1' })], 'holds a'),
  says('RID-2', 'the remainder may be of any characters', [one({ requestId: 'req_/Ä,b:=+' })], 'holds a'),
  says('RID-2', 'the prefix is in upper case', [one({ requestId: 'REQ_1' })], 'violated a'),
  says('RID-2', 'only the prefix', [one({ requestId: 'req_' })], 'violated a'),
  says('RID-2', 'something before the prefix', [one({ requestId: 'x-req_1' })], 'violated a'),
  says('RID-2', 'a blank after the prefix', [one({ requestId: 'req_1 x' })], 'violated a'),
  says('RID-2', 'two IDs in one line are for RID-6', [one({ requestId: 'req_1, req_2' })], 'holds a'),
  says('RID-2', 'the second ID of a line has no form', [one({ requestId: 'req_1,REQ_2' })], 'violated a'),
  says('RID-2', 'one of two lines has no form', [one({ requestId: ['req_1', 'x'] })], 'violated a'),
  says(
    'RID-2',
    'refusals have the form as well',
    negative(absent, 401, { requestId: 'x' }),
    'violated probe',
    'holds control',
  ),
  says('RID-2', 'there is no ID', [one({ requestId: [] })]),
  says('RID-2', 'the client sent an ID', [one({ requestId: 'x', deviations: [sent] })]),
  says(
    'RID-2',
    'the client sent another header',
    [one({ requestId: 'x', deviations: [otherNoise] })],
    'violated a',
  ),

  ...[404, 410].map((status) =>
    says(
      'RID-3',
      `${status} to a read of a target has none`,
      [one({ status, operation: 'getCase', requestId: [] })],
      'violated a',
    ),
  ),
  says('RID-3', '404 under another path', [
    one({ status: 404, operation: 'getCase', requestId: [], deviations: [{ kind: 'path-noise' }] }),
  ]),
  ...[401, 403, 422, 429, 502].map((status) =>
    says('RID-3', `${status} under another path, as of a firewall`, [
      one({ status, operation: 'getCase', requestId: [], deviations: [{ kind: 'path-noise' }] }),
    ]),
  ),
  says(
    'RID-3',
    '403 under another path, with an ID',
    [one({ status: 403, deviations: [{ kind: 'path-noise' }] })],
    'holds a',
  ),
  says('RID-3', '404 to a duplicate under another path', [
    one({ status: 404, operation: 'getCase', requestId: [], path: 'trailing-slash' }),
  ]),
  says('RID-3', '404 to an operation without a target', [one({ status: 404, requestId: [] })]),
  says('RID-3', 'a refusal has the header', negative(absent, 401), 'holds probe'),
  ...[401, 403, 409, 422, 429, 500, 502, 503, 504].map((status) =>
    says('RID-3', `${status} has none`, [one({ status, requestId: [] })], 'violated a'),
  ),
  ...[502, 503, 504].map((status) =>
    says(
      'RID-3',
      `${status} is the page of a gateway`,
      [one({ status, requestId: [], type: 'text/html; charset=utf-8', body: '<h1>' })],
      'inconclusive a',
    ),
  ),
  says(
    'RID-3',
    '500 is a page of the service',
    [one({ status: 500, requestId: [], type: 'text/html', body: '<h1>' })],
    'violated a',
  ),
  says(
    'RID-3',
    'a media type that ends in that of a page',
    [one({ status: 503, requestId: [], type: 'x-text/html' })],
    'violated a',
  ),
  ...[400, 405, 406, 412, 413, 415, 428, 431].map(
    (status): Case => ({
      ...says(
        'RID-3',
        `${status}, which the errors table does not list, has none`,
        [one({ status, requestId: [] })],
        'inconclusive a (advisory)',
      ),
      advisory: true,
    }),
  ),
  {
    ...says(
      'RID-3',
      '400 to a head that no server takes is declared, and has none',
      negative({ kind: 'credential', how: 'malformed' }, 400, { requestId: [], token: 'long' }),
      'inconclusive probe (advisory)',
    ),
    advisory: true,
  },
  says('RID-3', '400, which the errors table does not list, has one', [one({ status: 400 })], 'holds a'),
  {
    ...says(
      'RID-3',
      '400 to a missing key is declared, and has none',
      negative({ kind: 'key', how: 'absent' }, 400, { requestId: [] }),
      'violated probe',
    ),
    declares: { G2: 400 },
  },
  {
    ...says(
      'RID-3',
      '400 to malformed JSON is declared, and comes from a parser',
      negative({ kind: 'body-syntax' }, 400, { requestId: [] }),
      'inconclusive probe (advisory)',
    ),
    declares: { G14: 400 },
    advisory: true,
  },
  says('RID-3', '408, 407 and 421 are for the connection; no response comes, or the command is accepted', [
    one({ status: 408, requestId: [] }),
    two({ status: 407, requestId: [] }),
    { id: 'e', status: 421, requestId: [] },
    { id: 'c', status: undefined },
    { id: 'd', status: 201, requestId: [] },
  ]),

  ...distinctRequestIdCases,

  says('RID-6', 'one value', [one()], 'holds a'),
  says('RID-6', 'a comma within a value', [one({ requestId: 'req_a,b' })], 'holds a'),
  says(
    'RID-6',
    'the same value in two lines',
    [one({ requestId: ['req_1', 'req_1'] })],
    'holds a (advisory)',
  ),
  says(
    'RID-6',
    'the same value twice in one line',
    [one({ requestId: 'req_1,req_1' })],
    'holds a (advisory)',
  ),
  says('RID-6', 'two lines', [one({ requestId: ['req_1', 'req_2'] })], 'violated a'),
  says('RID-6', 'one folded line', [one({ requestId: 'req_1,   REQ_2' })], 'violated a'),
  says('RID-6', 'an empty line as well', [one({ requestId: ['req_1', ''] })], 'holds a'),
  says('RID-6', 'there is no ID', [one({ requestId: [] })]),
  says('RID-6', 'the client sent an ID', [one({ requestId: ['req_1', 'evil'], deviations: [sent] })]),

  says('RID-7', 'an ID of the service', [one({ deviations: [sent] })], 'holds a'),
  says(
    'RID-7',
    'an ID of the client that has the form',
    [one({ requestId: 'req_mine', deviations: [sent] })],
    'holds a',
  ),
  says(
    'RID-7',
    'the ID of the client',
    [one({ requestId: 'evil', deviations: [sent] }), two()],
    'violated a b',
  ),
  says(
    'RID-7',
    'the ID of the client, and no other',
    [one({ requestId: 'evil', deviations: [sent] })],
    'inconclusive a',
  ),
  says('RID-7', 'no ID has the form, which is for RID-2', [
    one({ requestId: 'evil', deviations: [sent] }),
    two({ requestId: 'id-2' }),
  ]),
  says(
    'RID-7',
    'an ID of the client and one of the service',
    [one({ requestId: ['req_1', 'evil'], deviations: [sent] }), two()],
    'violated a b',
  ),
  says('RID-7', 'there is no ID', [one({ requestId: [], deviations: [sent] })]),
  says('RID-7', 'the client sent another header, or none', [
    one({ requestId: 'x', deviations: [otherNoise] }),
    two({ requestId: 'x' }),
  ]),

  says(
    'RID-8',
    'body and header agree',
    [one({ status: 409, requestId: 'req_1', body: { error: { ids: ['req_1'] } } })],
    'holds a',
  ),
  says(
    'RID-8',
    'they do not',
    [one({ status: 409, requestId: 'req_1', body: { requestId: 'req_2' } })],
    'violated a',
  ),
  says(
    'RID-8',
    'one of two does not',
    [one({ status: 409, requestId: 'req_1', body: { id: 'req_1', of: 'req_2' } })],
    'violated a',
  ),
  says('RID-8', 'a text that holds an ID is none', [
    one({
      status: 409,
      requestId: 'req_1',
      body: { detail: 'req_2 it was', at: 'my req_3', n: 1, none: null },
    }),
  ]),
  says(
    'RID-8',
    'the body of a replay names the first id',
    twice({ body: {} }, { requestId: 'req_2', body: { trace: 'req_1' }, deviations: [reuse('first')] }),
  ),
  says(
    'RID-8',
    'the body of a replay names its own id',
    twice({ body: {} }, { requestId: 'req_2', body: { trace: 'req_2' }, deviations: [reuse('first')] }),
    'holds again',
  ),
  says('RID-8', 'records of a read name the requests that made them', [
    one({ ...read, requestId: 'req_2', body: { events: [{ requestId: 'req_1' }, { requestId: 'req_0' }] } }),
  ]),
  says('RID-8', 'a new record names another request', [one({ body: { requestId: 'req_2' } })], 'violated a'),
  says('RID-8', 'a command repeats what it was sent', [
    one({ sent: '{"quoted":"req_2"}', body: { quoted: 'req_2' } }),
  ]),
  says('RID-8', 'the body alone has an ID', [
    one({ status: 409, requestId: [], body: { requestId: 'req_2' } }),
  ]),

  says('RID-9', 'a read has the header', [one(read)], 'holds a'),
  says('RID-9', 'a read has none', [one({ ...read, requestId: [] })], 'violated a'),
  says('RID-9', 'a read is refused; a command', [
    one({ ...read, status: 403, requestId: [] }),
    two({ requestId: [] }),
  ]),
];
