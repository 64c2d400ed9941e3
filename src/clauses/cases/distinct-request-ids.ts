import type { Deviation } from '../../model/scenario.ts';
import { says } from './says.ts';
import { type Case, type Line, reuse } from './trace.ts';

export const sent: Deviation = { kind: 'header-noise', header: 'X-Request-ID' };
export const otherNoise: Deviation = { kind: 'header-noise', header: 'X-Other' };
export const one = (more: Partial<Line> = {}): Line => ({ id: 'a', status: 201, ...more });
export const two = (more: Partial<Line> = {}): Line => ({ id: 'b', status: 201, ...more });
export const read = { operation: 'listCases', status: 200 } as const;
export const twice = (first: Partial<Line>, again: Partial<Line>): Case['trace'] => [
  { id: 'first', status: 201, key: 'k', requestId: 'req_same', ...first },
  { id: 'again', role: 'test', status: 201, key: 'k', requestId: 'req_same', ...again },
];

/** RID-4 and RID-5: which responses may have one request ID. */
export const distinctRequestIdCases: readonly Case[] = [
  says('RID-4', 'each has its own', [one(), two()], 'holds a', 'holds b'),
  says(
    'RID-4',
    'one ID for two commands',
    [one({ requestId: 'req_1' }), two({ requestId: 'req_1' })],
    'holds a',
    'violated a b (conclusive)',
  ),
  {
    ...says(
      'RID-4',
      'one ID in two traces',
      [two({ requestId: 'req_1' })],
      'holds a',
      'violated a b (conclusive)',
    ),
    after: [[one({ requestId: 'req_1', status: 422 })]],
  },
  says(
    'RID-4',
    'one ID for two reads, which have no key',
    [one({ ...read, requestId: 'req_1' }), two({ ...read, requestId: 'req_1' })],
    'holds a',
    'violated a b (conclusive)',
  ),
  says(
    'RID-4',
    'a replay has the stored id',
    twice({}, { deviations: [reuse('first')] }),
    'holds first',
    'holds again',
  ),
  says(
    'RID-4',
    'a stored refusal has the stored id',
    twice({ status: 422 }, { status: 422 }),
    'holds first',
    'holds again',
  ),
  says(
    'RID-4',
    'a conflict has the ID of the result',
    twice({}, { status: 409 }),
    'holds first',
    'holds again',
  ),
  {
    ...says(
      'RID-4',
      'a replay has the stored ID, where a new one is declared',
      twice({}, {}),
      'holds first',
      'violated first again (conclusive)',
    ),
    declares: { G3: 'new' },
  },
  ...[401, 403, 429].map((status) =>
    says(
      'RID-4',
      `${status} and the success behind it, which replays nothing`,
      twice({ status }, {}),
      'holds first',
      'violated first again (conclusive)',
    ),
  ),
  says(
    'RID-4',
    'a stored 403 is replayed',
    twice({ status: 403 }, { status: 403 }),
    'holds first',
    'holds again',
  ),
  says(
    'RID-4',
    'the same key, refused twice, by two keys',
    twice({ status: 403 }, { status: 403, key: 'other' }),
    'holds first',
    'violated first again (conclusive)',
  ),
  says('RID-4', 'an ID of the client comes twice', [
    one({ requestId: 'req_1', deviations: [sent] }),
    two({ requestId: 'req_1', deviations: [sent] }),
  ]),
  says(
    'RID-4',
    'noise in another header',
    [
      one({ requestId: 'req_1', deviations: [otherNoise] }),
      two({ requestId: 'req_1', deviations: [otherNoise] }),
    ],
    'holds a',
    'violated a b (conclusive)',
  ),
  says('RID-4', 'one answer with the same line twice', [one({ requestId: ['req_1', 'req_1'] })], 'holds a'),
  says(
    'RID-4',
    'a throttled try had an ID of its own',
    [one({ requestId: 'req_2', earlier: [429], earlierIds: ['req_1'] })],
    'holds a',
    'holds a',
  ),
  says(
    'RID-4',
    'a throttled try had the ID of the success',
    [one({ requestId: 'req_1', earlier: [429], earlierIds: ['req_1'] })],
    'holds a',
    'violated a a (conclusive)',
  ),
  says(
    'RID-4',
    'a throttled read had the ID of the success',
    [one({ ...read, requestId: 'req_1', earlier: [429], earlierIds: ['req_1'] })],
    'holds a',
    'violated a a (conclusive)',
  ),
  says(
    'RID-4',
    'a failed try is replayed',
    [one({ requestId: 'req_1', earlier: [500], earlierIds: ['req_1'] })],
    'holds a',
    'holds a',
  ),
  says('RID-4', 'tries that were not answered, and answers without an ID', [
    one({ requestId: [], earlier: [undefined] }),
    two({ status: undefined }),
  ]),

  says('RID-5', 'a burst with IDs of their own', [[one(), two()]], 'holds a b'),
  says(
    'RID-5',
    'two of a burst with one id',
    [
      [
        one({ requestId: 'req_1' }),
        two({ requestId: 'req_2' }),
        { id: 'c', status: 201, requestId: 'req_1' },
      ],
    ],
    'violated a c (conclusive)',
  ),
  says('RID-5', 'one of a burst has no ID', [[one({ requestId: [] }), two()]], 'holds a b'),
  says(
    'RID-5',
    'an answer with two lines is no clash',
    [[one({ requestId: ['req_1', 'req_1'] }), two()]],
    'holds a b',
  ),
  says(
    'RID-5',
    'the second line of one is the ID of the other',
    [[one({ requestId: ['req_1', 'req_2'] }), two({ requestId: 'req_2' })]],
    'violated a b (conclusive)',
  ),
  says(
    'RID-5',
    'a burst of reads, which have no key',
    [[one({ ...read, requestId: 'req_1' }), two({ ...read, requestId: 'req_1' })]],
    'violated a b (conclusive)',
  ),
  says(
    'RID-5',
    'two bursts are looked at each',
    [
      [one(), two()],
      [
        { id: 'c', status: 201, requestId: 'req_1' },
        { id: 'd', status: 201, requestId: 'req_1' },
      ],
    ],
    'holds a b',
    'violated c d (conclusive)',
  ),
  says('RID-5', 'one after the other is no burst', [
    one({ requestId: 'req_1' }),
    two({ requestId: 'req_1' }),
  ]),
  says('RID-5', 'a wait is no burst', [{ wait: 1 }, one()]),
  says('RID-5', 'parallel uses of one key may be replays', [
    [one({ key: 'k', requestId: 'req_1' }), two({ key: 'k', requestId: 'req_1' })],
  ]),
  says('RID-5', 'a duplicate and its command', [
    [one({ requestId: 'req_1' }), two({ requestId: 'req_1', deviations: [reuse('a')] })],
  ]),
  says('RID-5', 'a burst without ids', [[one({ requestId: [] }), two({ requestId: [] })]]),
  says('RID-5', 'all but one were lost', [[one(), two({ status: undefined })]]),
];
