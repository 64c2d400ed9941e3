import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { expect, test } from 'vitest';
import { busy } from '../../testing/busy-report.ts';
import { cellWith, reportWith } from '../../testing/sample-report.ts';
import { compare } from '../compare.ts';
import { renderHtml } from './html.tsx';
import { makeShelf } from './runs.ts';
import { renderRuns } from './runs-page.tsx';

const plain = reportWith({ cells: [cellWith({ clause: 'IDM-6', verdict: 'pass' })] });

function runsPage(): string {
  const shelf = makeShelf();
  for (const [name, report] of Object.entries({ first: plain, second: busy })) shelf.put(name, report);
  return renderRuns({
    folder: 'reports',
    subjects: shelf.subjects(),
    unreadable: [{ name: 'third', problem: 'the log breaks off' }],
    reportOf: (name) => `${name}/report.html`,
  });
}

test.each([
  ['a report with a finding of each kind', () => renderHtml(busy, ['0123456789abcdef0123'])],
  ['a report compared with an earlier one', () => renderHtml(busy, [], compare(plain, busy))],
  ['a report without a finding', () => renderHtml(plain)],
  ['the page of the runs', runsPage],
])('%s is valid HTML', async (_, page) => {
  const validator = new HtmlValidate(new StaticConfigLoader({ extends: ['html-validate:standard'] }));
  const { results } = await validator.validateString(page());
  expect(
    results.flatMap(({ messages }) =>
      messages.map(({ ruleId, line, column, message }) => `${line}:${column} ${ruleId}: ${message}`),
    ),
  ).toEqual([]);
});
