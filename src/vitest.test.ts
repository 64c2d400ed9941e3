import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

type FixtureResult = {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
};

const example = resolve('fixtures/vitest-example');

/** Runs the tests of an example project, and returns how each ended. */
async function outcomeOf(root: string) {
  const file = join(await mkdtemp(join(tmpdir(), 'assay-vitest-')), 'results.json');
  await promisify(execFile)(
    process.execPath,
    [
      resolve('node_modules/vitest/vitest.mjs'),
      'run',
      '--root',
      root,
      '--reporter=json',
      `--outputFile=${file}`,
    ],
    { cwd: resolve('.') },
  ).catch((error: unknown) => error);
  const outcome: FixtureResult = JSON.parse(await readFile(file, 'utf8'));
  const tests = outcome.testResults.flatMap(({ assertionResults }) => assertionResults);
  return {
    status: (start: string): string | undefined => tests.find(({ title }) => title.startsWith(start))?.status,
    failed: tests.filter(({ status }) => status === 'failed').map(({ title }) => title.split(' ')[0]),
  };
}

test('an in-process Fastify app is tested clause by clause', async () => {
  const { failed, status } = await outcomeOf(example);
  expect(failed).toEqual([]);
  expect(status('IDM-1 ')).toBe('passed');
  expect(status('CMD-1 ')).toBe('passed');
  expect(status('PRM-1 ')).toBe('skipped');
  expect(status('the run is conformant')).toBe('passed');
}, 120_000);

test('the clause that the app violates fails, and with it the test of the verdict', async () => {
  // Next to the example, so that it finds the same packages.
  const root = await mkdtemp(`${example}-`);
  onTestFinished(() => rm(root, { recursive: true }));
  await cp(example, root, { recursive: true });
  const app = join(root, 'app.mjs');
  const text = await readFile(app, 'utf8');
  await writeFile(app, text.replaceAll('reply.code(201)', 'reply.code(200)'));
  const { failed, status } = await outcomeOf(root);
  expect(failed).toEqual(['CMD-1', 'the']);
  expect(status('the run is conformant')).toBe('failed');
  expect(status('IDM-1 ')).toBe('passed');
  expect(status('PRM-1 ')).toBe('skipped');
}, 120_000);
