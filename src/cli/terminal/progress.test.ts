import pc from 'picocolors';
import { expect, test } from 'vitest';
import { makeProgress } from './progress.ts';

function shown(live: boolean) {
  const lines: string[] = [];
  let now = 0;
  const progress = makeProgress(
    {
      out: () => undefined,
      err: (text) => lines.push(text),
      live,
      columns: 80,
      colours: pc.createColors(false),
    },
    () => now,
    () => 40,
  );
  return {
    progress,
    lines,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}
const begun = (suite: string) =>
  ({ kind: 'probe-started', suite, probe: 'p', operation: 'createCase' }) as const;

test('violations and the time left come first, and waits count in it', () => {
  const { lines, pass, progress } = shown(true);
  pass(1000);
  progress.show(begun('credentials'));
  pass(1000);
  progress.show({ kind: 'advanced', done: 50, of: 100, waitMs: 11_000 });
  expect(lines.at(-1)).toBe('no violation, 9 s left, 50%, 40 requests, 20/s, createCase: credentials/p');
  pass(18_000);
  progress.show({ kind: 'advanced', done: 80, of: 100, waitMs: 11_000 });
  expect(lines.at(-1)).toContain('no violation, 5 s left, 80%');
});

test('without a terminal each suite is named once, however its scenarios are interleaved', () => {
  const { lines, progress } = shown(false);
  for (const suite of ['credentials', 'reads', 'credentials', 'reads']) progress.show(begun(suite));
  expect(lines).toEqual(['assay: credentials\n', 'assay: reads\n']);
});
