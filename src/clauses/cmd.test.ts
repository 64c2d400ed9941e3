import { expect, test } from 'vitest';
import { resultCases } from './cases/results.ts';
import { judged, stated } from './cases/trace.ts';

test.each(resultCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

test.each([
  ['CMD-2', { id: 1, status: 'open' }, 'violated: /id '],
  ['CMD-2', [], 'violated: The body is not an object'],
  ['CMD-3', { id: 'case_1' }, 'violated: /status '],
  ['CMD-4', '', 'violated: the body is empty'],
])('%s says what departs, and where: %j', (clause, body, words) => {
  const trace = [{ id: 'a', status: 201, body }];
  expect(judged({ clause, kind: 'violates', when: '', trace }).because).toContain(words);
});
