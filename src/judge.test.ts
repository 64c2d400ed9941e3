import { describe, expect, test } from 'vitest';
import { clauses } from './clauses/catalogue.ts';
import { makeLedger } from './judge.ts';
import type { Contract, Operation } from './model/contract.ts';
import type { Exchange, Trace } from './model/exchange.ts';
import type { Principal } from './model/principal.ts';
import type { Deviation, Step } from './model/scenario.ts';
import type { Cell } from './model/verdict.ts';
import { makeContext, type Validators } from './oracle/context.ts';

const createCase: Operation = {
  id: 'createCase',
  method: 'POST',
  path: '/cases',
  kind: 'command',
  permissions: ['case.create'],
  summary: undefined,
  pathFields: [],
  queryFields: [],
  body: {
    mediaType: 'application/json',
    required: true,
    schema: { type: 'object', required: ['subject'], properties: { subject: { type: 'string' } } },
  },
  success: {
    status: 201,
    mediaType: 'application/json',
    schema: {
      type: 'object',
      required: ['id', 'status'],
      properties: { id: { type: 'string', pattern: '^case_\\S+$' }, status: { const: 'open' } },
    },
  },
  failures: {},
  version: undefined,
  verification: undefined,
  conflict: undefined,
  pagination: undefined,
  effect: undefined,
};
const contract: Contract = {
  title: 'test',
  version: '1.27.0',
  governedOperations: 293,
  digest: '',
  operations: [createCase],
};
const principals: readonly Principal[] = [
  { name: 'full', permissions: ['case.create'], scope: 'a', state: 'valid', identity: 'full', use: 'any' },
  { name: 'nobody', permissions: [], scope: 'a', state: 'valid', identity: 'nobody', use: 'any' },
];

type Line = {
  readonly id: string;
  readonly status: number | undefined;
  readonly body?: object;
  readonly headers?: readonly (readonly [string, string])[];
  readonly requestId?: string;
  readonly key?: string;
  readonly name?: string;
  readonly as?: string;
  readonly role?: Step['role'];
  readonly controls?: string;
  readonly deviations?: readonly Deviation[];
};

const ok = (id = 'case_1'): object => ({ id, status: 'open' });
let serial = 0;

function trace(lines: readonly Line[], more: Partial<Trace> = {}): Trace {
  const id = more.id ?? `t${++serial}`;
  const steps = lines.map(
    (line): Step => ({
      id: line.id,
      operation: 'createCase',
      as: line.as ?? 'full',
      role: line.role ?? 'control',
      key: line.key === 'none' ? { use: 'none' } : { use: 'named', name: line.key ?? line.id },
      body: { use: 'named', name: line.name ?? 'body' },
      deviations: line.deviations ?? [],
      ...(line.controls === undefined ? {} : { controls: line.controls }),
    }),
  );
  const exchanges = lines.map(
    (line, index): Exchange => ({
      id: `${id}-x${index}`,
      trace: id,
      step: line.id,
      ordinal: 0,
      operation: 'createCase',
      principal: line.as ?? 'full',
      request: {
        method: 'POST',
        path: '/cases',
        headers: line.key === 'none' ? [] : [['Idempotency-Key', `${id} ${line.key ?? line.id}`]],
        body: '{}',
      },
      answer:
        line.status === undefined
          ? undefined
          : {
              status: line.status,
              headers: [
                ['Content-Type', 'application/json'],
                ...(line.headers ?? []),
                ...(line.requestId === ''
                  ? []
                  : ([['X-Request-Id', line.requestId ?? `req_${id}_${index}`]] as const)),
              ],
              body: JSON.stringify(line.body ?? (line.status === 201 ? ok(`case_${id}_${index}`) : {})),
              bodyBytes: 1,
              truncated: false,
            },
      noAnswer: line.status === undefined ? { reason: 'reset', detail: '', partial: undefined } : undefined,
      requestIds:
        line.status === undefined || line.requestId === '' ? [] : [line.requestId ?? `req_${id}_${index}`],
      connection: 0,
      earlier: [],
      startedAt: index * 10,
      sentAt: index * 10,
      endedAt: index * 10 + 5,
      time: '2026-01-01T00:00:00.000Z',
    }),
  );
  return {
    id,
    suite: 's',
    probe: 'p',
    caseIndex: 0,
    attempt: 0,
    seed: 1,
    path: undefined,
    purpose: 'try',
    repeats: undefined,
    scenario: { title: 't', bodies: {}, waves: steps.map((step) => ({ steps: [step] })) },
    bound: { keys: {}, markers: { body: `asy-${id}` } },
    exchanges,
    hooks: {},
    effects: undefined,
    ended: 'complete',
    ...more,
  };
}

