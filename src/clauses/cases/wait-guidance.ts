import { says } from './says.ts';
import type { Case, Line } from './trace.ts';

const throttled = (headers: Line['headers'] = [], more: Partial<Line> = {}): readonly Line[] => [
  { id: 'a', status: 429, headers, ...more },
];
const after = (value: string): readonly [string, string] => ['Retry-After', value];
const reset = (value: string): readonly [string, string] => ['RateLimit-Reset', value];
/** The requests of literal traces are sent at midnight. */
const halfPast = after('Thu, 01 Jan 2026 00:00:30 GMT');

export const waitGuidanceCases: readonly Case[] = [
  says('THR-2', 'Retry-After', throttled([after('1')]), 'holds a'),
  says('THR-2', 'a field of the body', throttled([], { body: { retryAfter: 1 } }), 'holds a'),
  says('THR-2', 'guidance that cannot be honoured', throttled([after('soon')]), 'holds a'),
  says('THR-2', 'none', throttled(), 'violated a'),
  says(
    'THR-2',
    'none, to a caller without a token',
    throttled([], {
      role: 'readback',
      deviations: [{ kind: 'pace' }, { kind: 'credential', how: 'absent' }],
    }),
    'violated a',
  ),
  says('THR-2', 'a time under an unknown name', throttled([['X-Retry-In', '5']]), 'holds a'),
  says('THR-2', 'a time in prose', throttled([], { body: { message: 'Wait 5 seconds.' } }), 'inconclusive a'),
  says(
    'THR-2',
    'words that begin as a duration does',
    throttled([], { body: { title: 'Request cannot be satisfied as assigned quota has been exceeded' } }),
    'violated a',
  ),
  says(
    'THR-2',
    'an instant in prose',
    throttled([], { body: { msg: 'banned until 1768478460000.' } }),
    'inconclusive a',
  ),
  says('THR-2', 'the end of a window', throttled([], { body: { expiresIn: 60000 } }), 'inconclusive a'),
  ...[
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'RateLimit-Policy',
    'X-RateLimit-Used',
    'Age',
    'Expires',
    'Cache-Control',
    'Keep-Alive',
    'Strict-Transport-Security',
  ].map((name) => says('THR-2', `${name} alone`, throttled([[name, '30']]), 'violated a')),
  {
    ...says('THR-2', 'a carrier that is declared', throttled([['X-Pause', '5']]), 'holds a'),
    declares: { G8: { guidance: { name: 'X-Pause' } } },
  },
  says('THR-2', 'the same, undeclared', throttled([['X-Pause', '5']]), 'inconclusive a'),
  says(
    'THR-2',
    'each by itself',
    [...throttled([after('1')]), { id: 'b', status: 429 }],
    'holds a',
    'violated b',
  ),
  says('THR-2', 'another refusal', throttled([], { status: 503 })),

  says('THR-3', 'whole seconds', throttled([after('1')]), 'holds a'),
  says('THR-3', 'a decimal', throttled([after('1.5')]), 'holds a (advisory)'),
  says('THR-3', 'words', throttled([after('soon')]), 'violated a'),
  says('THR-3', 'words and seconds', throttled([after('soon'), reset('1')]), 'violated a'),
  says('THR-3', 'seconds and words', throttled([after('1'), reset('soon')]), 'holds a (advisory)'),
  says('THR-3', 'seconds and an epoch', throttled([after('1'), reset('1767225700')]), 'holds a (advisory)'),
  says('THR-3', 'a time under an unknown name', throttled([['X-Retry-In', '5']]), 'holds a (advisory)'),
  says(
    'THR-3',
    'a date with a numeric zone',
    throttled([after('Thu, 01 Jan 2026 00:00:30 -0000')]),
    'holds a (advisory)',
  ),
  says('THR-3', 'a time since 1970 as a reset', throttled([reset('1767225700')]), 'holds a (advisory)'),
  says('THR-3', 'negative', throttled([after('-1')]), 'violated a'),
  says(
    'THR-3',
    'words, and more than a day',
    throttled([after('soon'), reset('90000')]),
    'violated a (advisory)',
  ),
  says('THR-3', 'none', throttled()),
  says('THR-3', 'a date that is to come', throttled([halfPast], { took: 29_985 }), 'holds a'),
  says('THR-3', 'a date that has passed', throttled([halfPast], { took: 60_000 }), 'violated a'),
  says('THR-3', 'another refusal', throttled([after('soon')], { status: 503 })),

  says('THR-8', 'two that agree', throttled([after('1'), reset('2')]), 'holds a'),
  says('THR-8', 'two that do not', throttled([after('1'), reset('3')]), 'violated a'),
  says('THR-8', 'one', throttled([after('1')])),
  says('THR-8', 'one without a unit', throttled([after('1'), ['X-Retry-In', '9']])),
  says('THR-8', 'one that can be honoured', throttled([after('soon'), reset('3')])),
  says('THR-8', 'another refusal', throttled([after('1'), reset('3')], { status: 503 })),
];
