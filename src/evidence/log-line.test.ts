import { expect, test } from 'vitest';
import { logLineOf } from './log-line.ts';

const step = (id: string): unknown => ({
  id,
  operation: 'listCases',
  as: 'full',
  role: 'test',
  key: { use: 'none' },
  body: { use: 'none' },
  deviations: [],
});

/** A trace over so many pages, each read where the one before was accepted. */
function walk(pages: number): string {
  const from = (page: number): readonly unknown[] => [
    { steps: [step(`page-${page}`)] },
    ...(page + 1 < pages ? [{ when: { step: `page-${page}`, was: 'accepted' }, waves: from(page + 1) }] : []),
  ];
  return JSON.stringify({
    line: 'trace',
    trace: {
      id: 't1',
      suite: 'reads',
      probe: 'pages',
      purpose: 'first',
      ended: 'complete',
      scenarioIndex: 0,
      attempt: 0,
      seed: 1,
      scenario: { title: 'page by page', bodies: {}, waves: from(0) },
      bound: { keys: {}, markers: {} },
      hooks: {},
    },
    exchanges: [],
  });
}

test('a walk over many pages is a line of a log', () => {
  expect(logLineOf(walk(1))).toBeDefined();
  expect(logLineOf(walk(40))).toBeDefined();
  expect(logLineOf(walk(100))).toBeDefined();
});

test('waves without end are not', () => {
  expect(logLineOf(walk(1000))).toBeUndefined();
});
