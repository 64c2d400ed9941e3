import { expect, test } from 'vitest';
import { contextOf, judged, stated } from '../cases/judged.ts';
import { listCases } from '../cases/lists.ts';
import { record, trace } from '../cases/trace.ts';
import { clauseOf } from '../catalogue.ts';

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

test('a page whose address forgot the filter is compared with what the first page was asked for', () => {
  const read = (id: string, query: string, status: string): Parameters<typeof trace>[0][number] => ({
    id,
    operation: 'listCases',
    role: 'test',
    status: 200,
    query,
    body: { items: [record('case_1', { status })], nextCursor: null },
  });
  const walk = (query: string, status: string): readonly string[] => {
    const sent = trace([
      { id: 'made', status: 201, body: record('case_2', { status: 'closed' }) },
      read('first', 'status=open', 'open'),
      read('second', query, status),
    ]);
    const followed = { step: 'first', followed: 'status', address: 'link', otherwise: 'open' } as const;
    const waves = sent.scenario.waves.map((wave) =>
      'steps' in wave
        ? {
            steps: wave.steps.map((step) =>
              step.id === 'second' ? { ...step, query: [['status', followed] as const] } : step,
            ),
          }
        : wave,
    );
    const one = { ...sent, scenario: { ...sent.scenario, waves } };
    const judges = clauseOf('RDS-3')?.judges ?? [];
    return judges
      .flatMap((judge) =>
        judge.over === 'trace' ? [...judge.rule(contextOf({ G15: { seconds: 0 } }), one)] : [],
      )
      .map(({ verdict }) => verdict);
  };
  expect(walk('cursor=x', 'open')).toEqual(['holds', 'holds']);
  expect(walk('cursor=x', 'closed')).toEqual(['holds', 'violated']);
});
