import {
  again,
  closed,
  declaring,
  first,
  form,
  made,
  mismatch,
  second,
  secondAgain,
  thrice,
  token,
} from './repeats.ts';
import { says } from './says.ts';
import { type Case, type Line, missing, reuse } from './trace.ts';

const query = { deviations: [reuse('first', 'query')], query: 'x=1' };
const late = (at: number): Partial<Line> => ({ deviations: [reuse('first', 'late')], at });
const wiped: Line = { id: 'wiped', operation: 'wipeCase', on: 'first', status: 204 };

/** What a duplicate gets. */
const answers: readonly Case[] = [
  says('IDM-5', 'the stored result', [first, again(201)], 'holds again first'),
  says('IDM-5', 'another ID', [first, again(201, { result: 'case_2' })], 'violated again first (conclusive)'),
  says('IDM-5', 'no ID', [first, again(201, { body: {} })], 'violated again first (conclusive)'),
  says('IDM-5', 'none in the first result', [{ ...first, body: '' }, again(201)], 'holds again first'),
  says('IDM-5', 'a conflict', [first, again(409)], 'holds again first'),
  says('IDM-5', 'another refusal', [first, again(422)], 'violated again first'),
  says('IDM-5', 'no response', [first, again(undefined)], 'inconclusive again first'),
  says('IDM-5', 'throttled', [first, again(429)], 'inconclusive again first'),
  says('IDM-5', 'the first one was refused', [{ ...first, status: 422 }, again(422)]),
  says('IDM-5', 'the first one was not answered', [{ ...first, status: undefined }, again(422)]),
  says('IDM-5', 'both at once', [[first, again(422)]]),
  says('IDM-5', 'the key was sent with another body meanwhile', [first, mismatch, again(422)]),
  says(
    'IDM-5',
    'duplicates get different classes (G1)',
    [first, again(409), thrice(201)],
    'holds again first (advisory)',
    'holds thrice first',
  ),
  says('IDM-5', 'always so', [first, again(409), thrice(409)], 'holds again first', 'holds thrice first'),
  says(
    'IDM-5',
    'the duplicate of another command is replayed',
    [first, second, again(409), secondAgain],
    'holds again first',
    'holds b second',
  ),
  says('IDM-5', 'a parallel duplicate is replayed', [[first, thrice(201)], again(409)], 'holds again first'),
  ...(['replay', 'conflict'] as const).flatMap((declared) => {
    const rulings = (status: number): string =>
      (declared === 'replay') === (status === 201) ? 'holds again first' : 'violated again first';
    return [201, 409].flatMap((status) => [
      declaring(
        'G1',
        declared,
        says('IDM-5', `${declared} is declared, and ${status} seen`, [first, again(status)], rulings(status)),
      ),
      declaring(
        'G1',
        declared,
        says(
          'IDM-17',
          `${declared} is declared, of equal requests, and another form gets ${status}`,
          [first, again(status, form)],
          'holds again first',
          'holds again first (ids only)',
        ),
      ),
    ]);
  }),
  declaring(
    'G1',
    'conflict',
    says(
      'IDM-5',
      'a conflict is declared, and the command runs again',
      [first, again(201, { result: 'case_2' })],
      'violated again first (conclusive)',
    ),
  ),
  declaring(
    'G1',
    'conflict',
    says(
      'IDM-24',
      'a conflict is declared, of equal requests, and another path replayed',
      [first, again(201, query)],
      'holds again first',
      'holds again first (ids only)',
    ),
  ),
];

/** The first request again, after its key was sent with another one. */
/** Reads of the record that the first command made. */
const readOf = (observes: 'before' | 'after', status: number, state: string): Line => ({
  id: observes,
  role: 'readback',
  observes,
  operation: 'getCase',
  on: 'first',
  status,
  body: { id: 'case_1', status: state },
});

