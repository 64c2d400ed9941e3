import { expect, test } from 'vitest';
import { InputError } from '../model/input-error.ts';
import { reportWith } from '../testing/sample-report.ts';
import { parseReport, reportText } from './read.ts';

/** What is said of a text that is no report. */
function refused(text: string): unknown {
  try {
    parseReport(text, 'reports/x/report.json');
  } catch (error) {
    if (!(error instanceof InputError)) return error;
    const { file, line, problem, remedy } = error;
    return { file, line, problem, remedy };
  }
  return undefined;
}

const remedy = 'name a run of this version of Assay, or make its report again with `assay judge`';

test('a report comes back from its text', () => {
  const report = reportWith({});
  const text = reportText(report);
  expect(text.endsWith('}\n')).toBe(true);
  expect(text).toContain('\n  "format": "assay-report/4",\n');
  expect(parseReport(text, 'report.json')).toEqual(JSON.parse(text));
});

test.each([
  ['{', 'it is not JSON'],
  ['3', 'it is not a report of format assay-report/4: the root must be object'],
  ['{}', "it is not a report of format assay-report/4: the root must have required property 'format'"],
])('%s is refused', (text, problem) => {
  expect(refused(text)).toEqual({ file: 'reports/x/report.json', line: undefined, problem, remedy });
});

test('a report of another format, or with a wrong member, is refused by its place', () => {
  const report = reportWith({});
  expect(refused(JSON.stringify({ ...report, format: 'assay-report/1' }))).toMatchObject({
    problem: 'it is not a report of format assay-report/4: /format must be equal to constant',
  });
  expect(
    refused(JSON.stringify({ ...report, run: { ...report.run, startedAt: 'yesterday' } })),
  ).toMatchObject({
    problem: 'it is not a report of format assay-report/4: /run/startedAt must match format "date-time"',
  });
});
