// What an installed package has in place of its sources and of docs/accuracy.json, and checks that are compiled ahead.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { minifySync } from 'rolldown/utils';
import { configSchema } from '../dist/src/config/schema.js';
import * as governed from '../dist/src/contract/governed.js';
import { schemaOfLine } from '../dist/src/evidence/log-line.js';
import { lines } from '../dist/src/evidence/schema.js';
import { comparisonSchema, reportSchema } from '../dist/src/report/schema.js';
import { buildDigest } from '../dist/src/run/package.js';
import { sourceLines } from '../dist/src/selftest/source-lines.js';
import { scriptSchema } from '../dist/src/suite-kit/script-schema.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const write = (name, value) => writeFileSync(`${root}/dist/${name}`, `${JSON.stringify(value)}\n`);

write('source-lines.json', sourceLines(root));
// Of the modules, before they are put into few files.
write('build.json', { digest: buildDigest() });

const accuracy = `${root}/docs/accuracy.json`;
if (existsSync(accuracy)) {
  const bytes = readFileSync(accuracy);
  const { build, passed } = JSON.parse(bytes.toString());
  write('self-test.json', { build, passed, sha256: createHash('sha256').update(bytes).digest('hex') });
}

// They say whether a value is valid and stop at the first error: see src/document/checks.ts.
mkdirSync(`${root}/dist/checks`);
const compile = (name, Ajv, validatorOf) => {
  const ajv = new Ajv({ strict: false, messages: false, code: { source: true } });
  formats.default(ajv);
  ajv.addFormat('media-range', true);
  // Generated code is not read by anyone, and Node reads half of it faster.
  const { code } = minifySync(`${name}.cjs`, standalone.default(ajv, validatorOf(ajv)));
  writeFileSync(`${root}/dist/checks/${name}.cjs`, code);
};
const validator = createRequire(import.meta.url).resolve('@seriousme/openapi-schema-validator');
const openapi = dirname(validator);
const openapiSchema = (version) => JSON.parse(readFileSync(`${openapi}/schemas/v${version}/schema.json`));
const schemas = {
  config: configSchema,
  script: scriptSchema,
  report: reportSchema,
  comparison: comparisonSchema,
  'governed-document': governed.governedDocumentSchema,
  'governed-operation': governed.governedOperationSchema,
  'governed-query-field': governed.governedQueryFieldSchema,
  'openapi-3.1': openapiSchema('3.1'),
  'openapi-3.2': openapiSchema('3.2'),
};
for (const kind of Object.keys(lines)) schemas[`evidence-${kind}`] = schemaOfLine(kind);
for (const [name, schema] of Object.entries(schemas)) compile(name, Ajv2020, (ajv) => ajv.compile(schema));
compile('openapi-3.0', createRequire(validator)('ajv-draft-04').default, (ajv) =>
  ajv.compile(openapiSchema('3.0')),
);
compile('meta-schema', Ajv2020, (ajv) => ajv.getSchema('https://json-schema.org/draft/2020-12/schema'));