/** One contract is judged again and again here: its schemas are compiled once. */
const compiled: Validators = new WeakMap();

function cells(traces: readonly Trace[], proven: readonly string[] = ['full']): ReadonlyMap<string, Cell> {
  const ledger = makeLedger({
    clauses,
    context: makeContext({ contract, declaration: {}, principals, proven: new Set(proven) }, compiled),
  });
  for (const one of traces) {
    ledger.see(one);
    ledger.seeEffects(one);
  }
  return new Map(ledger.finish().map((cell) => [cell.clause, cell]));
}

const verdictOf = (code: string, traces: readonly Trace[], proven?: readonly string[]): string | undefined =>
  cells(traces, proven).get(code)?.verdict;

const absent: Deviation = { kind: 'credential', how: 'absent' };
const lacking: Deviation = { kind: 'permission', how: 'none' };
const duplicate: Deviation = { kind: 'key-reuse', of: 'first', difference: 'none' };
const mismatch: Deviation = { kind: 'key-reuse', of: 'first', difference: 'request' };
const missing: Deviation = { kind: 'body', at: '/subject', keyword: 'required' };

/** A probe and its control; the probe is answered as given. */
const negative = (
  deviation: Deviation,
  status: number | undefined,
  more: Partial<Line> = {},
  control = 201,
): readonly Line[] => [
  { id: 'probe', role: 'probe', status, key: 'key', deviations: [deviation], ...more },
  { id: 'control', controls: 'probe', status: control, key: 'key' },
];

