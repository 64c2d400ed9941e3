import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { contextOf, judged, stated } from '../cases/judged.ts';
import { leftBehindCases } from '../cases/left-behind.ts';
import { record, trace } from '../cases/trace.ts';
import { leftBehind } from './left-behind.ts';

test.each(leftBehindCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

test.each([
  [{ subject: 'b' }, ['violated']],
  [{ failedAttempts: 1 }, []],
  [{ updatedAt: '2026-01-01T00:00:00Z' }, []],
  [{ failedAttempts: 1, subject: 'b' }, ['violated']],
])('a record may count what was tried on it: %j', (changed, expected) => {
  const look = (observes: 'before' | 'after', more: JsonObject) => ({
    ...({ id: observes, role: 'readback', operation: 'getCase', on: 'made', observes, status: 200 } as const),
    body: record('case_7', { subject: 'a', ...more }),
  });
  const one = trace([
    { id: 'made', role: 'setup', status: 201, result: 'case_7', name: 'made' },
    look('before', { failedAttempts: 0, updatedAt: '2025-01-01T00:00:00Z' }),
    {
      ...{ id: 'probe', role: 'test', operation: 'escalate', on: 'made', sent: '{"case":"case_7"}' },
      status: 422,
      deviations: [{ kind: 'target', how: 'absent' }],
    },
    look('after', { failedAttempts: 0, updatedAt: '2025-01-01T00:00:00Z', ...changed }),
  ]);
  const rulings = [...leftBehind(() => true).rule(contextOf(), one)];
  expect(rulings.map(({ verdict }) => verdict)).toEqual(expected);
});
