import { codeQuality } from './annotations.ts';
import type { Format } from './format.ts';

/** GitLab's code quality report, as Code Climate writes it. */
export const codeQualityFormat: Format = {
  name: 'code-quality',
  file: 'code-quality.json',
  describes: 'code quality report for GitLab: an issue for each violation',
  render: ({ report }) => `${JSON.stringify(codeQuality(report), undefined, 2)}\n`,
};
