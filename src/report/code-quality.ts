import { codeQuality } from './annotations.ts';
import type { Format } from './format.ts';
import { formatList } from './format-list.ts';

/** GitLab's code quality report, as Code Climate writes it. */
export const codeQualityFormat: Format = {
  ...formatList.codeQuality,
  render: ({ report }) => `${JSON.stringify(codeQuality(report), undefined, 2)}\n`,
};