const afterMismatch: readonly Case[] = [
  says('IDM-7', 'the first result', [first, mismatch, again(201)], 'holds again first'),
  says('IDM-7', 'a conflict', [first, mismatch, again(409)], 'holds again first'),
  says(
    'IDM-7',
    'the mismatch is stored over it',
    [first, mismatch, again(201, { result: 'case_2' })],
    'violated again first (conclusive)',
  ),
  says('IDM-7', 'the first one was refused', [{ ...first, status: 422 }, mismatch, again(422)]),
  says('IDM-7', 'the mismatch came later', [first, again(422), mismatch]),
  says('IDM-7', 'another key was mismatched', [
    first,
    { ...mismatch, deviations: [reuse('other', 'request')] },
    again(422),
  ]),
  says('IDM-7', 'the other body was faulty', [
    first,
    { ...mismatch, deviations: [reuse('first', 'request'), missing] },
    again(422),
  ]),
  says('IDM-7', 'the same body was sent meanwhile', [first, thrice(201), again(422)]),
  says('IDM-7', 'both at once', [mismatch, [first, again(422)]]),
];

/** Duplicates that differ from the first command in something that does not matter. */
const variants: readonly Case[] = [
  says(
    'IDM-17',
    'another form is another request',
    [first, again(201, { ...form, result: 'case_2' })],
    'violated again first (conclusive)',
    'violated again first (conclusive, ids only)',
  ),
  says(
    'IDM-17',
    'another form is a conflict, the same one replayed',
    [first, again(409, form), thrice(201)],
    'holds again first',
    'holds again first thrice (ids only)',
  ),
  says('IDM-17', 'two forms at once', [[first, again(422, form)]]),
  says('IDM-17', 'the same form', [first, again(422)]),
  says(
    'IDM-17',
    'the first one was refused',
    [{ ...first, status: 422 }, again(422, form)],
    'inconclusive again first',
  ),
  says(
    'IDM-18',
    'another token of the same caller',
    [first, again(201, token)],
    'holds again first',
    'holds again first (ids only)',
  ),
  says(
    'IDM-18',
    'it is another caller to the service',
    [first, again(201, { ...token, result: 'case_2' })],
    'violated again first (conclusive)',
    'violated again first (conclusive, ids only)',
  ),
  says('IDM-18', 'the same token', [first, again(422)]),
  says(
    'IDM-18',
    'the token is refused, and was accepted nowhere',
    [first, again(401, token)],
    'inconclusive again first',
  ),
  {
    ...says(
      'IDM-18',
      'the token is refused with the key alone',
      [first, again(422, token)],
      'violated again first',
      'holds again first (ids only)',
    ),
    proven: ['renewed'],
  },
  says(
    'IDM-19',
    'the key is honoured after a minute',
    [first, again(201, late(60_000))],
    'holds again first',
    'holds again first (ids only)',
  ),
  says(
    'IDM-19',
    'the key is forgotten',
    [first, again(201, { ...late(60_000), result: 'case_2' })],
    'violated again first (conclusive)',
    'violated again first (conclusive, ids only)',
  ),
  declaring(
    'G13',
    { seconds: 30 },
    says(
      'IDM-19',
      'it came within its declared lifetime',
      [first, again(409, late(30_004))],
      'holds again first',
      'holds again first (ids only)',
    ),
  ),
  declaring(
    'G13',
    { seconds: 30 },
    says(
      'IDM-19',
      'its declared lifetime has passed',
      [first, again(201, late(30_005))],
      'not-tested again first',
    ),
  ),
  declaring(
    'G13',
    { seconds: 30 },
    says(
      'IDM-19',
      'the first one was refused',
      [{ ...first, status: 422 }, again(422, late(100))],
      'inconclusive again first',
    ),
  ),
  ...(
    [
      ['the duplicate leaves a record as it was changed since', [200, 'closed'], [200, 'closed'], 'holds'],
      ['the duplicate sets a record back', [200, 'closed'], [200, 'open'], 'violated'],
      ['the duplicate brings a deleted record back', [404, 'gone'], [200, 'open'], 'violated'],
      ['the duplicate leaves a deleted record so', [404, 'gone'], [404, 'gone'], 'holds'],
      ['the changed record could not be read', [503, ''], [200, 'closed'], 'inconclusive'],
    ] as const
  ).map(([when, [before, was], [after, is], verdict]) =>
    says(
      'IDM-19',
      when,
      [
        first,
        { ...wiped, id: 'other', operation: 'closeCase', name: 'other', status: 200, result: 'case_1' },
        readOf('before', before, was),
        again(201, late(100)),
        readOf('after', after, is),
      ],
      'holds again first',
      `${verdict} again first before after`,
      'holds again first (ids only)',
    ),
  ),
  ...(
    [
      [
        'the record of a duplicate has more, and its twin does not',
        'open',
        'violated again first before after',
      ],
      ['its twin has more as well', 'more', 'inconclusive again first twin-before twin-after'],
    ] as const
  ).map(([when, later, ruling]) => {
    const ofTwin = (observes: 'before' | 'after', state: string): Line => ({
      ...readOf(observes, 200, state),
      ...{ id: `twin-${observes}`, on: 'twin', body: { id: 'case_2', status: state } },
    });
    return says(
      'IDM-19',
      when,
      [
        first,
        { ...first, id: 'twin', role: 'setup', key: 'twin', name: 'twin', result: 'case_2' },
        ofTwin('before', 'open'),
        readOf('before', 200, 'open'),
        again(201, late(100)),
        readOf('after', 200, 'more'),
        ofTwin('after', later),
      ],
      'holds again first',
      ruling,
      'holds again first (ids only)',
    );
  }),
  says(
    'IDM-19',
    'the key went with the record that was deleted',
    [first, wiped, again(201, { ...late(100), result: 'case_2' })],
    'violated again first (conclusive)',
    'violated again first (conclusive, ids only)',
  ),
  says(
    'IDM-19',
    'the record of the key was deleted, and the duplicate is not found',
    [first, wiped, again(404, late(100))],
    'inconclusive again first',
    'holds again first (ids only)',
  ),
  says(
    'IDM-19',
    'the duplicate is not found, and no record was deleted',
    [first, again(404, late(100))],
    'violated again first',
    'holds again first (ids only)',
  ),
  ...[404, 410].map((status) =>
    says(
      'IDM-19',
      `a deletion again, which returns ${status} as if it were new`,
      [
        { ...first, operation: 'wipeCase', on: 'made', status: 204, body: '' },
        again(status, { ...late(100), operation: 'wipeCase', on: 'made' }),
      ],
      'violated again first',
      'holds again first (ids only)',
    ),
  ),
  declaring(
    'G1',
    'replay',
    says(
      'IDM-19',
      'the record of the key was deleted, and the duplicate is not replayed as declared',
      [first, wiped, again(404, late(100))],
      'violated again first',
      'holds again first (ids only)',
    ),
  ),
  says('IDM-19', 'soon', [first, again(422)]),
  says(
    'IDM-20',
    'a PATCH is sent twice',
    [
      made,
      { ...first, operation: 'updateCase', on: 'made', status: 200 },
      again(200, { operation: 'updateCase', on: 'made', result: 'case_8' }),
    ],
    'violated again first (conclusive)',
    'inconclusive again first',
  ),
  says('IDM-20', 'two at once', [
    made,
    [
      { ...first, operation: 'updateCase', on: 'made', status: 200 },
      again(422, { operation: 'updateCase', on: 'made' }),
    ],
  ]),
  says('IDM-20', 'a POST is sent twice', [first, again(422)]),
  says(
    'IDM-24',
    'a query on the retry',
    [first, again(201, query)],
    'holds again first',
    'holds again first (ids only)',
  ),
  says(
    'IDM-24',
    'no such path',
    [first, again(404, query)],
    'holds again first',
    'holds again first (ids only)',
  ),
  says(
    'IDM-24',
    'another command to the service',
    [first, again(201, { ...query, result: 'case_2' })],
    'violated again first (conclusive)',
    'violated again first (conclusive, ids only)',
  ),
  says(
    'IDM-24',
    'another record within the same one',
    [
      made,
      { ...first, operation: 'addPart', on: 'made' },
      again(201, { ...query, operation: 'addPart', on: 'made', result: 'case_2' }),
    ],
    'violated again first (conclusive)',
    'violated again first (conclusive, ids only)',
  ),
  says(
    'IDM-24',
    'the service fails',
    [first, again(500, query)],
    'inconclusive again first',
    'holds again first (ids only)',
  ),
  ...[
    [{ ...first, body: '' }, again(201, query)],
    [first, again(200, { ...query, type: 'text/html', body: '<p>Welcome</p>' })],
  ].map((trace) =>
    says('IDM-24', 'one result has no ID', trace, 'holds again first', 'holds again first (ids only)'),
  ),
  ...[429, undefined].map((status) =>
    says('IDM-24', `it gets ${status}`, [first, again(status, query)], 'inconclusive again first'),
  ),
  ...[422, undefined].map((status) =>
    says(
      'IDM-24',
      `the first one got ${status}`,
      [{ ...first, status }, again(201, query)],
      status === 422 ? 'inconclusive again first' : 'holds again first (ids only)',
    ),
  ),
  says(
    'IDM-24',
    'two results about one target',
    [made, { ...first, ...closed, status: 200 }, again(200, { ...query, ...closed, result: 'case_8' })],
    'holds again first',
    'inconclusive again first',
  ),
  says('IDM-24', 'the same path', [first, again(422)]),
];

