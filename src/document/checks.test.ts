import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { compare } from '../report/compare.ts';
import { reportWith } from '../testing/sample-report.ts';
import { checkOf } from './checks.ts';
import { readDocument } from './document.ts';

const require = createRequire(import.meta.url);
const built = (name: string): ((value: unknown) => boolean) => require(`../../dist/checks/${name}.cjs`);
const report = reportWith({});
const parsedFile = (file: string): unknown => readDocument(readFileSync(file, 'utf8'), file).value;

test('checks that the build compiled accept what is valid, and nothing else', () => {
  const samples: Readonly<Record<string, readonly [valid: unknown, invalid: unknown]>> = {
    config: [parsedFile('harness.config.yaml'), { target: {} }],
    script: [parsedFile('suites/missing-keys.yaml'), { suite: 1 }],
    report: [report, { ...report, format: 'assay-report/1' }],
    comparison: [compare(report, report), report],
    'governed-document': [{ operations: 293 }, { operations: 'many' }],
    'governed-operation': [{ effect: { list: 'listCases' } }, { version: 1 }],
    'governed-query-field': [{ filters: '/status' }, { filters: 'status' }],
    'meta-schema': [{ items: { type: 'string' } }, { items: { type: 'text' } }],
    'openapi-3.0': [
      { openapi: '3.0.3', info: { title: 'a', version: '1' }, paths: {} },
      { openapi: '3.0.3' },
    ],
    'openapi-3.1': [parsedFile('fixtures/contracts/extended-catalogue.yaml'), { openapi: '3.1.0' }],
    'openapi-3.2': [
      { openapi: '3.2.0', info: { title: 'a', version: '1' }, paths: {} },
      { openapi: '3.2.0' },
    ],
  };
  const names = readdirSync('dist/checks').map((file) => file.replace(/\.cjs$/, ''));
  // The tests of the evidence read and break whole logs.
  const ofLines = names.filter((name) => name.startsWith('evidence-'));
  expect(Object.keys(samples).sort()).toEqual(names.filter((name) => !ofLines.includes(name)));
  expect(ofLines.map((name) => built(name)({ line: name.slice('evidence-'.length) }))).toEqual(
    ofLines.map(() => false),
  );
  for (const [name, [valid, invalid]] of Object.entries(samples))
    expect([name, built(name)(valid), built(name)(invalid)]).toEqual([name, true, false]);
});

test('a check is compiled once, however many ask for it', () => {
  let times = 0;
  const ask = (): boolean =>
    checkOf<string>('once', () => {
      times += 1;
      return new Ajv2020().compile<string>({ type: 'string' });
    })('a');
  expect([ask(), ask(), times]).toEqual([true, true, 1]);
});

test('without a built check the exact one does it all, and says what is wrong', () => {
  let compiled = 0;
  const check = checkOf<string>('none', () => {
    compiled += 1;
    return new Ajv2020().compile<string>({ type: 'string' });
  });
  expect([check('a'), check.errors, check(1), check.errors?.[0]?.keyword, compiled]).toEqual([
    true,
    null,
    false,
    'type',
    1,
  ]);
});
