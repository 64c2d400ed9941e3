import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { checkOf } from '../document/checks.ts';
import { type InputError, trouble } from '../model/input-error.ts';
import { parseJson } from '../model/json.ts';
import type { Comparison, Report } from './report.ts';
import { comparisonSchema, reportFormat, reportSchema } from './schema.ts';

/** The report in the text of a report.json. @throws InputError where it is none */
export function parseReport(text: string, file: string): Report {
  const wrong = (problem: string): InputError =>
    trouble(
      file,
      problem,
      'name a run of this version of Assay, or make its report again with `assay judge`',
    );
  const check = checkOf('report', () => ajv().compile<Report>(reportSchema));
  const value: unknown = parseJson(text);
  if (value === undefined) throw wrong('it is not JSON');
  if (check(value)) return value;
  const [error] = check.errors ?? [];
  throw wrong(
    `it is not a report of format ${reportFormat}: ${error?.instancePath === '' ? 'the root' : (error?.instancePath ?? '')} ${error?.message ?? ''}`,
  );
}

/** The comparison in the text of a comparison.json. @throws InputError where it is none */
export function parseComparison(text: string, file: string): Comparison {
  const check = checkOf('comparison', () => ajv().compile<Comparison>(comparisonSchema));
  const value: unknown = parseJson(text);
  if (check(value)) return value;
  throw trouble(
    file,
    'this is not a comparison of two runs',
    'remove it, or make it again with `assay report <run> --against <earlier run>`',
  );
}

function ajv(): Ajv2020 {
  const made = new Ajv2020({ strict: false });
  formats.default(made);
  return made;
}

export function reportText(report: Report): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}
