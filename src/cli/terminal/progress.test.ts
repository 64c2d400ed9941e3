import pc from 'picocolors';
import { expect, test } from 'vitest';
import { trace } from '../../clauses/cases/trace.ts';
import { clauses } from '../../clauses/catalogue.ts';
import { violated } from '../../model/ruling.ts';
import { makeProgress } from './progress.ts';

const mark = `<${'0'.repeat(24)}>`;

function shown(live: boolean) {
  const lines: string[] = [];
  let now = 0;
  const progress = makeProgress(
    {
      out: () => undefined,
      err: (text) => lines.push(text),
      live,
      columns: 80,
      // As of the process: what stands for an escape sequence is longer than it.
      colours: { ...pc.createColors(false), red: (text) => `${mark}${text}${mark}` },
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

const violation = (code: string, passing = false) => {
  const clause = clauses.find((each) => each.code === code);
  if (clause === undefined) throw new Error(`there is no clause ${code}`);
  const ruling = violated([], {
    operation: 'createCase',
    expected: '409',
    actual: '201',
    because: 'made twice',
  });
  return {
    kind: 'violation',
    violation: { clause, ruling, passing },
    trace: trace([{ id: 'step', status: 201 }]),
  } as const;
};

test('the verdict so far, violations and the time left come first', () => {
  const { lines, pass, progress } = shown(true);
  pass(1000);
  progress.show(begun('credentials'));
  pass(1000);
  progress.show({ kind: 'advanced', done: 50, of: 100, leftMs: 9000 });
  expect(lines.at(-1)).toBe(
    'so far: not fully verified (0 violations), 9 s left, 50%, 40 requests, 20/s, cr',
  );
  pass(18_000);
  progress.show({ kind: 'advanced', done: 80, of: 100, leftMs: 5100 });
  expect(lines.at(-1)).toContain('so far: not fully verified (0 violations), 5 s left, 80%');
  pass(1000);
  progress.show(violation('IDM-4'));
  expect(lines.at(-1)).toContain(
    `so far: ${mark}violations (1)${mark}, 4 s left, 80%, 40 requests, 2/s, createCase: creden`,
  );
  pass(1000);
  progress.show(violation('IDM-5'));
  expect(lines.at(-1)).toContain(`so far: ${mark}violations (2)${mark}, 3 s left, 80%, 40 requests, 2/s`);
});

test('without a terminal each suite is named once, however its scenarios are interleaved', () => {
  const { lines, progress } = shown(false);
  for (const suite of ['credentials', 'reads', 'credentials', 'reads']) progress.show(begun(suite));
  expect(lines).toEqual(['assay: credentials\n', 'assay: reads\n']);
});

test('a violation that the whole run explains is withdrawn in a line of its own', () => {
  const { lines, progress } = shown(false);
  progress.show(violation('IDM-4'));
  progress.show(violation('IDM-5'));
  progress.settle(new Set(['IDM-5/createCase']));
  expect(lines.slice(2)).toEqual([
    'assay: withdrawn IDM-4 createCase: later responses of the run explain it\n',
  ]);
});

test('what may be a passing failure is shown once it is confirmed, and no earlier', () => {
  const { lines, progress } = shown(false);
  progress.show(violation('IDM-4', true));
  progress.show({ kind: 'confirmed', cell: 'IDM-5 createCase' });
  progress.settle(new Set());
  expect(lines).toEqual([]);
  progress.show({ kind: 'confirmed', cell: 'IDM-4 createCase' });
  expect(lines).toEqual([expect.stringMatching(/violation.* IDM-4 createCase: .* Got 201/)]);
});
