import { expect, test } from 'vitest';
import { cellWith, reportWith } from '../../testing/sample-report.ts';
import type { Report } from '../report.ts';
import { makeShelf } from './runs.ts';

const report = (day: number, more: Partial<Report> = {}): Report => {
  const base = reportWith({ cells: [cellWith({ clause: 'RID-1', verdict: 'pass' })] });
  return { ...base, ...more, run: { ...base.run, startedAt: `2026-01-0${day}T00:00:00.000Z`, ...more.run } };
};

test('narrowed and incomplete runs are listed, and neither compared nor compared with', () => {
  const whole = report(1);
  const partial = report(2, { verdict: { ...whole.verdict, partial: true }, cells: [] });
  const early = report(3, {
    run: { ...whole.run, startedAt: '2026-01-03T00:00:00.000Z', ended: 'interrupted' },
  });
  const shelf = makeShelf();
  for (const [name, one] of Object.entries({ a: whole, b: partial, c: early, d: report(4) }))
    shelf.put(name, one);
  const runs = shelf.subjects()[0]?.runs ?? [];
  expect(runs.map(({ name, whole: counts }) => [name, counts])).toEqual([
    ['a', true],
    ['b', false],
    ['c', false],
    ['d', true],
  ]);
  expect(runs.map(({ since }) => since?.lost)).toEqual([undefined, undefined, undefined, 0]);
});
