import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { CommandLine } from '../../src/cli/command-line.ts';
import { configSchema } from '../../src/config/schema.ts';
import { evidenceSchema } from '../../src/evidence/schema.ts';
import { comparisonSchema, reportSchema } from '../../src/report/schema.ts';
import { scriptSchema } from '../../src/suite-kit/script-schema.ts';
import { filled } from './markdown.ts';
import { generatedParts } from './pages.ts';

/** Brings the generated parts of the documentation up to date: `npm run docs`. */
const schemas = {
  'harness.config': configSchema,
  report: reportSchema,
  comparison: comparisonSchema,
  suite: scriptSchema,
  evidence: evidenceSchema,
};
for (const [name, schema] of Object.entries(schemas))
  writeFileSync(`docs/${name}.schema.json`, `${JSON.stringify(schema, undefined, 2)}\n`);
const line: CommandLine = JSON.parse(
  execFileSync(process.execPath, ['dist/src/cli/main.js', 'completion', 'json'], { encoding: 'utf8' }),
);
for (const [page, parts] of Object.entries(generatedParts(line)))
  writeFileSync(page, filled(readFileSync(page, 'utf8'), parts));
