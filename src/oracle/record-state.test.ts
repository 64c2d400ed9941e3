import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { operationOf } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Json } from '../model/json.ts';
import { sameState } from './record-state.ts';

type Shown = { readonly body: Json | string; readonly requestId?: string; readonly date?: string };

const first = 'Tue, 02 Mar 2027 10:00:00 GMT';
const later = 'Tue, 02 Mar 2027 10:00:09 GMT';

function read(
  operation: 'getCase' | 'listCases',
  { body, requestId, date }: Shown,
): Parameters<typeof sameState>[0] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const exchange: Exchange = {
    id: 'x1',
    trace: 't',
    step: 'before',
    ordinal: 0,
    operation,
    principal: 'full',
    request: {
      method: 'GET',
      path: operation === 'getCase' ? '/api/v2/cases/case_7?x=1' : '/api/v2/cases',
      headers: [],
      body: undefined,
    },
    answer: {
      status: 200,
      headers: date === undefined ? [] : [['Date', date]],
      body: text,
      bodyBytes: text.length,
      truncated: false,
    },
    noAnswer: undefined,
    requestIds: requestId === undefined ? [] : [requestId],
    connection: 0,
    earlier: [],
    startedAt: 0,
    sentAt: 0,
    endedAt: 1,
    time: '2027-03-02T10:00:00.000Z',
  };
  return { exchange, operation: operationOf(contract, operation) };
}

const record = { id: 'case_7', status: 'open', version: '1' };

test.each<[string, boolean, Shown, Shown]>([
  ['the same bytes', true, { body: record }, { body: record }],
  [
    'another order of members',
    true,
    { body: record },
    { body: '{"version":"1","status":"open","id":"case_7"}' },
  ],
  ['another value', false, { body: record }, { body: { ...record, version: '2' } }],
  ['one member more', false, { body: record }, { body: { ...record, note: null } }],
  ['one member less', false, { body: record }, { body: { id: 'case_7', status: 'open' } }],
  [
    'another member in place of one',
    false,
    { body: { ...record, a: null } },
    { body: { ...record, b: null } },
  ],
  ['another item', false, { body: { ...record, tags: ['a'] } }, { body: { ...record, tags: ['b'] } }],
  ['one item more', false, { body: { ...record, tags: [] } }, { body: { ...record, tags: ['b'] } }],
  [
    'an object that became a list',
    false,
    { body: { ...record, tags: {} } },
    { body: { ...record, tags: [] } },
  ],
  [
    'what stands around the record',
    true,
    { body: { data: record, meta: { served: 1, trace: 'a' } } },
    { body: { data: record, meta: { served: 2, trace: 'b' } } },
  ],
  [
    'the record within what stands around it',
    false,
    { body: { data: record, meta: { served: 1 } } },
    { body: { data: { ...record, status: 'closed' }, meta: { served: 1 } } },
  ],
  [
    'another value next to the head that has the ID',
    false,
    { body: { kind: 'Case', metadata: { name: 'case_7', generation: 1 }, spec: { replicas: 0 } } },
    { body: { kind: 'Case', metadata: { name: 'case_7', generation: 1 }, spec: { replicas: 27 } } },
  ],
  [
    'another value in the head that has the ID',
    false,
    { body: { data: { sys: { id: 'case_7', state: 'draft' }, fields: { title: 'a' } } } },
    { body: { data: { sys: { id: 'case_7', state: 'final' }, fields: { title: 'a' } } } },
  ],
  [
    'what stands around a record whose head has the ID',
    true,
    { body: { data: { sys: { id: 'case_7' }, fields: { title: 'a' } }, served: 1 } },
    { body: { data: { sys: { id: 'case_7' }, fields: { title: 'a' } }, served: 2 } },
  ],
  [
    'what stands around the record, with its ID',
    true,
    { body: { meta: { of: 'case_7', served: 1 }, data: record } },
    { body: { meta: { of: 'case_7', served: 2 }, data: record } },
  ],
  [
    'the ID of the request',
    true,
    { body: { ...record, self: '/t/req_aaaaaaaa' }, requestId: 'req_aaaaaaaa' },
    { body: { ...record, self: '/t/req_bbbbbbbb' }, requestId: 'req_bbbbbbbb' },
  ],
  [
    'an ID that is not that of the request',
    false,
    { body: { ...record, of: 'req_aaaaaaaa' }, requestId: 'req_cccccccc' },
    { body: { ...record, of: 'req_bbbbbbbb' }, requestId: 'req_dddddddd' },
  ],
  [
    'a request ID so short that it may stand anywhere',
    false,
    { body: { ...record, note: 'x1' }, requestId: 'x1' },
    { body: { ...record, note: 'x2' }, requestId: 'x2' },
  ],
  [
    'the moment of the answer',
    true,
    { body: { ...record, servedAt: '2027-03-02T10:00:00.730Z' }, date: first },
    { body: { ...record, servedAt: '2027-03-02T10:00:09.100Z' }, date: later },
  ],
  [
    'the moment in epoch seconds',
    true,
    { body: { ...record, at: 1803981600 }, date: first },
    { body: { ...record, at: 1803981609 }, date: later },
  ],
  [
    'the moment in epoch milliseconds',
    true,
    { body: { ...record, at: 1803981600730 }, date: first },
    { body: { ...record, at: 1803981609100 }, date: later },
  ],
  [
    'a time that is not that of the answer',
    false,
    { body: { ...record, updatedAt: '2027-03-02T09:59:50Z' }, date: first },
    { body: { ...record, updatedAt: '2027-03-02T10:00:08Z' }, date: later },
  ],
  [
    'a moment where the service gives no time',
    false,
    { body: { ...record, servedAt: '2027-03-02T10:00:00Z' } },
    { body: { ...record, servedAt: '2027-03-02T10:00:09Z' } },
  ],
  [
    'a counter',
    false,
    { body: { ...record, approvals: 1 }, date: first },
    { body: { ...record, approvals: 2 }, date: later },
  ],
  ['texts that are no JSON', false, { body: 'one' }, { body: 'two' }],
])('%s: %s', (_, expected, one, other) => {
  expect(sameState(read('getCase', one), read('getCase', other))).toBe(expected);
});

test('of a list the items count', () => {
  const page = (items: readonly Json[], total: number): Shown => ({
    body: { items, nextCursor: null, total },
  });
  const state = (one: Shown, other: Shown): boolean =>
    sameState(read('listCases', one), read('listCases', other));
  expect(state(page([record], 1), page([record], 2))).toBe(true);
  expect(state(page([record], 1), page([record, record], 1))).toBe(false);
});
