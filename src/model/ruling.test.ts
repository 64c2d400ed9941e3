import { expect, test } from 'vitest';
import { contextOf } from '../clauses/cases/judged.ts';
import { trace } from '../clauses/cases/trace.ts';
import { doubted, holds, inconclusive, notTested, violated } from './ruling.ts';

const context = contextOf();
const [one, other] = context.reading(
  trace([
    { id: 'a', status: 201 },
    { id: 'b', operation: 'listCases', status: 200, body: 'none' },
  ]),
).seen;
if (one === undefined || other === undefined) throw new Error('a trace without exchanges');
const about = { operation: 'listCases', exchanges: ['t-x1', 't-x0'] };

test('a ruling is of the operation of its first exchange, and shows its response', () => {
  const held = holds([other, one], { expected: 'x', because: 'z' });
  expect({ ...held, actual: held.actual }).toEqual({
    verdict: 'holds',
    ...about,
    expected: 'x',
    actual: '200 none',
    because: 'z',
  });
  expect(violated([other, one], { expected: 'x', actual: 'y', because: 'z', conclusive: true })).toEqual({
    verdict: 'violated',
    ...about,
    expected: 'x',
    actual: 'y',
    because: 'z',
    conclusive: true,
  });
});

test('what is not given is not there', () => {
  const made = { expected: 'x', because: 'z', advisory: undefined, idsOnly: false };
  expect(Object.keys(holds([one], made))).not.toContain('advisory');
  expect(Object.keys(holds([one], made))).not.toContain('idsOnly');
  expect(Object.keys(violated([one], { ...made, conclusive: false }))).not.toContain('conclusive');
});

test('another operation and further exchanges', () => {
  const made = { expected: 'x', because: 'z', operation: 'getCase', seenIn: ['x9'] };
  expect(holds([one], made)).toMatchObject({ operation: 'getCase', exchanges: ['t-x0', 'x9'] });
});

test('what concludes nothing has a reason alone', () => {
  const why = { ...about, because: 'why' };
  expect(inconclusive([other, one], 'why')).toEqual({ verdict: 'inconclusive', ...why });
  expect(notTested([other, one], 'why')).toEqual({ verdict: 'not-tested', ...why });
  const found = violated([other, one], { expected: 'x', because: 'it was seen', conclusive: true });
  expect(doubted(found, 'why')).toEqual({ verdict: 'inconclusive', ...why });
});
