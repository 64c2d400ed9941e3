import { expect, test } from 'vitest';
import { listCases } from '../cases/lists.ts';
import { judged, stated } from '../cases/trace.ts';

test.each(listCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

test.each([
  [{ body: 'a case' }, 'the body is not JSON'],
  [{ body: [] }, 'the body '],
  [{ body: { id: 'case_1' } }, '/status '],
])('RDS-1 says what departs, and where: %j', (line, words) => {
  const trace = [{ id: 'a', operation: 'getCase', status: 200, ...line }];
  expect(judged({ clause: 'RDS-1', kind: 'violates', when: '', trace }).because).toContain(
    `violated: ${words}`,
  );
});