describe('clauses on literal traces', () => {
  test.each<readonly [string, readonly Line[], readonly Line[]]>([
    ['RID-1', [{ id: 'a', status: 201 }], [{ id: 'a', status: 201, requestId: '' }]],
    ['RID-2', [{ id: 'a', status: 201 }], [{ id: 'a', status: 201, requestId: 'REQ_1' }]],
    ['RID-3', negative(absent, 401), negative(absent, 401, { requestId: '' })],
    [
      'RID-4',
      [
        { id: 'a', status: 201 },
        { id: 'b', status: 201 },
      ],
      [
        { id: 'a', status: 201, requestId: 'req_same' },
        { id: 'b', status: 201, requestId: 'req_same' },
      ],
    ],
    ['AUT-1', negative(absent, 401), negative(absent, 403)],
    [
      'AUT-2',
      negative({ kind: 'credential', how: 'unknown' }, 401),
      negative({ kind: 'credential', how: 'unknown' }, 201),
    ],
    [
      'AUT-3',
      negative({ kind: 'credential', how: 'expired' }, 401),
      negative({ kind: 'credential', how: 'expired' }, 403),
    ],
    [
      'AUT-10',
      negative(absent, 401),
      [...negative(absent, 401, {}, 422), { id: 'fallback', controls: 'probe', status: 201, key: 'fresh' }],
    ],
    ['PRM-1', negative(lacking, 403, { as: 'nobody' }), negative(lacking, 201, { as: 'nobody' })],
    ['CMD-1', [{ id: 'a', status: 201 }], [{ id: 'a', status: 200, body: ok() }]],
    ['CMD-2', [{ id: 'a', status: 201 }], [{ id: 'a', status: 201, body: ok('1') }]],
    ['CMD-3', [{ id: 'a', status: 201 }], [{ id: 'a', status: 201, body: { id: 'case_1', status: 'OPEN' } }]],
    ['CMD-4', [{ id: 'a', status: 201 }], [{ id: 'a', status: 201, body: [ok()] }]],
    [
      'CMD-5',
      [
        { id: 'a', status: 201 },
        { id: 'b', status: 201 },
      ],
      [
        { id: 'a', status: 201, body: ok() },
        { id: 'b', status: 201, body: ok() },
      ],
    ],
    ['VAL-1', negative(missing, 422), negative(missing, 400)],
    [
      'VAL-3',
      negative(missing, 422, { body: { errors: [{ pointer: '#/subject' }] } }),
      negative(missing, 422, { body: { message: 'Validation failed' } }),
    ],
    [
      'IDM-1',
      negative({ kind: 'key', how: 'absent' }, 422, { key: 'none' }),
      negative({ kind: 'key', how: 'absent' }, 201, { key: 'none' }),
    ],
    [
      'IDM-2',
      negative({ kind: 'key', how: 'absent' }, 422, { key: 'none' }),
      negative({ kind: 'key', how: 'absent' }, 409, { key: 'none' }),
    ],
    [
      'IDM-5',
      [
        { id: 'first', status: 201, key: 'k', body: ok() },
        { id: 'again', role: 'probe', status: 409, key: 'k', deviations: [duplicate] },
      ],
      [
        { id: 'first', status: 201, key: 'k', body: ok() },
        { id: 'again', role: 'probe', status: 201, key: 'k', body: ok('case_2'), deviations: [duplicate] },
      ],
    ],
    [
      'IDM-6',
      [
        { id: 'first', status: 201, key: 'k' },
        { id: 'probe', role: 'probe', status: 409, key: 'k', name: 'other', deviations: [mismatch] },
      ],
      [
        { id: 'first', status: 201, key: 'k' },
        { id: 'probe', role: 'probe', status: 422, key: 'k', name: 'other', deviations: [mismatch] },
        { id: 'control', controls: 'probe', status: 201 },
      ],
    ],
    ['ERR-1', negative(missing, 422), negative(missing, 500)],
    [
      'PRE-1',
      negative(absent, 401, { deviations: [absent, missing] }),
      negative(absent, 422, { deviations: [absent, missing] }),
    ],
    [
      'PRE-2',
      negative(lacking, 403, { as: 'nobody', deviations: [lacking, missing] }),
      negative(lacking, 422, { as: 'nobody', deviations: [lacking, missing] }),
    ],
    ['THR-2', [{ id: 'a', status: 429, body: { retryAfter: 3 } }], [{ id: 'a', status: 429 }]],
    [
      'RID-8',
      [{ id: 'a', status: 409, requestId: 'req_1', body: { requestId: 'req_1' } }],
      [{ id: 'a', status: 409, requestId: 'req_1', body: { requestId: 'req_2' } }],
    ],
    ['AUT-12', negative(absent, 401, { headers: [['WWW-Authenticate', 'Bearer']] }), negative(absent, 401)],
    ['ERR-3', negative(absent, 401), negative(absent, 401, { body: { detail: 'Bearer $ASSAY_TOKEN_FULL' } })],
    ['AUT-13', negative({ kind: 'scheme-case' }, 201), negative({ kind: 'scheme-case' }, 401)],
    [
      'PRM-7',
      [
        { id: 'one', role: 'probe', as: 'nobody', status: 403, deviations: [lacking] },
        { id: 'two', role: 'probe', as: 'nobody', status: 403, deviations: [lacking] },
      ],
      [
        { id: 'one', role: 'probe', as: 'nobody', status: 403, deviations: [lacking] },
        { id: 'two', role: 'probe', as: 'nobody', status: 201, deviations: [lacking] },
      ],
    ],
    [
      'IDM-23',
      [{ id: 'a', role: 'probe', status: 422, deviations: [{ kind: 'key', how: 'odd' }] }],
      [{ id: 'a', role: 'probe', status: 500, deviations: [{ kind: 'key', how: 'odd' }] }],
    ],
    [
      'THR-7',
      [
        { id: 'burst', role: 'probe', status: 429, deviations: [{ kind: 'pace' }] },
        { id: 'other', role: 'readback', as: 'nobody', status: 201 },
      ],
      [
        { id: 'burst', role: 'probe', status: 429, deviations: [{ kind: 'pace' }] },
        { id: 'other', role: 'readback', as: 'nobody', status: 429 },
      ],
    ],
    [
      'THR-8',
      [{ id: 'a', status: 429, headers: [['Retry-After', '3']], body: { retryAfter: 3 } }],
      [{ id: 'a', status: 429, headers: [['Retry-After', '3']], body: { retryAfter: 30 } }],
    ],
  ])('%s holds, and is violated', (code, holds, violates) => {
    expect(verdictOf(code, [trace(holds)])).toBe('pass');
    const first = trace(violates);
    expect(verdictOf(code, [first, trace(violates, { purpose: 'repeat', repeats: first.id })])).toBe('fail');
  });

  test('of two wrong members both are to be named', () => {
    const several: Contract = {
      ...contract,
      operations: [
        {
          ...createCase,
          body: {
            mediaType: 'application/json',
            required: true,
            schema: {
              type: 'object',
              required: ['subject'],
              properties: { subject: { type: 'string' }, priority: { enum: ['low', 'high'] } },
            },
          },
        },
      ],
    };
    const wrong: Deviation = { kind: 'body', at: '/priority', keyword: 'enum' };
    const answering = (...pointers: readonly string[]): string | undefined => {
      const ledger = makeLedger({
        clauses,
        context: makeContext({
          contract: several,
          declaration: {},
          principals,
          proven: new Set(['full']),
        }),
      });
      ledger.see(
        trace(
          negative(missing, 422, {
            deviations: [missing, wrong],
            body: { errors: pointers.map((pointer) => ({ pointer })) },
          }),
        ),
      );
      return ledger.finish().find((cell) => cell.clause === 'VAL-4')?.verdict;
    };
    expect(answering('#/subject', '#/priority')).toBe('pass');
    expect(answering('#/subject')).toBe('fail');
  });

  test('a duplicate that ran twice is told by an independent read alone', () => {
    const answers: readonly Line[] = [
      { id: 'first', status: 201, key: 'k', body: ok() },
      { id: 'again', role: 'probe', status: 201, key: 'k', body: ok(), deviations: [duplicate] },
    ];
    const once = trace(answers);
    const seen = (ids: readonly string[]): Trace['effects'] => ({
      byMarker: { [`asy-${once.id}`]: ids },
      byTarget: {},
      seenIn: [],
      complete: true,
    });
    expect(cells([once]).get('IDM-4')).toMatchObject({ verdict: 'pass', idsOnly: true });
    expect(cells([{ ...once, effects: seen(['case_1']) }]).get('IDM-4')).toMatchObject({
      verdict: 'pass',
      idsOnly: false,
    });
    expect(cells([{ ...once, effects: seen(['case_1', 'case_2']) }]).get('IDM-4')).toMatchObject({
      verdict: 'fail',
    });
  });
});