/** A replay is a result like any other. */
const replays: readonly Case[] = [
  says('IDM-25', 'typed, with a request ID', [first, again(201)], 'holds again'),
  says('IDM-25', 'without a request ID', [first, again(201, { requestId: [] })], 'violated again'),
  says('IDM-25', 'another media type', [first, again(201, { type: 'text/html' })], 'violated again'),
  says('IDM-25', 'no JSON', [first, again(201, { body: 'done' })], 'violated again'),
  says('IDM-25', 'cut off by us', [first, again(201, { body: '{"id":', truncated: true })], 'holds again'),
  says('IDM-25', 'without its ID', [first, again(201, { body: { status: 'open' } })], 'violated again'),
  says(
    'IDM-25',
    'another status, which the record may have by now',
    [first, again(201, { body: { id: 'case_1', status: 'new' } })],
    'inconclusive again',
  ),
  says(
    'IDM-25',
    'a status that is no text',
    [first, again(201, { body: { id: 'case_1', status: 1 } })],
    'violated again',
  ),
  says('IDM-25', 'a list', [first, again(201, { body: [] })], 'violated again'),
  says(
    'IDM-25',
    'nothing is said of the result',
    [
      { ...first, operation: 'ping', status: 202 },
      again(202, { operation: 'ping', type: 'text/plain', body: '' }),
    ],
    'holds again',
  ),
  ...(['echo', 'submit'] as const).flatMap((operation) => {
    const of = { operation, body: operation === 'echo' ? {} : '' };
    const full = { ...of, headers: [[operation === 'echo' ? 'ETag' : 'Location', '/1']] } as const;
    return [
      says('IDM-25', 'its header', [{ ...first, ...full, status: 202 }, again(202, full)], 'holds again'),
      says('IDM-25', 'no header', [{ ...first, ...full, status: 202 }, again(202, of)], 'violated again'),
      says('IDM-25', 'another status', [{ ...first, ...full, status: 202 }, again(200, of)], 'holds again'),
      says(
        'IDM-25',
        'none in the first one',
        [{ ...first, ...of, status: 202 }, again(202, of)],
        'holds again',
      ),
    ];
  }),
  says('IDM-25', 'a conflict', [first, again(409, { requestId: [] })]),
  says('IDM-25', 'a first result', [{ ...first, requestId: [] }]),
];

export const duplicateCases: readonly Case[] = [...answers, ...afterMismatch, ...variants, ...replays];
