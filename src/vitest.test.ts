import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

type Outcome = {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
};

test('an in-process Fastify app is tested clause by clause', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'assay-vitest-')), 'results.json');
  await promisify(execFile)(
    process.execPath,
    [
      resolve('node_modules/vitest/vitest.mjs'),
      'run',
      '--root',
      resolve('fixtures/vitest-example'),
      '--reporter=json',
      `--outputFile=${file}`,
    ],
    { cwd: resolve('.') },
  ).catch((error: unknown) => error);
  const outcome: Outcome = JSON.parse(await readFile(file, 'utf8'));
  const tests = outcome.testResults.flatMap(({ assertionResults }) => assertionResults);
  const status = (start: string): string | undefined =>
    tests.find(({ title }) => title.startsWith(start))?.status;
  expect(tests.filter((one) => one.status === 'failed')).toEqual([]);
  expect(status('IDM-1 ')).toBe('passed');
  expect(status('CMD-1 ')).toBe('passed');
  expect(status('PRM-1 ')).toBe('skipped');
  expect(status('the run is conformant')).toBe('passed');
}, 120_000);
