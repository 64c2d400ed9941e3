import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { comparisonSchema, reportSchema } from './schema.ts';

test.each([
  ['report', reportSchema],
  ['comparison', comparisonSchema],
])('the published schema of %s.json is the one that the harness checks with', (name, schema) => {
  expect(JSON.parse(readFileSync(`docs/${name}.schema.json`, 'utf8'))).toEqual(schema);
  expect(new Ajv2020({ strict: false }).validateSchema(schema)).toBe(true);
});
