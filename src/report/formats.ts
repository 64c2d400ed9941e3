import { codeQualityFormat } from './code-quality.ts';
import { earl } from './earl.ts';
import type { Format } from './format.ts';
import { html } from './html/html.tsx';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { sarif } from './sarif.ts';

/** Every format but report.json. A new one is a file of its own and an entry here. */
export const formats: readonly Format[] = [html, junit, sarif, markdown, earl, codeQualityFormat];
