import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { reportSchema } from './schema.ts';

test('the published schema is the one that reports are checked with', () => {
  expect(JSON.parse(readFileSync('docs/report.schema.json', 'utf8'))).toEqual(reportSchema);
});

test('the schema is a valid JSON Schema', () => {
  expect(new Ajv2020({ strict: false }).validateSchema(reportSchema)).toBe(true);
});
