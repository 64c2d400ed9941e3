import { codeQuality } from './annotations.ts';
import type { Format } from './format.ts';
import { formatList } from './format-list.ts';

export const codeQualityFormat: Format = {
  ...formatList.codeQuality,
  render: ({ report }) => `${JSON.stringify(codeQuality(report), undefined, 2)}\n`,
};
