import type { Deviation } from '../../model/scenario.ts';
import { absent, type Line, lacking, missing, negative, type Part, reuse, type Shown } from './trace.ts';

/** A clause with a trace in which it holds and one that violates it, and what an independent read shows in each. */
type BothWays = readonly [
  code: string,
  holds: readonly Part[],
  violates: readonly Part[],
  shows?: Readonly<Record<'holds' | 'violates', Shown>>,
];

const ok = (id = 'case_1'): { readonly id: string; readonly status: string } => ({
  id,
  status: 'open',
});

/** A command and its duplicate, both answered with the same result. */
export const twice: readonly Line[] = [
  { id: 'first', status: 201, key: 'k', body: ok() },
  { id: 'again', role: 'test', status: 201, key: 'k', body: ok(), deviations: [reuse('first')] },
];

const wrong: readonly Deviation[] = [missing, { kind: 'body', at: '/priority', keyword: 'enum' }];
const naming = (...pointers: readonly string[]): Partial<Line> => ({
  body: { errors: pointers.map((pointer) => ({ pointer: `#${pointer}` })) },
});

/** Some clauses of each class, and all that no recorded trace shows. */
export const bothWays: readonly BothWays[] = [
  ['RID-1', [{ id: 'a', status: 201 }], [{ id: 'a', status: 201, requestId: [] }]],
  ['RID-2', [{ id: 'a', status: 201 }], [{ id: 'a', status: 201, requestId: 'REQ_1' }]],
  ['RID-3', negative(absent, 401), negative(absent, 401, { requestId: [] })],
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
    [
      ...negative(absent, 401, {}, { status: 422 }),
      { id: 'fallback', controls: 'probe', status: 201, key: 'fresh' },
    ],
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
  ['VAL-4', negative(wrong, 422, naming('/subject', '/priority')), negative(wrong, 422, naming('/subject'))],
  [
    'IDM-1',
    negative({ kind: 'key', how: 'absent' }, 422, { key: 'none' }),
    negative({ kind: 'key', how: 'absent' }, 201, { key: 'none' }),
  ],
  [
    'IDM-2',
    negative({ kind: 'key', how: 'absent' }, 422, { key: 'none' }),
    negative({ kind: 'key', how: 'absent' }, 403, { key: 'none' }),
  ],
  [
    'IDM-5',
    [
      { id: 'first', status: 201, key: 'k', body: ok() },
      { id: 'again', role: 'test', status: 409, key: 'k', deviations: [reuse('first')] },
    ],
    [
      { id: 'first', status: 201, key: 'k', body: ok() },
      { id: 'again', role: 'test', status: 201, key: 'k', body: ok('case_2'), deviations: [reuse('first')] },
    ],
  ],
  [
    'IDM-6',
    [
      { id: 'first', status: 201, key: 'k' },
      {
        id: 'probe',
        role: 'test',
        status: 409,
        key: 'k',
        name: 'other',
        deviations: [reuse('first', 'request')],
      },
      { id: 'control', controls: 'probe', status: 201, name: 'valid' },
    ],
    [
      { id: 'first', status: 201, key: 'k' },
      {
        id: 'probe',
        role: 'test',
        status: 422,
        key: 'k',
        name: 'other',
        deviations: [reuse('first', 'request')],
      },
      { id: 'control', controls: 'probe', status: 201 },
    ],
  ],
  ['IDM-4', twice, twice, { holds: { body: ['case_1'] }, violates: { body: ['case_1', 'case_2'] } }],
  ['ERR-1', negative(missing, 422), negative(missing, 500)],
  ['PRE-1', negative([absent, missing], 401), negative([absent, missing], 422)],
  [
    'PRE-2',
    negative([lacking, missing], 403, { as: 'nobody' }),
    negative([lacking, missing], 400, { as: 'nobody' }),
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
      { id: 'one', role: 'test', as: 'nobody', status: 403, deviations: [lacking] },
      { id: 'two', role: 'test', as: 'nobody', status: 403, deviations: [lacking] },
      { id: 'served', controls: '*', status: 201 },
    ],
    [
      { id: 'one', role: 'test', as: 'nobody', status: 403, deviations: [lacking] },
      { id: 'two', role: 'test', as: 'nobody', status: 201, deviations: [lacking] },
    ],
  ],
  [
    'IDM-23',
    [
      { id: 'a', role: 'test', status: 422, deviations: [{ kind: 'key', how: 'odd' }] },
      { id: 'b', controls: 'a', status: 201 },
    ],
    [
      ...['a', 'b'].map(
        (value): Line => ({
          id: value,
          role: 'test',
          key: { use: 'literal', value },
          status: 500,
          deviations: [{ kind: 'key', how: 'odd' }],
        }),
      ),
      { id: 'plain', controls: '*', status: 201 },
    ],
  ],
  [
    'THR-7',
    [
      { id: 'burst', role: 'test', status: 429, deviations: [{ kind: 'pace' }] },
      { id: 'other', role: 'readback', as: 'nobody', status: 201 },
      { id: 'still', role: 'test', status: 429, deviations: [{ kind: 'pace' }] },
    ],
    [
      { id: 'burst', role: 'test', status: 429, deviations: [{ kind: 'pace' }] },
      { id: 'other', role: 'readback', as: 'nobody', status: 429 },
    ],
  ],
  [
    'THR-8',
    [{ id: 'a', status: 429, headers: [['Retry-After', '3']], body: { retryAfter: 3 } }],
    [{ id: 'a', status: 429, headers: [['Retry-After', '3']], body: { retryAfter: 30 } }],
  ],
  [
    'RDS-5',
    [
      {
        id: 'a',
        operation: 'listCases',
        status: 200,
        query: 'limit=2',
        body: { items: [ok(), ok('case_2')] },
      },
    ],
    [
      {
        id: 'a',
        operation: 'listCases',
        status: 200,
        query: 'limit=1',
        body: { items: [ok(), ok('case_2')] },
      },
    ],
  ],
];
