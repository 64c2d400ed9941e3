import { expect, test } from 'vitest';
import type { Exchange } from '../../model/exchange.ts';
import { contextOf } from '../cases/judged.ts';
import { type Line, trace } from '../cases/trace.ts';
import { unread } from './unread.ts';

const none = (
  reason: 'closed' | 'protocol' | 'timeout',
  detail: string,
  status: number | undefined,
): Partial<Exchange> => ({
  answer: undefined,
  noAnswer: { reason, detail, partial: status === undefined ? undefined : { status, headers: [] } },
});

const ended = none('closed', 'the other side closed the connection in the middle of the response', 409);
const whole = {} as const;

/** Which of some responses to one operation are reported: all say 409, but for the first one. */
function reported(responses: readonly Partial<Exchange>[], first: Partial<Line> = {}): readonly string[] {
  const lines: readonly Line[] = [
    { id: 'first', status: 201, ...first },
    ...responses.map((_, index): Line => ({ id: `r${index}`, status: 409 })),
  ];
  const all = trace(lines);
  const exchanges = all.exchanges.map((one, index) => ({ ...one, ...responses[index - 1] }));
  const fold = unread({ isOf: (status) => status === 409, expected: 'a 409' })();
  return [...fold.see(contextOf(), { ...all, exchanges })].flatMap((ruling) =>
    ruling.verdict === 'violated'
      ? exchanges.flatMap(({ id, step }) => (ruling.exchanges.includes(id) ? [step] : []))
      : [],
  );
}

test('three responses whose bodies never arrive whole are a violation, and so is each one after them', () => {
  expect(reported([ended, ended])).toEqual([]);
  expect(reported([ended, ended, ended, ended])).toEqual(['r2', 'r3']);
  const longer = none('protocol', 'the response is not as long as its Content-Length says', 409);
  expect(reported([longer, longer, longer])).toEqual(['r2']);
});

test.each<[string, readonly Partial<Exchange>[]]>([
  ['one of them arrives whole', [whole, ended, ended, ended, ended]],
  [
    'the network resets the connection',
    Array(4).fill(none('closed', 'the connection was reset (ECONNRESET) in the middle of the response', 409)),
  ],
  ['none of them has a head', Array(4).fill(none('closed', 'closed', undefined))],
  ['they do not end', Array(4).fill(none('timeout', 'the response did not end', 409))],
  [
    'they are of another kind',
    Array(4).fill(none('closed', 'the other side closed the connection in the middle of the response', 503)),
  ],
])('nothing is said where %s', (_, responses) => {
  expect(reported(responses)).toEqual([]);
});

test('nothing is said as long as no other response to the operation arrives', () => {
  expect(reported([ended, ended, ended], { status: undefined })).toEqual([]);
});