describe('what accuses nobody', () => {
  test.each<readonly [string, string, readonly Line[]]>([
    ['silence', 'AUT-1', negative(absent, undefined)],
    ['429', 'AUT-1', negative(absent, 429)],
    ['a control that was refused as well', 'AUT-1', negative(absent, 403, {}, 403)],
    ['5xx to the control as well', 'VAL-1', negative(missing, 500, {}, 503)],
    [
      '401 to an outsider whose token was accepted nowhere',
      'PRM-1',
      negative(lacking, 401, { as: 'nobody' }),
    ],
  ])('%s', (_, code, lines) => {
    const first = trace(lines);
    expect(verdictOf(code, [first, trace(lines, { purpose: 'repeat', repeats: first.id })])).toBe(
      'inconclusive',
    );
  });

  test('401 to an outsider whose token was accepted elsewhere is a violation', () => {
    const lines = negative(lacking, 401, { as: 'nobody' });
    const first = trace(lines);
    expect(
      verdictOf('PRM-1', [first, trace(lines, { purpose: 'repeat', repeats: first.id })], ['full', 'nobody']),
    ).toBe('fail');
  });
});

describe('cells', () => {
  const bad = negative(absent, 403);
  test('seen once and never repeated: inconclusive', () =>
    expect(verdictOf('AUT-1', [trace(bad)])).toBe('inconclusive'));
  test('never again when repeated: unstable', () => {
    const first = trace(bad);
    expect(
      verdictOf('AUT-1', [first, trace(negative(absent, 401), { purpose: 'repeat', repeats: first.id })]),
    ).toBe('unstable');
  });
  test('a success where there must be none needs no repeat', () =>
    expect(verdictOf('AUT-1', [trace(negative(absent, 201))])).toBe('fail'));
  test('nothing seen: not-tested', () => expect(verdictOf('AUT-1', [])).toBe('not-tested'));
  test('no such feature: not-applicable', () => expect(verdictOf('VER-1', [])).toBe('not-applicable'));
});

test('another request under the key of a command that was throttled is no fault', () => {
  const meanwhile = trace([
    { id: 'slow', status: 429, key: 'k' },
    {
      id: 'meanwhile',
      role: 'probe',
      status: 201,
      key: 'k',
      name: 'other',
      deviations: [{ kind: 'key-reuse', of: 'slow', difference: 'request' }],
    },
  ]);
  expect(verdictOf('ERR-1', [meanwhile])).not.toBe('fail');
  expect(verdictOf('IDM-6', [meanwhile])).not.toBe('fail');
  expect(verdictOf('IDM-9', [meanwhile])).not.toBe('fail');
});
